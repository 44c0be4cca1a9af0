// The board: a drawing, and over it a button for each column.

import { element, minus, plural, shape } from "./elements.js";

/** @import { Cell, Drop, Margin, Player } from "./types.js" */
/** @import { State } from "./showing.js" */

const WIDTH = 7, HEIGHT = 6, CELL = 100, ABOVE = 84; // above the board a piece waits to be dropped
const NAMES = ["red", "green"];
const LONG = 8; // letters of a value that do not fit under a column in full size
const stillness = matchMedia("(prefers-reduced-motion: reduce)");

/** @param {Cell} cell @returns {[number, number]} */
const centre = ([column, row]) => [(column - 0.5) * CELL, ABOVE + (HEIGHT - row + 0.5) * CELL];

/** A piece: red has a ring in it, green a cross. @param {Player} player */
export function piece(player) {
  const mark = player === 1 ? shape("circle", { class: "mark", r: 22 }) : shape("path", { class: "mark", d: "M-17-17l34 34m0-34l-34 34" });
  return shape("g", { class: `piece ${NAMES[player - 1]}` }, shape("circle", { class: "disc", r: 44 }), mark);
}

/** A small piece to stand before a name. @param {Player} player */
export function emblem(player) {
  return shape("svg", { class: "emblem", viewBox: "-50 -50 100 100", "aria-hidden": "true" }, piece(player));
}

export class BoardView {
  /**
   * @param {HTMLElement} container
   * @param {(column: number, again: boolean) => void} ondrop told whether it is the second of two quick clicks
   */
  constructor(container, ondrop) {
    this.ondrop = ondrop;
    /** @type {State | null} */
    this.state = null;
    this.open = false;
    /** The column that the mouse or the keyboard is on. @type {number | null} */
    this.pointed = null;
    /** @type {(Margin | null)[]} */
    this.margins = [];
    /** @type {Map<string, SVGElement>} the pieces that are drawn, by player, column and row */
    this.drawn = new Map();
    this.pieces = shape("g");
    this.lines = shape("g");
    this.last = shape("circle", { class: "last", r: 47 });
    this.ghosts = shape("g", { class: "ghosts" });
    this.pointer = shape("g", { class: "pointer" });
    this.advice = shape("g", { class: "advice" });
    this.drawing = shape("svg", { viewBox: `-2 0 ${WIDTH * CELL + 4} ${ABOVE + HEIGHT * CELL + 2}`, role: "img" },
      shape("g", { class: "holes" }, shape("rect", { y: ABOVE, width: WIDTH * CELL, height: HEIGHT * CELL, rx: 26 })),
      this.pieces, shape("path", { class: "front", d: front(), "fill-rule": "evenodd" }),
      this.last, this.lines, this.ghosts, this.advice, this.pointer);
    this.columns = Array.from({ length: WIDTH }, (_, index) => this.columnButton(index + 1));
    this.strip = Array.from({ length: WIDTH }, (_, index) => stripCell(index + 1));
    const buttons = element("div", { class: "columns", role: "group", "aria-label": "Columns" }, ...this.columns);
    buttons.addEventListener("keydown", (event) => this.key(event));
    container.replaceChildren(
      element("div", { class: "frame" }, this.drawing, buttons),
      element("div", { class: "strip", "aria-hidden": "true" }, ...this.strip));
  }

  /** @param {number} column */
  columnButton(column) {
    const made = element("button", {
      type: "button",
      class: "column",
      tabindex: column === 4 ? 0 : -1,
      "data-column": column,
      onclick: (/** @type {MouseEvent} */ event) =>
        this.open && this.ondrop(column, event.detail > 1),
      onfocus: () => made.matches(":focus-visible") && this.point((this.pointed = column)),
      onblur: () => this.point((this.pointed = null)),
      onpointerenter: (/** @type {PointerEvent} */ event) => event.pointerType === "mouse" && this.point((this.pointed = column)),
      onpointerleave: () => this.point((this.pointed = null)),
    });
    return made;
  }

  /**
   * Show a position. A piece that is new falls into its place if it is the last drop.
   * @param {State} state
   * @param {boolean} open whether somebody may drop now
   */
  update(state, open) {
    const falling = this.state !== null && state.last !== this.state.last ? state.last : null;
    this.state = state;
    this.open = open && !state.over;
    /** @type {Map<string, SVGElement>} */
    const drawn = new Map();
    state.cells.forEach((row, index) => [...row].forEach((cell, at) => {
      if (cell === "0") return;
      const key = `${cell}${at + 1}${HEIGHT - index}`;
      drawn.set(key, this.drawn.get(key) ?? this.newPiece(/** @type {Player} */ (Number(cell)), [at + 1, HEIGHT - index], falling));
    }));
    for (const [key, old] of this.drawn) if (!drawn.has(key)) old.remove();
    this.drawn = drawn;
    this.drawLines(state, falling);
    this.last.toggleAttribute("hidden", !state.last);
    if (state.last) place(this.last, [state.last.column, state.last.row]);
    this.drawing.setAttribute("aria-label", inWords(state));
    this.preview([]);
    this.label();
    this.point(this.pointed);
  }

  /**
   * @param {Player} player
   * @param {Cell} cell
   * @param {Drop | null} falling
   */
  newPiece(player, cell, falling) {
    const drawing = piece(player);
    const made = place(shape("g", {}, drawing), cell);
    this.pieces.append(made);
    if (falling && falling.column === cell[0] && falling.row === cell[1] && !stillness.matches) {
      const height = ABOVE / 2 + (HEIGHT - cell[1]) * CELL + CELL;
      drawing.animate([{ transform: `translateY(${-height}px)` }, { transform: "none" }],
        { duration: 130 + 13 * Math.sqrt(height), easing: "cubic-bezier(.5, 0, .9, .7)" });
    }
    return made;
  }

  /**
   * @param {State} state
   * @param {Drop | null} falling
   */
  drawLines(state, falling) {
    const fresh = new Set(falling?.fours.map(String));
    const made = state.fours.flatMap((fours, index) => fours.map((four) => {
      const [first, end] = [four[0], four[3]].map((cell) => centre(/** @type {Cell} */ (cell)));
      const ends = { x1: first?.[0], y1: first?.[1], x2: end?.[0], y2: end?.[1], pathLength: 1 };
      return shape("g", { class: `four ${NAMES[index]}${fresh.has(String(four)) ? " fresh" : ""}` },
        shape("line", { class: "edge", ...ends }), shape("line", ends));
    }));
    this.lines.replaceChildren(...made);
  }

  /** Hint at drops to come, numbered. @param {Drop[]} drops */
  preview(drops) {
    this.ghosts.replaceChildren(...drops.map((drop, index) =>
      place(shape("g", { class: "ghost" }, piece(drop.player), shape("text", { y: 2 }, `${index + 1}`)), [drop.column, drop.row])));
  }

  /**
   * Show a margin under each column.
   * @param {(Margin | null)[]} margins none of them to show nothing
   * @param {number[]} [best]
   */
  showMargins(margins, best = []) {
    this.margins = margins;
    this.strip.forEach((cell, index) => {
      const margin = margins[index];
      const long = margin && margin.label.length > LONG;
      cell.className = `${margin ? margin.tone : ""}${long ? " long" : ""}${best.includes(index + 1) ? " best" : ""}`;
      /** @type {HTMLElement} */ (cell.lastElementChild).textContent = minus(margin?.label ?? "");
    });
    this.best = best;
    this.label();
  }

  /** Point out a column, as a hint does. @param {number | null} column */
  hint(column) {
    this.strip.forEach((cell, index) => cell.classList.toggle("hinted", index + 1 === column));
    if (!column || !this.state) return this.advice.replaceChildren();
    const arrow = shape("path", { d: "M-22-24h44L0 20z", transform: `translate(${(column - 0.5) * CELL} ${ABOVE / 2})` });
    this.advice.replaceChildren(arrow, place(shape("circle", { r: 45 }), [column, this.height(column) + 1]));
  }

  /** A piece waits above this column. @param {number | null} column */
  point(column) {
    const state = this.state;
    if (!column || !state || !this.open || !state.columns.includes(column)) return this.pointer.replaceChildren();
    const hand = state.hand ?? state.toMove;
    const top = this.height(column);
    if (!hand) return this.pointer.replaceChildren(place(shape("path", { class: "taken", d: "M-30-30l60 60m0-60l-60 60" }), [column, top]));
    const waiting = shape("g", { transform: `translate(${(column - 0.5) * CELL} ${ABOVE / 2}) scale(.84)` }, piece(hand));
    const landing = place(shape("circle", { class: `landing ${NAMES[hand - 1]}`, r: 38 }), [column, top + 1]);
    this.pointer.replaceChildren(waiting, landing);
  }

  /** How many pieces are in a column. @param {number} column */
  height(column) {
    return this.state?.cells.filter((cells) => cells[column - 1] !== "0").length ?? 0;
  }

  label() {
    const state = this.state;
    if (!state) return;
    this.columns.forEach((each, index) => {
      const stack = state.cells.map((row) => row[index]).filter((cell) => cell !== "0");
      const top = NAMES[Number(stack[0]) - 1];
      const margin = this.margins[index];
      const words = [
        `Column ${index + 1}`,
        stack.length ? `${plural(stack.length, "piece")}, ${top} on top` : "empty",
        ...(stack.length === HEIGHT ? ["full"] : []),
        ...(margin ? [`${/^[a-z]/.test(margin.label) ? "" : "margin "}${minus(margin.label)}${this.best?.includes(index + 1) ? ", best" : ""}`] : []),
      ];
      each.setAttribute("aria-label", words.join(", "));
      each.setAttribute("aria-disabled", `${!this.open || !state.columns.includes(index + 1)}`);
    });
  }

  /** Put the keyboard on a column. @param {number} column */
  focus(column) {
    this.columns.forEach((each, index) => (each.tabIndex = index + 1 === column ? 0 : -1));
    this.columns[column - 1]?.focus();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const at = this.columns.findIndex((each) => each === event.target) + 1;
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 1, End: WIDTH }[event.key];
    if (event.key === "ArrowDown") event.repeat || this.columns[at - 1]?.click();
    else if (event.key === "Enter" && event.repeat) event.preventDefault(); // a key that is held drops once
    else if (to !== undefined) this.focus(Math.max(1, Math.min(to, WIDTH)));
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

/** @param {number} column */
function stripCell(column) {
  return element("div", {}, element("b", {}, `${column}`), element("span"));
}

/**
 * @template {SVGElement} T
 * @param {T} drawing
 * @param {Cell} cell
 */
function place(drawing, cell) {
  drawing.setAttribute("transform", `translate(${centre(cell).join(" ")})`);
  return drawing;
}

/** The front of the board, with a hole for each cell. */
function front() {
  const [right, bottom, r] = [WIDTH * CELL, ABOVE + HEIGHT * CELL, 26];
  let path = `M${r} ${ABOVE}H${right - r}a${r} ${r} 0 0 1 ${r} ${r}V${bottom - r}a${r} ${r} 0 0 1 ${-r} ${r}H${r}a${r} ${r} 0 0 1 ${-r} ${-r}V${ABOVE + r}a${r} ${r} 0 0 1 ${r} ${-r}z`;
  for (let column = 1; column <= WIDTH; column++)
    for (let row = 1; row <= HEIGHT; row++) {
      const [x, y] = centre([column, row]);
      path += `M${x - 40} ${y}a40 40 0 1 0 80 0a40 40 0 1 0 -80 0z`;
    }
  return path;
}

/** @param {State} state */
function inWords(state) {
  const columns = Array.from({ length: WIDTH }, (_, index) => {
    const stack = state.cells.map((row) => Number(row[index])).filter(Boolean).reverse();
    return stack.length ? `Column ${index + 1} from the bottom: ${stack.map((cell) => NAMES[cell - 1]).join(", ")}.` : "";
  }).filter(Boolean);
  return `The board. ${columns.join(" ") || "It is empty."}`;
}
