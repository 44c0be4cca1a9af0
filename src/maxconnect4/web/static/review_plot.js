// The review plot: the value after each move, the margin of the points so far, and the mistakes.

import { COLOURS, pieceShape } from "./board_drawing.js";
import { svgElement } from "./elements.js";
import { formatNumber, t, tn } from "./translations.js";

/** @import { Position, Review } from "./types.js" */

const HEIGHT = 200, LEFT = 30, RIGHT = 6, ABOVE = 26, BELOW = 44;

export class ReviewPlot {
  /** @param {(ply: number) => void} onSelect called with the ply that the user selects */
  constructor(onSelect) {
    this.onSelect = onSelect;
    /** @type {Position | null} */
    this.position = null;
    /** @type {Review | null} */
    this.review = null;
    /** The margin of the points for red at the start and after each move; 0 in the classic game. @type {number[]} */
    this.margins = [];
    this.ply = this.width = 0;
    this.high = this.low = 0;
    this.cursor = svgElement("g", { class: "cursor" });
    this.element = svgElement("svg", { class: "review-plot", role: "img",
      onpointerdown: (event) => this.handlePointer(event), onpointermove: (event) => event.buttons && this.handlePointer(event) });
    new ResizeObserver(() => this.render()).observe(this.element);
  }

  /** @param {Position} position @param {Review | null} review null until it is available */
  show(position, review) {
    this.position = position;
    this.review = review;
    const counts = Number(position.game === "max");
    this.margins = [position.initial, ...position.history].map(({ points: [red, green] }) => counts * (red - green));
    this.render();
  }

  /** Move the cursor. @param {number} ply @param {boolean} onBranch whether the board shows a branch */
  setPly(ply, onBranch) {
    this.ply = ply;
    this.cursor.classList.toggle("on-branch", onBranch);
    const x = this.x(ply), y = this.y((this.review?.values ?? this.margins)[ply] ?? 0);
    if (this.width) this.cursor.replaceChildren(
      svgElement("line", { x1: x, x2: x, y1: 14, y2: HEIGHT - 20 }), svgElement("circle", { cx: x, cy: y, r: 4.5 }));
  }

  /** @param {PointerEvent} event */
  handlePointer(event) {
    this.element.setPointerCapture(event.pointerId);
    const at = Math.floor((event.clientX - this.element.getBoundingClientRect().left - LEFT) / this.step);
    this.onSelect(Math.max(0, Math.min(at, this.margins.length - 1)));
  }

  get step() {
    return (this.width - LEFT - RIGHT) / this.margins.length;
  }

  /** The x coordinate of a ply. @param {number} at */
  x(at) {
    return LEFT + (at + 0.5) * this.step;
  }

  /** @param {number} margin */
  y(margin) {
    return ABOVE + ((this.high - margin) / (this.high - this.low)) * (HEIGHT - ABOVE - BELOW);
  }

  render() {
    this.width = this.element.clientWidth;
    if (!this.position || !this.width) return;
    const values = this.review?.values ?? [], moves = this.review?.review ?? [];
    this.high = Math.max(2, ...values, ...this.margins);
    this.low = Math.min(-2, ...values, ...this.margins);
    this.element.setAttribute("viewBox", `0 0 ${this.width} ${HEIGHT}`);
    const max = this.position.game === "max", mistakes = moves.filter((move) => move.mistake).length;
    this.element.setAttribute("aria-label", this.review
      ? t("Value for red after each move, with perfect play: {start} at the start, {end} at the end, {mistakes}. See the list of moves for details.",
        { start: values[0] ?? 0, end: values.at(-1) ?? 0, mistakes: tn(mistakes, "{count} mistake", "{count} mistakes") })
      : max ? t("Plot of the margin after each move") : t("Plot of the value after each move"));
    this.element.replaceChildren(
      ...this.axes(this.position),
      ...COLOURS.map((side, index) => svgElement("path", { class: `area ${side}`, d: this.areaPath(values.map((value) => (index ? Math.min : Math.max)(0, value))) })),
      ...(max ? [svgElement("path", { class: "margin-curve", d: this.stepPath(this.margins) })] : []),
      svgElement("path", { class: "value-curve", d: this.stepPath(values) }),
      this.cursor,
      ...moves.flatMap((move, index) => (move.mistake ? [this.mistakeMark(index + 1, move.player === 1 ? 1 : -1, max ? `${move.regret}` : "")] : [])));
    this.setPly(this.ply, this.cursor.classList.contains("on-branch"));
  }

  /** @param {Position} position */
  *axes({ history }) {
    const every = this.high - this.low > 12 ? 5 : this.high - this.low > 6 ? 2 : 1;
    for (let margin = Math.ceil(this.low / every) * every; margin <= this.high; margin += every) {
      const y = this.y(margin);
      yield svgElement("line", { class: margin ? "gridline" : "gridline zero", x1: LEFT, x2: this.width - RIGHT, y1: y, y2: y });
      yield svgElement("text", { class: "tick", x: LEFT - 6, y }, `${margin > 0 ? "+" : ""}${formatNumber(margin)}`);
    }
    yield svgElement("g", { transform: `translate(${LEFT - 13} 10) scale(.16)` }, pieceShape(1)); // red is ahead above zero, green below
    yield svgElement("g", { transform: `translate(${LEFT - 13} ${HEIGHT - 26}) scale(.16)` }, pieceShape(2));
    const marked = history.length > 20 ? 10 : history.length > 8 ? 5 : 1;
    for (const [index, { number }] of history.entries())
      if (number % marked === 0 || number === 1) yield svgElement("text", { x: this.x(index + 1), y: HEIGHT - 6 }, number === 1 ? t("move 1") : `${number}`);
  }

  /** A step function. @param {number[]} margins */
  stepPath(margins) {
    return margins.map((margin, at) => `${at ? "V" : `M${LEFT} `}${this.y(margin)}H${this.x(at + 0.5)}`).join("");
  }

  /** The area between a step function and zero. @param {number[]} margins */
  areaPath(margins) {
    return margins.length ? `${this.stepPath(margins)}V${this.y(0)}H${LEFT}z` : "";
  }

  /**
   * A mistake: an arrow in the direction of the change, and its regret.
   * @param {number} at
   * @param {number} direction
   * @param {string} size
   */
  mistakeMark(at, direction, size) {
    const y = this.y(this.review?.values[at] ?? 0) + 3 * direction;
    return svgElement("g", { class: `mistake ${COLOURS[direction > 0 ? 0 : 1]}`, transform: `translate(${this.x(at)} ${y})` },
      svgElement("path", { d: `M-4.5 0h9L0 ${8 * direction}z` }), svgElement("text", { y: 15 * direction }, size));
  }
}
