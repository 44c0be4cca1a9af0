// A walk through a game: back and forth, from mistake to mistake, off it and back again.

import { ask, naming } from "./api.js";
import { emblem } from "./board.js";
import { NAMES } from "./desk.js";
import { allow, button, byId, element, sentence, shape } from "./elements.js";
import { MarginGraph } from "./graph.js";
import { MoveList } from "./movelist.js";
import { Reviewing } from "./reviewing.js";

/** @import { Analysis, Player, Position, Summary } from "./types.js" */
/** @import { ReviewPanel } from "./review.js" */

const SHOWN = 8; // drops of a better line that are hinted at on the board: more than these nobody takes in
const STEPS = Object.entries({
  "First (Home)": "M4 3v12M14 3v12l-8-6z",
  "Back (←)": "M12 3v12l-8-6z",
  "Forward (→)": "M6 3v12l8-6z",
  "Last (End)": "M14 3v12M4 3v12l8-6z",
});

export class Walk {
  /** @param {ReviewPanel} panel */
  constructor(panel) {
    const desk = panel.desk;
    this.panel = panel;
    this.desk = desk;
    /** The game; the board may show a branch off it. */
    this.position = desk.showing.position;
    /** The mistake for which something better is shown, as a number of moves. @type {number | null} */
    this.better = null;
    /** The branch that is drawn. @type {Position | null} */
    this.branched = null;
    this.said = "";
    this.turn = 0; // what was asked in an earlier turn does not count any more
    this.reviewing = new Reviewing();
    this.graph = new MarginGraph((at) => this.goto(at));
    this.list = new MoveList((at) => this.visit(at));
    this.steps = STEPS.map(([words, path], index) => {
      const made = button("", () => this.step(index), { "aria-label": words, title: words });
      made.append(shape("svg", { viewBox: "0 0 18 18", "aria-hidden": "true" }, shape("path", { d: path })));
      return made;
    });
    this.slider = element("input", { type: "range", min: 0, "aria-label": "Move", oninput: () => desk.showing.goto(Number(this.slider.value)) });
    this.branch = element("div", { class: "branch" });
    this.before = button("Previous mistake", () => this.gotoMistake(-1));
    this.after = button("Next mistake", () => this.gotoMistake(1));
    this.show = button("", () => this.toggleBetter());
    this.mistakes = element("div", { class: "mistakes" }, this.before, this.after, this.show);
    this.notice = element("p", { class: "hint", role: "status" });
    this.again = button("Try again", () => { panel.title.focus(); this.reviewing.begin(this.position); });
    this.bar = element("progress");
    this.progress = element("label", { class: "progress" }, "Looking for mistakes", this.bar);
    this.caption = element("figcaption", { class: "hint" });
    this.figure = element("figure", {}, this.graph.element, this.progress, this.caption);
    this.summaries = element("div", { class: "summaries" });
    this.element = element("div", { class: "walk" },
      element("div", { class: "stepping" }, ...this.steps.slice(0, 2), this.slider, ...this.steps.slice(2)),
      this.branch, this.mistakes, this.notice, this.again, this.figure, this.list.element, this.summaries);
    this.reviewing.addEventListener("change", () => this.drawReview());
    desk.showing.addEventListener("change", () => desk.current === "review" && panel.open() && this.drawStep());
  }

  /** Walk through another game. @param {Position} position @param {number} [at] */
  begin(position, at) {
    this.position = position;
    this.reviewing.review = null;
    this.desk.showing.show(position, at);
    this.reviewing.begin(position);
  }

  /** Forget what is under way. */
  end() {
    this.reviewing.stop();
    this.forgetBetter();
  }

  // Where on the way

  get at() {
    return this.desk.showing.at;
  }

  /** Whether the board shows a branch off the game. */
  get away() {
    return this.desk.showing.position !== this.position;
  }

  /** How many moves the game has in common with what the board shows. */
  get common() {
    const { moves } = this.desk.showing.position;
    let count = 0;
    while (count < moves.length && moves[count] === this.position.moves[count]) count++;
    return count;
  }

  /** To a move of the game, from wherever. @param {number} at */
  goto(at) {
    if (this.away) this.desk.showing.show(this.position, at);
    else this.desk.showing.goto(at);
  }

  /** To a move of the game, and look at the board. @param {number} at */
  visit(at) {
    this.goto(at);
    byId("table").scrollIntoView({ block: "nearest" });
  }

  /** Take one of the steps, on the game or the branch. @param {number} index */
  step(index) {
    const last = this.desk.showing.position.drops.length;
    this.desk.showing.goto([0, Math.max(0, this.at - 1), Math.min(last, this.at + 1), last][index] ?? 0);
  }

  comeBack() {
    this.goto(Math.min(this.common, this.at));
  }

  /** The mistake before or after this move, as a number of moves. @param {number} way */
  mistake(way) {
    const from = this.better ?? Math.min(this.at, this.common);
    const all = (this.reviewing.review?.moves ?? []).flatMap((move, index) => (move.mistake ? [index + 1] : []));
    return way > 0 ? all.find((at) => at > from) : all.findLast((at) => at < from);
  }

  /** @param {number} way */
  gotoMistake(way) {
    const at = this.mistake(way);
    if (at) this.visit(at);
  }

  // What would have been better

  async toggleBetter() {
    const at = this.better ?? this.at, move = this.reviewing.review?.moves[at - 1];
    if (this.better !== null) return this.goto(at);
    if (!move?.given_away || this.away) return;
    this.better = at;
    const turn = ++this.turn;
    this.visit(at - 1);
    /** @type {Analysis | undefined} */
    const analysis = await this.panel.careful(() => ask(`/analysis?${naming(this.desk.showing.named)}`));
    if (!analysis || turn !== this.turn) return;
    this.desk.view.showMargins(analysis.columns, analysis.best);
    this.desk.say(`Move ${move.number}, instead of column ${move.column}. ${analysis.words}`);
    await this.desk.showing.preview(analysis.line?.slice(0, SHOWN) ?? `${move.best[0]}`);
  }

  forgetBetter() {
    this.turn++;
    if (this.better !== null && !this.desk.analysing.on) this.desk.view.showMargins([]);
    this.better = null;
  }

  // What is drawn

  drawReview() {
    const { review, done, total, problem } = this.reviewing, { position } = this;
    this.progress.hidden = !total;
    this.bar.max = total || 1;
    this.bar.value = done;
    if (done) return; // the rest is as it was
    this.again.hidden = !problem;
    this.notice.textContent = sentence(problem);
    this.caption.replaceChildren(element("span", { class: "perfect" }, "with perfect play"),
      ...(position.game === "max" ? [element("span", { class: "scored" }, "points so far"), "▼▲ given away"] : ["▼▲ mistake"]));
    this.graph.show(position, review);
    this.list.show(position, review, (at) => this.words(at, position));
    this.summaries.replaceChildren(...(review?.players ?? []).map((player, index) => this.summary(player, index)));
    this.drawStep(byId("status").textContent === this.said);
  }

  /** The board shows another move. @param {boolean} [aloud] unless something else has been said that matters more */
  drawStep(aloud = true) {
    const { at, away, common } = this, { position } = this.desk.showing, last = position.drops.length;
    if (away && common === last) return this.goto(at); // a branch that is none
    if (away || at + 1 !== this.better) this.forgetBetter();
    this.graph.goto(Math.min(at, common), away);
    this.list.goto(Math.min(at, common), away);
    this.slider.max = `${last}`;
    this.slider.value = `${at}`;
    this.slider.setAttribute("aria-valuetext", at ? `${position.drops[at - 1]?.number} of ${position.drops.at(-1)?.number}` : "the beginning");
    this.show.textContent = this.better === null ? "Show me the better move" : "Back to the move";
    const wrong = !away && this.reviewing.review?.moves[at - 1]?.given_away;
    const possible = [at, at, at < last, at < last, this.mistake(-1), this.mistake(1), wrong || this.better];
    [...this.steps, this.before, this.after, this.show].forEach((each, index) => allow(each, Boolean(possible[index])));
    this.drawBranch();
    this.said = this.better === null ? this.words(at, position) : "Looking for the better move …";
    if (aloud) this.desk.say(this.said);
  }

  drawBranch() {
    const { common, away, at } = this, { position } = this.desk.showing, drops = position.drops.slice(common);
    this.branch.hidden = !away;
    if (position !== this.branched) {
      const within = this.branch.contains(document.activeElement);
      const number = this.position.drops[common - 1]?.number;
      this.branched = position;
      this.branch.replaceChildren(
        element("p", {}, number ? `You have left the game after move ${number}.` : "You have left the game at its beginning."),
        element("div", { class: "line" }, ...drops.map((drop, index) => {
          const made = button(`${drop.column}`, () => this.desk.showing.goto(common + index + 1), { "aria-label": drop.words });
          made.prepend(emblem(drop.player));
          return made;
        })),
        element("div", { class: "controls" },
          button("Come back", () => this.comeBack(), { title: "Back to the game (Esc)", class: "primary" }),
          button("Keep it as a game", () => this.panel.keep(position))));
      if (within) (away ? this.branch.querySelector("button") : this.panel.title)?.focus({ preventScroll: true });
    }
    this.branch.querySelectorAll(".line button").forEach((each, index) => each.setAttribute("aria-current", `${index === at - common - 1}`));
  }

  /** How well somebody played. @param {Summary} summary @param {number} index */
  summary({ words, worst }, index) {
    const pieces = (this.position.drops[0]?.number ?? 1) - 1; // that were there before
    return element("div", {},
      element("h3", {}, emblem(/** @type {Player} */ (index + 1)), this.panel.names()[index] ?? ""), element("p", {}, words.replaceAll(" %", "\u00a0%")),
      worst === null ? "" : button(`Worst: move ${worst}`, () => this.visit(worst - pieces)));
  }

  /** What there is to say of a move of the game, or of a branch off it. @param {number} at @param {Position} position */
  words(at, position) {
    const drop = position.drops[at - 1];
    if (!drop) return `The beginning. ${NAMES[position.begin.to_move - 1]} is to move.`;
    const reviewed = at > this.common && position !== this.position ? null : this.reviewing.review?.moves[at - 1];
    return `Move ${drop.number}: ${reviewed?.words ?? drop.words} ${at === position.drops.length && position.result || ""}`.trim();
  }
}
