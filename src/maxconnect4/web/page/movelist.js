// The moves of a game as a list, red's on the left and green's on the right.

import { emblem } from "./board.js";
import { element } from "./elements.js";

/** @import { Position, Review } from "./types.js" */

export class MoveList {
  /** @param {(at: number) => void} ongoto */
  constructor(ongoto) {
    this.ongoto = ongoto;
    /** @type {HTMLElement[]} */
    this.entries = [];
    this.at = 0;
    this.element = element("ol", { class: "movelist", "aria-label": "Moves", onkeydown: (event) => this.key(event) });
  }

  /**
   * @param {Position} position
   * @param {Review | null} review null as long as it is not known
   * @param {(at: number) => string} words for each move
   */
  show({ drops, game }, review, words) {
    const visible = drops.map((drop, index) => {
      const { given_away: lost = 0, mistake = false } = review?.moves[index] ?? {};
      const wins = ((review?.values[index + 1] ?? 0) > 0) === (drop.player === 1);
      return [
        element("i", {}, `${drop.number}`), emblem(drop.player), element("b", {}, `${drop.column}`),
        drop.fours.length && game === "max" ? `+${drop.fours.length}` : "",
        mistake ? element("b", { class: "lost" }, `${drop.player === 1 ? "▼" : "▲"}${game === "max" ? lost : ""}`) : "",
        lost && !mistake ? element("small", { class: "slower" }, `${lost} ${wins ? "later" : "sooner"}`) : ""];
    });
    this.entries = [["The beginning"], ...visible].map((children, at) =>
      element("button", { type: "button", onclick: () => this.ongoto(at) },
        element("span", { class: "aside" }, words(at)), element("span", { "aria-hidden": "true" }, ...children)));
    const kinds = ["beginning", ...drops.map((drop) => (drop.player === 1 ? "red" : "green"))];
    this.element.replaceChildren(...this.entries.map((entry, at) => element("li", { class: kinds[at] }, entry)));
  }

  /**
   * Mark the move that the board shows; the keyboard stays on it if it was in the list.
   * @param {number} at
   * @param {boolean} away whether a branch has left the game there
   */
  goto(at, away) {
    const { element: list } = this, current = this.entries[at], within = list.contains(document.activeElement);
    this.at = at;
    list.classList.toggle("away", away);
    this.entries.forEach((each) => {
      each.tabIndex = each === current ? 0 : -1;
      each.setAttribute("aria-current", `${each === current}`);
    });
    if (!current) return;
    if (within) current.focus({ preventScroll: true });
    const { offsetTop: top, offsetHeight: height } = current; // the list scrolls, but not the page
    list.scrollTop = Math.max(top + height + 8 - list.clientHeight, Math.min(list.scrollTop, top - 8));
  }

  /** Up and down go from row to row. @param {KeyboardEvent} event */
  key(event) {
    const step = { ArrowUp: -2, ArrowDown: 2 }[event.key];
    if (!step) return;
    event.preventDefault();
    this.ongoto(Math.max(0, Math.min(this.at + step, this.entries.length - 1)));
  }
}
