// The interactive board: the drawing, a button for each column over it, and a value under each column.

import { BoardDrawing, CELL, centre, COLOURS, HEADROOM, HEIGHT, pieceShape, placeAt, reducedMotion, WIDTH } from "./board_drawing.js";
import { colourName } from "./descriptions.js";
import { element, svgElement, withMinusSigns } from "./elements.js";
import { t, tn } from "./translations.js";

/** @import { MoveTimes } from "./board_drawing.js" */
/** @import { Bounds, Cell, PlayedMove, Reason } from "./types.js" */
/** @import { BoardState } from "./position_state.js" */

const touch = matchMedia("(hover: none)"); // no piece hovers above the board
const CONFETTI = 42; // discs
const MAX_LABEL_LENGTH = 8; // characters; longer values use a smaller font

/**
 * Events of the animation of a move: `land` when its piece lands, `four` when each of its fours is complete, and `settled` at the
 * end, with the move and the number of complete fours as details. With reduced motion they come at once.
 */
export class BoardView extends EventTarget {
  /**
   * @param {HTMLElement} container
   * @param {(column: number, doubleClick: boolean) => void} onDrop called with the column, and whether this is the second click of a double click
   */
  constructor(container, onDrop) {
    super();
    this.onDrop = onDrop;
    /** @type {BoardState | null} */
    this.state = null;
    this.enabled = false;
    /** The points that the animation has reached. @type {[number, number]} */
    this.points = [0, 0];
    /** Fulfilled at the end of the animation that is running. @type {Promise<void> | null} */
    this.settled = null;
    /** End the animation. */
    this.settle = () => {};
    /** The column under the mouse or with the keyboard focus. @type {number | null} */
    this.activeColumn = null;
    /** @type {(Bounds | null)[]} */
    this.values = [];
    this.previewGroup = svgElement("g", { class: "preview" });
    this.pointer = svgElement("g", { class: "pointer" });
    this.hintMarker = svgElement("g", { class: "hint-marker" });
    this.reasonMarks = svgElement("g", { class: "reason-marks", "aria-hidden": "true" });
    this.gains = svgElement("g", { class: "gains" });
    this.confetti = svgElement("g", { class: "confetti" });
    this.drawing = new BoardDrawing(this.reasonMarks, this.previewGroup, this.hintMarker, this.pointer, this.gains, this.confetti);
    this.columns = Array.from({ length: WIDTH }, (_, index) => this.columnButton(index + 1));
    this.valueCells = Array.from({ length: WIDTH }, (_, index) => valueCell(index + 1));
    touch.addEventListener("change", () => this.drawing.showHeadroom(!touch.matches));
    this.drawing.showHeadroom(!touch.matches);
    const buttons = element("div", { class: "columns", role: "group", "aria-label": t("Columns") }, ...this.columns);
    buttons.addEventListener("keydown", (event) => this.handleKey(event));
    container.replaceChildren(
      element("div", { class: "frame" }, this.drawing.svg, buttons),
      element("div", { class: "column-values", "aria-hidden": "true" }, ...this.valueCells));
  }

  /** @param {number} column */
  columnButton(column) {
    const made = element("button", {
      type: "button",
      class: "column",
      tabindex: column === 4 ? 0 : -1,
      "data-column": column,
      onclick: (/** @type {MouseEvent} */ event) =>
        this.enabled && this.onDrop(column, event.detail > 1),
      onfocus: () => made.matches(":focus-visible") && this.showPointer((this.activeColumn = column)),
      onblur: () => this.showPointer((this.activeColumn = null)),
      onpointerenter: (/** @type {PointerEvent} */ event) => event.pointerType === "mouse" && this.showPointer((this.activeColumn = column)),
      onpointerleave: () => this.showPointer((this.activeColumn = null)),
    });
    return made;
  }

  /**
   * Show a position. A new move is animated: its piece falls, then its fours are drawn and counted one after the other.
   * @param {BoardState} state
   * @param {boolean} enabled whether the user may move
   */
  update(state, enabled) {
    const before = this.state, same = before !== null && isSamePosition(before, state);
    const move = before !== null && isNextPosition(before, state) ? state.last : null;
    if (!same) {
      this.settle();
      this.showReason(null);
    }
    this.state = state;
    this.enabled = enabled && !state.over;
    const times = this.drawing.update(state, move);
    if (move && before) this.animate(move, times, before.points);
    else if (!same) {
      this.points = state.points;
      this.gains.replaceChildren();
      this.confetti.replaceChildren();
    }
    this.preview([]);
    this.updateLabels();
    this.showPointer(this.activeColumn);
  }

  /** Send the events of a move's animation. @param {PlayedMove} move @param {MoveTimes} times @param {[number, number]} points before the move */
  animate(move, times, points) {
    /** @type {number[]} */
    const timers = [];
    const at = (/** @type {number | undefined} */ time, /** @type {() => void} */ action) => time ? timers.push(setTimeout(action, time)) : action();
    let fours = 0;
    const send = (/** @type {string} */ type) => this.dispatchEvent(new CustomEvent(type, { detail: { move, fours } }));
    this.points = times.end ? [...points] : move.points;
    this.settled = new Promise((resolve) => {
      this.settle = () => {
        timers.forEach(clearTimeout);
        this.points = move.points;
        this.settle = () => {};
        this.settled = null;
        send("settled");
        resolve();
      };
    });
    at(times.landing, () => send("land"));
    move.fours.forEach((four, index) => at(times.fours[index], () => {
      fours = index + 1;
      const side = move.player - 1, reached = (this.points[side] ?? 0) + Number(times.end > 0);
      if (times.end) this.points = side ? [this.points[0], reached] : [reached, this.points[1]];
      this.showGain(four, move.player);
      send("four");
    }));
    at(times.end, () => this.settle());
  }

  /** Show "+1" at a four for a moment. @param {Cell[]} four @param {number} player */
  showGain(four, player) {
    if (reducedMotion.matches) return;
    const [first, last] = [four[0], four[3]].map((cell) => centre(/** @type {Cell} */ (cell))), x = ((first?.[0] ?? 0) + (last?.[0] ?? 0)) / 2, y = ((first?.[1] ?? 0) + (last?.[1] ?? 0)) / 2;
    const text = svgElement("text", { class: COLOURS[player - 1], x, y }, "+1");
    this.gains.append(text);
    text.animate([{ opacity: 0, transform: "translateY(20px)" }, { opacity: 1, transform: "none", offset: 0.25 }, { opacity: 0, transform: "translateY(-40px)" }],
      { duration: 900, fill: "forwards" }).addEventListener("finish", () => text.remove());
  }

  /** Let small discs of the winner's colour rain. @param {number} winner */
  celebrate(winner) {
    if (reducedMotion.matches) return;
    const discs = Array.from({ length: CONFETTI }, (_, index) => {
      const x = (index + Math.random()) * WIDTH * CELL / CONFETTI, drift = 160 * (Math.random() - 0.5);
      const disc = svgElement("circle", { class: index % 3 ? COLOURS[winner - 1] : "", cx: x, cy: -20, r: 7 + 7 * Math.random() });
      disc.animate([{ transform: "none", opacity: 1 }, { opacity: 1, offset: 0.7 }, { transform: `translate(${drift}px, ${HEADROOM + HEIGHT * CELL}px)`, opacity: 0 }],
        { duration: 1300 + 900 * Math.random(), delay: 350 * Math.random(), easing: "cubic-bezier(.3, .1, .8, .9)", fill: "both" })
        .addEventListener("finish", () => disc.remove());
      return disc;
    });
    this.confetti.replaceChildren(...discs);
  }

  /** Show the next moves of a line, numbered. @param {PlayedMove[]} moves */
  preview(moves) {
    this.previewGroup.replaceChildren(...moves.map((move, index) =>
      placeAt(svgElement("g", { class: "preview-piece" }, pieceShape(move.player), svgElement("text", { y: 2 }, `${index + 1}`)), [move.column, move.row])));
  }

  /**
   * Mark the four of a reason, and in the position after a mistake the reply that leads to it, or the better move.
   * @param {Reason | null} reason
   * @param {boolean} [played] whether the move of the reason has been made
   */
  showReason(reason, played = false) {
    const [first, last] = [reason?.four[0], reason?.four[3]];
    if (!reason || !first || !last) return this.reasonMarks.replaceChildren();
    const colour = COLOURS[(reason.scorer ?? 1) - 1], ends = { x1: 0, y1: 0, x2: CELL * (last[0] - first[0]), y2: CELL * (first[1] - last[1]) };
    const cells = reason.four.map((cell) => {
      const completes = reason.cell?.join() === cell.join();
      return placeAt(svgElement("circle", { class: completes ? "completing" : "", r: completes ? 34 : 45 }), cell);
    });
    const line = placeAt(svgElement("g", {}, svgElement("line", { class: "edge", ...ends }), svgElement("line", ends)), first);
    const column = (reason.better === reason.line[0] ? reason.better : reason.line[1]) ?? 0, missed = column === reason.better;
    const mark = played && reason.better !== null ? [placeAt(svgElement("g", { class: missed ? "better" : "reply" }, svgElement("circle", { r: 21 }),
      svgElement("path", { d: missed ? "M-9 0l6 7L9-8" : "M0-11V3M0 9v1" })), [column, this.columnHeight(column) + 1])] : [];
    this.reasonMarks.replaceChildren(svgElement("g", { class: `reason ${colour}` }, line, ...cells), ...mark);
  }

  /** Show a value under each column. @param {(Bounds | null)[]} values empty to show none @param {number[]} [best] */
  showValues(values, best = []) {
    this.values = values;
    this.valueCells.forEach((cell, index) => {
      const value = values[index];
      const long = value && value.label.length > MAX_LABEL_LENGTH;
      cell.className = `${value ? value.tone : ""}${long ? " long" : ""}${best.includes(index + 1) ? " best" : ""}`;
      /** @type {HTMLElement} */ (cell.lastElementChild).textContent = withMinusSigns(value?.label ?? "");
    });
    this.best = best;
    this.updateLabels();
  }

  /** Mark the column of a hint. @param {number | null} column */
  showHint(column) {
    this.valueCells.forEach((cell, index) => cell.classList.toggle("hinted", index + 1 === column));
    if (!column || !this.state) return this.hintMarker.replaceChildren();
    const arrow = svgElement("path", { d: "M-22-24h44L0 20z", transform: `translate(${(column - 0.5) * CELL} ${HEADROOM / 2})` });
    this.hintMarker.replaceChildren(arrow, placeAt(svgElement("circle", { r: 45 }), [column, this.columnHeight(column) + 1]));
  }

  /** Show the next piece above this column, and the cell where it would land. @param {number | null} column */
  showPointer(column) {
    const state = this.state;
    if (!column || !state || !this.enabled || !state.columns.includes(column)) return this.pointer.replaceChildren();
    const player = state.tool ?? state.toMove;
    const top = this.columnHeight(column);
    if (!player) return this.pointer.replaceChildren(placeAt(svgElement("path", { class: "erase", d: "M-30-30l60 60m0-60l-60 60" }), [column, top]));
    const waiting = svgElement("g", { transform: `translate(${(column - 0.5) * CELL} ${HEADROOM / 2}) scale(.84)` }, pieceShape(player));
    const landing = placeAt(svgElement("circle", { class: `landing ${COLOURS[player - 1]}`, r: 38 }), [column, top + 1]);
    this.pointer.replaceChildren(waiting, landing);
  }

  /** The number of pieces in a column. @param {number} column */
  columnHeight(column) {
    return this.state?.cells.filter((cells) => cells[column - 1] !== "0").length ?? 0;
  }

  updateLabels() {
    const state = this.state;
    if (!state) return;
    this.columns.forEach((each, index) => {
      const stack = state.cells.map((row) => row[index]).filter((cell) => cell !== "0");
      const top = colourName(stack[0] === "1" ? 1 : 2);
      const value = this.values[index];
      const parts = [
        t("Column {column}", { column: index + 1 }),
        stack.length ? tn(stack.length, "{count} piece, {colour} on top", "{count} pieces, {colour} on top", { colour: top }) : t("empty"),
        ...(stack.length === HEIGHT ? [t("full")] : []),
        ...(value ? [!/^\p{L}/u.test(value.label) ? t("value {value}", { value: withMinusSigns(value.label) }) : withMinusSigns(value.label)] : []),
        ...(value && this.best?.includes(index + 1) ? [t("best")] : []),
      ];
      each.setAttribute("aria-label", parts.join(", "));
      each.setAttribute("aria-disabled", `${!this.enabled || !state.columns.includes(index + 1)}`);
    });
  }

  /** Move the keyboard focus to a column. @param {number} column */
  focusColumn(column) {
    this.columns.forEach((each, index) => (each.tabIndex = index + 1 === column ? 0 : -1));
    this.columns[column - 1]?.focus();
  }

  /** @param {KeyboardEvent} event */
  handleKey(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const at = this.columns.findIndex((each) => each === event.target) + 1;
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 1, End: WIDTH }[event.key];
    if (event.key === "ArrowDown") event.repeat || this.columns[at - 1]?.click();
    else if (event.key === "Enter" && event.repeat) event.preventDefault(); // holding the key makes only one move
    else if (to !== undefined) this.focusColumn(Math.max(1, Math.min(to, WIDTH)));
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

/** @param {BoardState} before @param {BoardState} after */
function isSamePosition(before, after) {
  const a = before.last, b = after.last;
  return before.cells.join() === after.cells.join() && a?.column === b?.column && a?.row === b?.row;
}

/** Whether the last move of a position leads to it from another one. @param {BoardState} before @param {BoardState} after */
function isNextPosition(before, { cells, last }) {
  const digits = before.cells.join(""), changed = [...cells.join("")].filter((digit, index) => digit !== digits[index]);
  return last !== null && changed.length === 1 && before.cells[HEIGHT - last.row]?.[last.column - 1] === "0";
}

/** @param {number} column */
function valueCell(column) {
  return element("div", {}, element("b", {}, `${column}`), element("span"));
}
