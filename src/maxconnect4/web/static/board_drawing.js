// The drawing of a board with its pieces, fours and last move. The tournament report also uses it.

import { svgElement } from "./elements.js";
import { t } from "./translations.js";

/** @import { Cell, PlayedMove, Player } from "./types.js" */
/** @import { BoardState } from "./position_state.js" */

export const WIDTH = 7, HEIGHT = 6, CELL = 100;
export const HEADROOM = 84; // height above the board, where the piece of the next move is shown
export const COLOURS = ["red", "green"];
const BOUNCE = 170; // milliseconds that a piece bounces after it has landed
const FOUR_DRAWING = 320; // milliseconds that the drawing of a four takes
const TICK = 17; // half the length of a four's tick
const FOUR_INTERVAL = 260; // milliseconds between the fours of a move
export const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

/**
 * The times of a move's animation in milliseconds: when the piece lands, when each of its fours is complete, and the end.
 * @typedef {{ landing: number, fours: number[], end: number }} MoveTimes
 */

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
export function centre([column, row]) {
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
    /** The fours that are drawn, by player and cells. @type {Map<string, SVGElement>} */
    this.drawnFours = new Map();
    this.pieces = svgElement("g");
    this.fours = svgElement("g");
    this.last = svgElement("circle", { class: "last", r: 47 });
    this.svg = svgElement("svg", { role: "img" },
      svgElement("g", { class: "holes" }, svgElement("rect", { y: HEADROOM, width: WIDTH * CELL, height: HEIGHT * CELL, rx: 26 })),
      this.pieces, svgElement("path", { class: "front", d: frontPath(), "fill-rule": "evenodd" }),
      this.last, this.fours, ...overlays);
    this.showHeadroom(true);
  }

  /** Show or hide the space above the board. @param {boolean} shown */
  showHeadroom(shown) {
    const top = shown ? 0 : HEADROOM - 2;
    this.svg.setAttribute("viewBox", `-2 ${top} ${WIDTH * CELL + 4} ${HEADROOM + HEIGHT * CELL + 2 - top}`);
  }

  /**
   * Show a position.
   * @param {Pick<BoardState, "cells" | "fours" | "last" | "pieceClass">} state
   * @param {PlayedMove | null} [falling] the move to animate
   * @returns {MoveTimes} of the animation, all 0 without one
   */
  update(state, falling = null) {
    const times = falling && !reducedMotion.matches ? moveTimes(falling) : { landing: 0, fours: [], end: 0 };
    /** @type {Map<string, SVGElement>} */
    const drawn = new Map();
    state.cells.forEach((row, index) => [...row].forEach((digit, at) => {
      if (digit === "0") return;
      const cell = /** @type {Cell} */ ([at + 1, HEIGHT - index]), key = `${digit}${cell}`;
      const piece = this.drawn.get(key) ?? this.addPiece(/** @type {Player} */ (Number(digit)), cell);
      if (state.pieceClass) piece.setAttribute("class", state.pieceClass(cell));
      drawn.set(key, piece);
      if (times.end && falling?.column === cell[0] && falling.row === cell[1]) animateFall(piece, falling.row, times.landing);
    }));
    for (const [key, piece] of this.drawn) if (!drawn.has(key)) piece.remove();
    this.drawn = drawn;
    this.drawFours(state, times);
    this.last.toggleAttribute("hidden", !state.last);
    if (state.last) placeAt(this.last, [state.last.column, state.last.row]);
    if (times.end) appear(this.last, times.landing);
    this.svg.setAttribute("aria-label", describeBoard(state.cells));
    return times;
  }

  /** @param {Player} player @param {Cell} cell */
  addPiece(player, cell) {
    const piece = placeAt(svgElement("g", {}, pieceShape(player)), cell);
    this.pieces.append(piece);
    return piece;
  }

  /** Add the new fours and remove the old ones. @param {Pick<BoardState, "fours" | "last">} state @param {MoveTimes} times */
  drawFours({ fours, last }, times) {
    const ofLastMove = (last?.fours ?? []).map(String);
    /** @type {Map<string, SVGElement>} */
    const drawn = new Map();
    fours.forEach((ofPlayer, index) => ofPlayer.forEach((four) => {
      const key = `${index}${four}`, at = ofLastMove.indexOf(String(four));
      const shape = this.drawnFours.get(key) ?? fourShape(four, COLOURS[index] ?? "");
      shape.classList.toggle("new", at >= 0);
      drawn.set(key, shape);
      if (!shape.isConnected) this.fours.append(shape);
      if (at >= 0 && times.end) animateFour(shape, (times.fours[at] ?? 0) - FOUR_DRAWING);
    }));
    for (const [key, shape] of this.drawnFours) if (!drawn.has(key)) shape.remove();
    this.drawnFours = drawn;
  }
}

/** @param {PlayedMove} move @returns {MoveTimes} */
function moveTimes({ row, fours }) {
  const landing = Math.round(110 + 14 * Math.sqrt(fallHeight(row)));
  const completed = fours.map((_, index) => landing + 60 + index * FOUR_INTERVAL + FOUR_DRAWING);
  return { landing, fours: completed, end: Math.max(landing + BOUNCE, ...completed) };
}

/** @param {number} row */
function fallHeight(row) {
  return HEADROOM / 2 + (HEIGHT - row) * CELL + CELL;
}

/** Let a piece fall into its cell, and bounce a little. @param {SVGElement} piece @param {number} row @param {number} landing in milliseconds */
function animateFall(piece, row, landing) {
  const height = fallHeight(row), duration = landing + BOUNCE, at = (/** @type {number} */ y) => `translateY(${y}px)`;
  piece.firstElementChild?.animate([
    { transform: at(-height), easing: "cubic-bezier(.45, 0, .85, .7)" },
    { transform: at(0), offset: landing / duration, easing: "cubic-bezier(.2, .6, .4, 1)" },
    { transform: at(-6 - height / 70), offset: (landing + BOUNCE * 0.45) / duration, easing: "cubic-bezier(.5, 0, .8, .5)" },
    { transform: at(0) }], { duration });
}

/** @param {Element} shape @param {number} delay in milliseconds */
function appear(shape, delay) {
  shape.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 80, delay, fill: "backwards" });
}

/** @param {Element} shape @param {number} delay in milliseconds */
function animateFour(shape, delay) {
  appear(shape, delay);
  for (const tick of shape.querySelectorAll(".tick")) appear(tick, delay + FOUR_DRAWING);
  for (const line of shape.querySelectorAll(".whole"))
    line.animate([{ strokeDasharray: 1, strokeDashoffset: 1 }, { strokeDasharray: 1, strokeDashoffset: 0 }],
      { duration: FOUR_DRAWING, delay, easing: "ease-out", fill: "backwards" });
}

/**
 * A four: a thin line through its cells and a tick at its middle, between two cells. No other four has the same tick, so that
 * fours can be counted where they overlap. The line of a new four is thick.
 * @param {Cell[]} four
 * @param {string} colour
 */
function fourShape(four, colour) {
  const [x1, y1] = centre(/** @type {Cell} */ (four[0])), [x2, y2] = centre(/** @type {Cell} */ (four[3]));
  const [x, y] = [(x1 + x2) / 2, (y1 + y2) / 2], share = TICK / Math.hypot(x2 - x1, y2 - y1);
  const [right, down] = [(x2 - x1) * share, (y2 - y1) * share];
  const whole = { x1, y1, x2, y2, pathLength: 1 }, tick = { x1: x - right, y1: y - down, x2: x + right, y2: y + down };
  return svgElement("g", { class: `four ${colour}` },
    svgElement("line", { class: "edge whole", ...whole }), svgElement("line", { class: "whole", ...whole }),
    svgElement("line", { class: "edge tick", ...tick }), svgElement("line", { class: "tick", ...tick }));
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
    return stack.length ? t("Column {column} from the bottom: {pieces}.", { column: index + 1, pieces: stack.map((player) => (player === 1 ? t("red") : t("green"))).join(", ") }) : "";
  }).filter(Boolean);
  return columns.length ? [t("Board."), ...columns].join(" ") : t("Board. It is empty.");
}
