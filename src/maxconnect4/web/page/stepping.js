// Going through a search step by step: the buttons, the slider, and what happens in words.

import { allow, button, element } from "./elements.js";

/** @import { Visits } from "./visits.js" */

const WHOLE = 60_000, SLOWEST = 900, QUICKEST = 60; // milliseconds for the whole search, and between steps
const LEGIBLE = 300; // a step that takes less is over before the board has shown it

export class Stepping {
  /** @param {() => void} moved another moment is to be shown */
  constructor(moved) {
    this.moved = moved;
    /** @type {Visits | null} */
    this.visits = null;
    this.moment = 0;
    this.playing = 0;
    this.start = button("First", () => this.go(0), { title: "Before the search" });
    this.back = button("Back", () => this.go(this.moment - 1), { title: "One step back (←)" });
    this.step = button("Forward", () => this.go(this.moment + 1), { title: "One step forward (→)" });
    this.cut = button("Next cut", () => this.go(this.nextCut()), { title: "On to where branches are cut off" });
    this.end = button("Last", () => this.go(Infinity), { title: "After the search" });
    this.play = button("Run", () => this.togglePlay(), { class: "primary" });
    this.slider = element("input", { type: "range", min: 0, "aria-label": "Step of the search", oninput: () => this.go(Number(this.slider.value)) });
    this.words = element("p", { class: "step-words", role: "status" });
    this.element = element("div", { class: "search-steps" },
      element("div", { class: "controls" }, this.play, this.start, this.back, this.step, this.cut, this.end),
      this.slider, this.words);
  }

  /** Another search, which is over; or none. @param {Visits | null} visits */
  take(visits) {
    this.pause();
    this.visits = visits;
    if (visits) this.slider.max = `${visits.length}`;
    this.go(Infinity);
  }

  get over() {
    return this.moment === this.visits?.length;
  }

  /** Whether one step follows the other too fast for the board. */
  get hurried() {
    return this.playing !== 0 && this.pace < LEGIBLE;
  }

  get pace() {
    return Math.max(QUICKEST, Math.min(SLOWEST, WHOLE / (this.visits?.length ?? 1)));
  }

  /** Show the search at a moment. @param {number} moment */
  go(moment) {
    const visits = this.visits;
    if (!visits) return;
    this.moment = Math.max(0, Math.min(moment, visits.length));
    this.slider.value = `${this.moment}`;
    this.slider.setAttribute("aria-valuetext", `Step ${this.moment} of ${visits.length}`);
    this.words.textContent = `Step ${this.moment} of ${visits.length}. ${visits.words(this.moment)}`;
    for (const each of [this.start, this.back]) allow(each, this.moment > 0);
    for (const each of [this.step, this.end]) allow(each, !this.over);
    allow(this.cut, this.nextCut() < Infinity);
    this.moved();
  }

  /** The next moment at which something is cut off. */
  nextCut() {
    const at = this.visits?.all.findIndex((visit, index) => index >= this.moment && visit.kind === "cut") ?? -1;
    return at < 0 ? Infinity : at + 1;
  }

  togglePlay() {
    if (this.playing) return this.pause();
    if (this.over) this.go(0);
    this.words.setAttribute("aria-live", "off"); // nobody can listen that fast
    this.play.textContent = "Pause";
    this.playing = setInterval(() => {
      this.go(this.moment + 1);
      if (this.over) this.pause();
    }, this.pace);
  }

  pause() {
    clearInterval(this.playing);
    this.playing = 0;
    this.play.textContent = "Run";
    this.words.removeAttribute("aria-live");
  }
}
