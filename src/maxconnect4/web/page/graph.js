// The curve of a game: what it is worth after each move, the points so far, and where the mistakes are.

import { piece } from "./board.js";
import { plural, shape } from "./elements.js";

/** @import { Position, Review } from "./types.js" */

const HEIGHT = 200, LEFT = 30, RIGHT = 6, ABOVE = 26, BELOW = 44;
const SIDES = ["red", "green"];

export class MarginGraph {
  /** @param {(at: number) => void} ongoto somebody points at the position after so many moves */
  constructor(ongoto) {
    this.ongoto = ongoto;
    /** @type {Position | null} */
    this.position = null;
    /** @type {Review | null} */
    this.review = null;
    /** The margin of the points so far, in red's view, at the beginning and after each move; 0 where points do not count. @type {number[]} */
    this.scored = [];
    this.at = this.width = 0;
    this.high = this.low = 0;
    this.cursor = shape("g", { class: "cursor" });
    this.element = shape("svg", { class: "graph", role: "img",
      onpointerdown: (event) => this.point(event), onpointermove: (event) => event.buttons && this.point(event) });
    new ResizeObserver(() => this.draw()).observe(this.element);
  }

  /** @param {Position} position @param {Review | null} review null as long as it is not known */
  show(position, review) {
    this.position = position;
    this.review = review;
    const counts = Number(position.game === "max");
    this.scored = [position.begin, ...position.drops].map(({ points: [red, green] }) => counts * (red - green));
    this.draw();
  }

  /** Put the cursor there. @param {number} at @param {boolean} away whether a branch has left the game there */
  goto(at, away) {
    this.at = at;
    this.cursor.classList.toggle("away", away);
    const x = this.x(at), y = this.y((this.review?.values ?? this.scored)[at] ?? 0);
    if (this.width) this.cursor.replaceChildren(
      shape("line", { x1: x, x2: x, y1: 14, y2: HEIGHT - 20 }), shape("circle", { cx: x, cy: y, r: 4.5 }));
  }

  /** @param {PointerEvent} event */
  point(event) {
    this.element.setPointerCapture(event.pointerId);
    const at = Math.floor((event.clientX - this.element.getBoundingClientRect().left - LEFT) / this.step);
    this.ongoto(Math.max(0, Math.min(at, this.scored.length - 1)));
  }

  get step() {
    return (this.width - LEFT - RIGHT) / this.scored.length;
  }

  /** The middle of where the position after so many moves is drawn. @param {number} at */
  x(at) {
    return LEFT + (at + 0.5) * this.step;
  }

  /** @param {number} margin */
  y(margin) {
    return ABOVE + ((this.high - margin) / (this.high - this.low)) * (HEIGHT - ABOVE - BELOW);
  }

  draw() {
    this.width = this.element.clientWidth;
    if (!this.position || !this.width) return;
    const values = this.review?.values ?? [], moves = this.review?.moves ?? [];
    this.high = Math.max(2, ...values, ...this.scored);
    this.low = Math.min(-2, ...values, ...this.scored);
    this.element.setAttribute("viewBox", `0 0 ${this.width} ${HEIGHT}`);
    const max = this.position.game === "max", what = max ? "margin" : "score"; // as docs/commands.md has them
    this.element.setAttribute("aria-label", this.review
      ? `The ${what} over the moves, in red's view: with perfect play ${values[0]} at the beginning and ${values.at(-1)} at the end, with ${plural(moves.filter((move) => move.mistake).length, "mistake")}. The list of moves says all of it.`
      : `The ${what}${max ? " of the points" : ""} over the moves`);
    this.element.replaceChildren(
      ...this.axes(this.position),
      ...SIDES.map((side, index) => shape("path", { class: `area ${side}`, d: this.area(values.map((value) => (index ? Math.min : Math.max)(0, value))) })),
      ...(max ? [shape("path", { class: "scored", d: this.curve(this.scored) })] : []),
      shape("path", { class: "perfect", d: this.curve(values) }),
      this.cursor,
      ...moves.flatMap((move, index) => (move.mistake ? [this.mark(index + 1, move.player === 1 ? 1 : -1, max ? `${move.given_away}` : "")] : [])));
    this.goto(this.at, this.cursor.classList.contains("away"));
  }

  /** @param {Position} position */
  *axes({ drops }) {
    const every = this.high - this.low > 12 ? 5 : this.high - this.low > 6 ? 2 : 1;
    for (let margin = Math.ceil(this.low / every) * every; margin <= this.high; margin += every) {
      const y = this.y(margin);
      yield shape("line", { class: margin ? "rule" : "rule zero", x1: LEFT, x2: this.width - RIGHT, y1: y, y2: y });
      yield shape("text", { class: "margin", x: LEFT - 6, y }, `${margin > 0 ? "+" : ""}${margin}`.replace("-", "−"));
    }
    yield shape("g", { transform: `translate(${LEFT - 13} 10) scale(.16)` }, piece(1)); // who is ahead, above and below
    yield shape("g", { transform: `translate(${LEFT - 13} ${HEIGHT - 26}) scale(.16)` }, piece(2));
    const marked = drops.length > 20 ? 10 : drops.length > 8 ? 5 : 1;
    for (const [index, { number }] of drops.entries())
      if (number % marked === 0 || number === 1) yield shape("text", { x: this.x(index + 1), y: HEIGHT - 6 }, number === 1 ? "move 1" : `${number}`);
  }

  /** A line that goes in steps. @param {number[]} margins */
  curve(margins) {
    return margins.map((margin, at) => `${at ? "V" : `M${LEFT} `}${this.y(margin)}H${this.x(at + 0.5)}`).join("");
  }

  /** What lies between that line and nothing. @param {number[]} margins */
  area(margins) {
    return margins.length ? `${this.curve(margins)}V${this.y(0)}H${LEFT}z` : "";
  }

  /**
   * A mistake: an arrow the way that the curve went, and the points that were given away.
   * @param {number} at
   * @param {number} way
   * @param {string} size
   */
  mark(at, way, size) {
    const y = this.y(this.review?.values[at] ?? 0) + 3 * way;
    return shape("g", { class: `mistake ${SIDES[way > 0 ? 0 : 1]}`, transform: `translate(${this.x(at)} ${y})` },
      shape("path", { d: `M-4.5 0h9L0 ${8 * way}z` }), shape("text", { y: 15 * way }, size));
  }
}
