// What the shown position is worth, in words, and how far that is known.

import { emblem } from "./board.js";
import { NAMES } from "./desk.js";
import { button, element, minus, sentence } from "./elements.js";

/** @import { Analysis, Margin } from "./types.js" */
/** @import { Desk } from "./desk.js" */

const counted = new Intl.NumberFormat("en-GB", { notation: "compact", compactDisplay: "long" });

export class Verdict {
  /** @param {Desk} desk */
  constructor(desk) {
    this.desk = desk;
    this.worth = element("p", { class: "worth" });
    // Only what is final is said aloud: bounds that close in would never let a screen reader finish.
    this.words = element("p", { class: "words", role: "status", tabindex: -1 });
    this.progress = element("progress", { "aria-label": "Columns that are settled" });
    this.facts = element("p", { class: "hint" });
    this.again = button("Try again", () => { this.words.focus(); desk.analysing.refresh(); });
    this.element = element("div", { class: "verdict" },
      this.worth, element("div", {}, this.words, this.facts, this.progress, this.again));
    desk.analysing.addEventListener("change", () => this.draw());
  }

  draw() {
    const { latest, finished, problem } = this.desk.analysing;
    const { state, position } = this.desk.showing;
    this.drawWorth(latest?.value);
    this.words.textContent = sentence(problem) || (state.over ? (position.result ?? "") : finished ? (latest?.words ?? "") : "");
    this.words.classList.toggle("problem", Boolean(problem));
    this.facts.textContent = state.over || problem ? "" : finished && latest ? whence(latest) : howFar(latest);
    this.progress.hidden = state.over || finished || Boolean(problem);
    this.progress.max = state.columns.length || 1;
    this.progress.value = latest ? settled(latest) : 0;
    this.again.hidden = !problem;
  }

  /** @param {Margin} [value] */
  drawWorth(value) {
    const { toMove, over } = this.desk.showing.state;
    this.worth.hidden = over;
    this.worth.className = `worth ${value?.tone ?? "unknown"}${value && value.label.length > 4 ? " long" : ""}`;
    this.worth.replaceChildren(emblem(toMove), element("span", { class: "aside" }, `For ${NAMES[toMove - 1]?.toLowerCase()}: `),
      element("b", {}, minus(value?.label ?? "…")));
  }
}

/** How many columns are settled. @param {Analysis} analysis */
function settled({ columns }) {
  return columns.filter((margin) => margin && margin.score !== null).length;
}

/** @param {Analysis | null} analysis */
function howFar(analysis) {
  if (!analysis) return "Looking …";
  const open = analysis.columns.filter(Boolean).length;
  if (settled(analysis) === open) return `Every column is settled; looking for the best line, ${cost(analysis)} so far`;
  return `${settled(analysis)} of ${open} columns settled, ${cost(analysis)} so far`;
}

/** @param {Analysis} analysis */
function whence(analysis) {
  return analysis.source === "book" ? "From the opening book." : `Searched ${cost(analysis)}.`;
}

/** @param {Analysis} analysis */
function cost({ nodes, seconds }) {
  const time = seconds < 0.05 ? "" : ` in ${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
  return `${counted.format(nodes)} nodes${time}`;
}
