// The first lesson: the rules, points and one threat, on the board. It starts on the first visit and can be skipped.

import { fetchPosition, withErrorHandling } from "./api.js";
import { button, element } from "./elements.js";
import { saveSetting } from "./settings.js";
import { t } from "./translations.js";

/** @import { App } from "./app.js" */

/**
 * A step of the lesson: a position, the columns that solve it (any if the list is empty), and its texts.
 * @typedef {{ moves: string, columns: number[], title: string, task: string, done: string }} LessonStep
 */

/** @returns {LessonStep[]} */
function lessonSteps() {
  return [
    {
      moves: "", columns: [], title: t("Drop a piece"),
      task: t("You play red. Choose a column: your piece falls to its lowest free cell."),
      done: t("Well done. Red and green take turns until the board is full."),
    },
    {
      moves: "112233", columns: [4], title: t("Score a point"),
      task: t("Four of your pieces in a row are a point: horizontal, vertical or diagonal. Complete the row at the bottom."),
      done: t("Four in a row: one point for you."),
    },
    {
      moves: "11223347", columns: [5], title: t("Score again"),
      task: t("The game goes on after a four, and every four counts. Make the row longer."),
      done: t("A row of five contains two fours: you have two points."),
    },
    {
      moves: "717263", columns: [4], title: t("Stop a threat"),
      task: t("Green has three in a row and a free cell beside them: a threat. Green would score with the next move. Block it."),
      done: t("Blocked. Look for threats of the other player before every move, and make your own."),
    },
  ];
}

/** The lesson, in the Learn panel. */
export class Lesson {
  /** @param {App} app @param {(panel: string) => void} onEnd called with the panel to show next */
  constructor(app, onEnd) {
    this.app = app;
    this.onEnd = onEnd;
    /** @type {LessonStep[]} */
    this.steps = [];
    this.at = 0;
    this.done = false;
    this.title = element("h2", { tabindex: -1 });
    this.progress = element("p", { class: "hint" });
    this.text = element("p", { class: "lesson-text", role: "status" });
    this.nextButton = button(t("Continue"), () => this.showStep(this.at + 1), { class: "primary" });
    this.playButton = button(t("Play a game"), () => this.end("play"), { class: "primary" });
    this.puzzleButton = button(t("Try a puzzle"), () => this.end("puzzles"));
    this.skipButton = button(t("Skip the lesson"), () => this.end("play"));
    this.element = element("div", { class: "lesson" }, this.title, this.text,
      element("div", { class: "controls" }, this.nextButton, this.playButton, this.puzzleButton, this.skipButton), this.progress);
  }

  get step() {
    return this.steps[this.at];
  }

  start() {
    this.steps = lessonSteps();
    return this.showStep(0);
  }

  /** @param {number} at the index of the step; after the last one the lesson is over */
  async showStep(at) {
    this.at = at;
    this.done = false;
    const { step } = this, last = !step;
    this.title.textContent = step?.title ?? t("You know the rules");
    this.text.textContent = step?.task ?? t("When the board is full, the player with more points wins. In the classic game, the first four wins.");
    this.progress.textContent = step ? t("Step {number} of {total}", { number: at + 1, total: this.steps.length }) : "";
    this.nextButton.hidden = true;
    this.playButton.hidden = this.puzzleButton.hidden = !last;
    this.skipButton.hidden = last;
    if (last) saveSetting("lesson", "seen");
    if (last) this.title.focus({ preventScroll: true });
    if (step) await withErrorHandling(async () => this.app.positionState.show(await fetchPosition({ game: "max", start: null, moves: step.moves })), (message) => this.app.showStatus(message, "error"));
    if (this.at === at) this.app.showStatus(this.text.textContent ?? "");
  }

  canMove() {
    return this.step !== undefined && !this.done;
  }

  /** @param {number} column */
  async drop(column) {
    const { step } = this;
    if (!step || this.done) return;
    if (step.columns.length && !step.columns.includes(column)) {
      this.text.textContent = t("Not there. Look at the marked cell.");
      return this.app.boardView.showHint(step.columns[0] ?? null);
    }
    this.done = true;
    this.text.textContent = step.done;
    this.nextButton.hidden = false;
    await withErrorHandling(() => this.app.positionState.tryMove(column), (message) => this.app.showStatus(message, "error"));
    this.app.showStatus(step.done);
    this.nextButton.focus({ preventScroll: true });
  }

  /** @param {string} panel to show next */
  end(panel) {
    saveSetting("lesson", "seen");
    this.onEnd(panel);
  }
}
