// The best line: a row of small buttons that show it on the board, and play it.

import { carefully } from "./api.js";
import { emblem } from "./board.js";
import { NAMES } from "./desk.js";
import { byId, element } from "./elements.js";

/** @import { Player } from "./types.js" */
/** @import { Desk } from "./desk.js" */

export class BestLine {
  /** @param {Desk} desk */
  constructor(desk) {
    this.desk = desk;
    this.line = "";
    /** Whether the keyboard was on the line before. */
    this.waited = false;
    this.row = element("div", {
      class: "line", role: "toolbar", "aria-label": "Best line",
      onclick: (event) => this.play(this.upTo(event)),
      onpointerover: (event) => event.pointerType === "mouse" && this.preview(this.upTo(event)),
      onpointerleave: () => this.preview(0),
      onfocusin: (event) => this.preview(this.upTo(event)),
      onfocusout: () => this.preview(0),
      onkeydown: (event) => this.key(event),
    });
    this.element = element("div", {},
      element("h2", {}, "Best line"), this.row,
      element("p", { class: "hint with-mouse" }, "Point at a move to see the line up to it, click to play it."));
    desk.analysing.addEventListener("change", () => this.draw());
  }

  /** While the next line is searched the old one stays, faded, so that nothing jumps. */
  draw() {
    const { latest, finished } = this.desk.analysing;
    const { toMove, over } = this.desk.showing.state;
    this.line = (finished && latest?.line) || "";
    this.element.hidden = over || (!this.line && finished); // where nobody knows one
    this.waited ||= this.row.contains(document.activeElement);
    this.row.inert = !this.line;
    if (over && this.waited) byId("tab-analyse").focus(); // the line has been played to its end
    if (over) this.waited = false;
    if (!this.line) return;
    this.row.replaceChildren(...[...this.line].map((column, index) => {
      const player = /** @type {Player} */ ((toMove + index + 1) % 2 + 1);
      return element("button", {
        type: "button", "data-length": index + 1, tabindex: index ? -1 : 0,
        "aria-label": `${index + 1}: ${NAMES[player - 1]} in column ${column}`,
      }, emblem(player), column);
    }));
    if (this.waited && document.activeElement === document.body) this.focus(1, true);
    this.waited = false;
  }

  /** How long the line is up to the button that this is about, 0 if it is about none. @param {Event} event */
  upTo(event) {
    const chosen = /** @type {HTMLElement} */ (event.target).closest("button");
    return Number(chosen?.dataset.length ?? 0);
  }

  /** @param {number} length */
  preview(length) {
    if (this.line) this.desk.showing.preview(this.line.slice(0, length)).catch(() => {}); // no preview without a server
  }

  /** @param {number} length */
  async play(length) {
    if (!length) return;
    byId("table").scrollIntoView({ block: "nearest" }); // on a phone the board may be out of sight
    await carefully(() => this.desk.showing.follow(this.line.slice(0, length)), (words) => this.desk.say(words, "problem"));
  }

  /** @param {number} length @param {boolean} [preventScroll] */
  focus(length, preventScroll = false) {
    const steps = /** @type {HTMLElement[]} */ ([...this.row.children]);
    for (const step of steps) step.tabIndex = step.dataset.length === `${length}` ? 0 : -1;
    steps[length - 1]?.focus({ preventScroll });
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const at = this.upTo(event);
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 1, End: this.line.length }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.focus(Math.max(1, Math.min(to, this.line.length)));
  }
}
