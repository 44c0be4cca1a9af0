// The drawing of a board with its pieces, fours and last move. The tournament report also uses it.

import { svgElement } from "./elements.js";

/** @import { Cell, PlayedMove, Player } from "./types.js" */
/** @import { BoardState } from "./position_state.js" */

export const WIDTH = 7, HEIGHT = 6, CELL = 100;
export const HEADROOM = 84; // height above the board, where the piece of the next move is shown
export const COLOURS = ["red", "green"];
const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

/** A piece. Red has a ring and green a cross, so that colours are not needed to distinguish them. @param {Player} player */
export function pieceShape(player) {
  const mark = player === 1 ? svgElement("circle", { class: "mark", r: 22 }) : svgElement("path", { class: "mark", d: "M-17-17l34 34m0-34l-34 34" });
  return svgElement("g", { class: `piece ${COLOURS[player - 1]}` }, svgElement("circle", { class: "disc", r: 44 }), mark);
}

/** A small piece in front of a name or a number. @param {Player} player */
export function pieceIcon(player) {
  return svgElement("svg", { class: "piece-icon", viewBox: "-50 -50 100 100", "aria-hidden": "true" }, pieceShape(player));
}

/** @param {Cell} cell @returns {[number, number]} */
function centre([column, row]) {
  return [(column - 0.5) * CELL, HEADROOM + (HEIGHT - row + 0.5) * CELL];
}

/**
 * Move a shape to a cell.
 * @template {SVGElement} T
 * @param {T} shape
 * @param {Cell} cell
 */
export function placeAt(shape, cell) {
  shape.setAttribute("transform", `translate(${centre(cell).join(" ")})`);
  return shape;
}

export class BoardDrawing {
  /** @param {...SVGElement} overlays drawn above the board */
  constructor(...overlays) {
    /** The pieces that are drawn, by player, column and row. @type {Map<string, SVGElement>} */
    this.drawn = new Map();
    this.pieces = svgElement("g");
    this.fours = svgElement("g");
    this.last = svgElement("circle", { class: "last", r: 47 });
    this.svg = svgElement("svg", { viewBox: `-2 0 ${WIDTH * CELL + 4} ${HEADROOM + HEIGHT * CELL + 2}`, role: "img" },
      svgElement("g", { class: "holes" }, svgElement("rect", { y: HEADROOM, width: WIDTH * CELL, height: HEIGHT * CELL, rx: 26 })),
      this.pieces, svgElement("path", { class: "front", d: frontPath(), "fill-rule": "evenodd" }),
      this.last, this.fours, ...overlays);
  }

  /**
   * Show a position.
   * @param {Pick<BoardState, "cells" | "fours" | "last" | "pieceClass">} state
   * @param {PlayedMove | null} [falling] the move to animate
   */
  update(state, falling = null) {
    /** @type {Map<string, SVGElement>} */
    const drawn = new Map();
    state.cells.forEach((row, index) => [...row].forEach((digit, at) => {
      if (digit === "0") return;
      const cell = /** @type {Cell} */ ([at + 1, HEIGHT - index]), key = `${digit}${cell}`;
      const piece = this.drawn.get(key) ?? this.addPiece(/** @type {Player} */ (Number(digit)), cell, falling);
      if (state.pieceClass) piece.setAttribute("class", state.pieceClass(cell));
      drawn.set(key, piece);
    }));
    for (const [key, piece] of this.drawn) if (!drawn.has(key)) piece.remove();
    this.drawn = drawn;
    this.drawFours(state.fours, falling);
    this.last.toggleAttribute("hidden", !state.last);
    if (state.last) placeAt(this.last, [state.last.column, state.last.row]);
    this.svg.setAttribute("aria-label", describeBoard(state.cells));
  }

  /** @param {Player} player @param {Cell} cell @param {PlayedMove | null} falling */
  addPiece(player, cell, falling) {
    const shape = pieceShape(player), piece = placeAt(svgElement("g", {}, shape), cell);
    this.pieces.append(piece);
    if (falling && falling.column === cell[0] && falling.row === cell[1] && !reducedMotion.matches) {
      const height = HEADROOM / 2 + (HEIGHT - cell[1]) * CELL + CELL;
      shape.animate([{ transform: `translateY(${-height}px)` }, { transform: "none" }],
        { duration: 130 + 13 * Math.sqrt(height), easing: "cubic-bezier(.5, 0, .9, .7)" });
    }
    return piece;
  }

  /** @param {[Cell[][], Cell[][]]} fours @param {PlayedMove | null} falling */
  drawFours(fours, falling) {
    const fresh = new Set(falling?.fours.map(String));
    this.fours.replaceChildren(...fours.flatMap((ofPlayer, index) => ofPlayer.map((four) => {
      const [start, end] = [four[0], four[3]].map((cell) => centre(/** @type {Cell} */ (cell)));
      const ends = { x1: start?.[0], y1: start?.[1], x2: end?.[0], y2: end?.[1], pathLength: 1 };
      return svgElement("g", { class: `four ${COLOURS[index]}${fresh.has(String(four)) ? " fresh" : ""}` },
        svgElement("line", { class: "edge", ...ends }), svgElement("line", ends));
    })));
  }
}

/** The path of the board's front, with a hole for each cell. */
function frontPath() {
  const [right, bottom, r] = [WIDTH * CELL, HEADROOM + HEIGHT * CELL, 26];
  let path = `M${r} ${HEADROOM}H${right - r}a${r} ${r} 0 0 1 ${r} ${r}V${bottom - r}a${r} ${r} 0 0 1 ${-r} ${r}H${r}a${r} ${r} 0 0 1 ${-r} ${-r}V${HEADROOM + r}a${r} ${r} 0 0 1 ${r} ${-r}z`;
  for (let column = 1; column <= WIDTH; column++)
    for (let row = 1; row <= HEIGHT; row++) {
      const [x, y] = centre([column, row]);
      path += `M${x - 40} ${y}a40 40 0 1 0 80 0a40 40 0 1 0 -80 0z`;
    }
  return path;
}

/** @param {string[]} cells */
function describeBoard(cells) {
  const columns = Array.from({ length: WIDTH }, (_, index) => {
    const stack = cells.map((row) => Number(row[index])).filter(Boolean).reverse();
    return stack.length ? `Column ${index + 1} from the bottom: ${stack.map((player) => COLOURS[player - 1]).join(", ")}.` : "";
  }).filter(Boolean);
  return `Board. ${columns.join(" ") || "It is empty."}`;
}
