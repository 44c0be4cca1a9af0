// The review of a game: steps, mistakes, better moves, branches, and the list of moves.

import { ReviewClient } from "./analysis_client.js";
import { positionQuery, request } from "./api.js";
import { pieceIcon } from "./board_drawing.js";
import { describeAnalysis, reviewedMoveText, summaryText } from "./descriptions.js";
import { button, byId, element, setEnabled, svgElement, toSentence } from "./elements.js";
import { boardStateAt } from "./position_state.js";
import { storeMistakes } from "./puzzle_panel.js";
import { ReviewPlot } from "./review_plot.js";
import { t } from "./translations.js";

/** @import { ReviewPanel } from "./review_panel.js" */
/** @import { Analysis, Player, Position, Review, PlayerReview } from "./types.js" */

const PREVIEW_LENGTH = 8; // moves of a better line that are previewed on the board
const STEPS = Object.entries({
  [t("First (Home)")]: "M4 3v12M14 3v12l-8-6z",
  [t("Back (←)")]: "M12 3v12l-8-6z",
  [t("Forward (→)")]: "M6 3v12l8-6z",
  [t("Last (End)")]: "M14 3v12M4 3v12l8-6z",
});

export class ReviewView {
  /** @param {ReviewPanel} panel */
  constructor(panel) {
    const app = panel.app;
    this.panel = panel;
    this.app = app;
    /** The game. The board may show a branch of it. */
    this.position = app.positionState.position;
    /** The ply of the move for which a better one is shown. @type {number | null} */
    this.betterPly = null;
    /** The branch that is drawn. @type {Position | null} */
    this.drawnBranch = null;
    this.lastStatus = "";
    this.revision = 0; // counts requests, so that late responses are ignored
    this.client = new ReviewClient();
    this.branchClient = new ReviewClient(); // the verdicts of the moves of a branch
    this.verdict = element("p");
    this.plot = new ReviewPlot((at) => this.goTo(at));
    this.moveList = new MoveList((at) => this.jumpTo(at));
    this.stepButtons = STEPS.map(([label, path], index) => {
      const made = button("", () => this.takeStep(index), { "aria-label": label, title: label });
      made.append(svgElement("svg", { viewBox: "0 0 18 18", "aria-hidden": "true" }, svgElement("path", { d: path })));
      return made;
    });
    this.slider = element("input", { type: "range", min: 0, "aria-label": t("Move"), oninput: () => app.positionState.goTo(Number(this.slider.value)) });
    this.branch = element("div", { class: "branch" });
    this.previousMistakeButton = button(t("Previous mistake"), () => this.goToMistake(-1));
    this.nextMistakeButton = button(t("Next mistake"), () => this.goToMistake(1));
    this.betterMoveButton = button("", () => this.toggleBetterMove());
    this.continuationButton = button(t("Show what follows"), () => this.showContinuation());
    this.mistakes = element("div", { class: "mistake-controls" }, this.previousMistakeButton, this.nextMistakeButton, this.betterMoveButton, this.continuationButton);
    this.notice = element("p", { class: "hint", role: "status" });
    this.retryButton = button(t("Try again"), () => { panel.title.focus(); this.client.load(this.position); });
    this.bar = element("progress");
    this.progress = element("label", { class: "progress" }, t("Searching for mistakes"), this.bar);
    this.caption = element("figcaption", { class: "hint" });
    this.figure = element("figure", {}, this.plot.element, this.progress, this.caption);
    this.summaries = element("div", { class: "summaries" });
    this.element = element("div", { class: "review-view" },
      element("div", { class: "step-controls" }, ...this.stepButtons.slice(0, 2), this.slider, ...this.stepButtons.slice(2)),
      this.branch, this.mistakes, this.notice, this.retryButton, this.figure, this.moveList.element, this.summaries);
    this.client.addEventListener("change", () => this.renderReview());
    this.branchClient.addEventListener("change", () => this.onBranch && this.branchClient.review && this.renderPosition(byId("status").textContent === this.lastStatus));
    app.positionState.addEventListener("change", () => app.currentPanel === "review" && panel.canMove() && this.renderPosition());
  }

  /** Open another game. @param {Position} position @param {number} [ply] */
  open(position, ply) {
    this.position = position;
    this.client.review = null;
    this.app.positionState.show(position, ply);
    this.client.load(position);
  }

  close() {
    this.client.cancel();
    this.branchClient.cancel();
    this.app.boardView.showReason(null);
    this.hideBetterMove();
  }

  // Navigation

  get ply() {
    return this.app.positionState.ply;
  }

  /** Whether the board shows a branch of the game. */
  get onBranch() {
    return this.app.positionState.position !== this.position;
  }

  /** The number of moves that the game and the shown line have in common. */
  get commonPlies() {
    const { moves } = this.app.positionState.position;
    let count = 0;
    while (count < moves.length && moves[count] === this.position.moves[count]) count++;
    return count;
  }

  /** Go to a move of the game, and leave any branch. @param {number} ply */
  goTo(ply) {
    if (this.onBranch) this.app.positionState.show(this.position, ply);
    else this.app.positionState.goTo(ply);
  }

  /** Go to a move of the game and scroll to the board. @param {number} ply */
  jumpTo(ply) {
    this.goTo(ply);
    byId("board-section").scrollIntoView({ block: "nearest" });
  }

  /** Step through the game or the branch: first, back, forward or last. @param {number} index */
  takeStep(index) {
    const last = this.app.positionState.position.history.length;
    this.app.positionState.goTo([0, Math.max(0, this.ply - 1), Math.min(last, this.ply + 1), last][index] ?? 0);
  }

  leaveBranch() {
    this.goTo(Math.min(this.commonPlies, this.ply));
  }

  /** The ply of the mistake before or after the shown move. @param {number} direction */
  findMistake(direction) {
    const from = this.betterPly ?? Math.min(this.ply, this.commonPlies);
    const all = (this.client.review?.review ?? []).flatMap((move, index) => (move.mistake ? [index + 1] : []));
    return direction > 0 ? all.find((at) => at > from) : all.findLast((at) => at < from);
  }

  /** @param {number} direction */
  goToMistake(direction) {
    const at = this.findMistake(direction);
    if (at) this.jumpTo(at);
  }

  // Better move

  async toggleBetterMove() {
    const ply = this.betterPly ?? this.ply, move = this.client.review?.review[ply - 1];
    if (this.betterPly !== null) return this.goTo(ply);
    if (!move?.regret || this.onBranch) return;
    this.betterPly = ply;
    const revision = ++this.revision;
    this.jumpTo(ply - 1);
    /** @type {Analysis | undefined} */
    const analysis = await this.panel.withErrorHandling(() => request(`/analysis?${positionQuery(this.app.positionState.spec)}`));
    if (!analysis || revision !== this.revision) return;
    const { columns, best, description } = describeAnalysis({ game: this.position.game, ...this.app.positionState.boardState }, analysis);
    this.app.boardView.showValues(columns, best);
    this.app.showStatus(`${t("At move {number}, column {column} is not the best.", { number: move.number, column: move.column })} ${description}`);
    const { reason } = move, leads = reason?.line[0] === reason?.better; // to a four that the move played has missed
    if (leads) this.app.boardView.showReason(reason);
    await this.app.positionState.preview((leads && reason?.line.join("")) || analysis.pv?.slice(0, PREVIEW_LENGTH) || `${move.best[0]}`);
  }

  /** The verdict on the shown move, of the game or of the branch. */
  get verdictOnMove() {
    return this.verdictAt(this.ply, this.app.positionState.position);
  }

  /** @param {number} ply @param {Position} position */
  verdictAt(ply, position) {
    const branch = position !== this.position && ply > this.commonPlies;
    return (branch ? this.branchClient.review?.review[ply - 1 - this.commonPlies] : this.client.review?.review[ply - 1]) ?? null;
  }

  /** The moves from the reply to a mistake to the four that it leads to. */
  get continuation() {
    const reason = this.betterPly === null ? this.verdictOnMove?.reason : null;
    return reason?.better && reason.line[0] === reason.column ? reason.line.slice(1).join("") : "";
  }

  /** Preview the moves that punish the shown move, or end the preview. */
  showContinuation() {
    const shown = this.app.positionState.previewMoves.length > 0;
    this.panel.withErrorHandling(() => this.app.positionState.preview(shown ? "" : this.continuation));
  }

  hideBetterMove() {
    this.revision++;
    if (this.betterPly !== null && !this.app.analysis.enabled) this.app.boardView.showValues([]);
    this.betterPly = null;
  }

  // Rendering

  renderReview() {
    const { review, done, total, error } = this.client, { position } = this;
    this.progress.hidden = !total;
    this.bar.max = total || 1;
    this.bar.value = done;
    if (done) return; // only the progress has changed
    if (review && this.panel.game) storeMistakes(position, review, this.panel.game.players);
    this.retryButton.hidden = !error;
    this.notice.textContent = toSentence(error);
    this.caption.replaceChildren(element("span", { class: "value-curve" }, t("with perfect play")),
      ...(position.game === "max" ? [element("span", { class: "margin-curve" }, t("margin so far")), `▼▲ ${t("regret")}`] : [`▼▲ ${t("mistake")}`]));
    this.plot.show(position, review);
    this.moveList.show(position, review, (at) => this.describeMove(at, position));
    this.summaries.replaceChildren(...(review ? [review.red, review.green] : []).map((player, index) => this.playerSummary(player, index)));
    this.renderPosition(byId("status").textContent === this.lastStatus);
  }

  /** Render another ply. @param {boolean} [announce] whether to show it in the status line */
  renderPosition(announce = true) {
    const { ply, onBranch, commonPlies } = this, { position } = this.app.positionState, last = position.history.length;
    if (onBranch && commonPlies === last) return this.goTo(ply); // the branch follows the game
    if (onBranch || ply + 1 !== this.betterPly) this.hideBetterMove();
    this.plot.setPly(Math.min(ply, commonPlies), onBranch);
    this.moveList.setPly(Math.min(ply, commonPlies), onBranch);
    this.slider.max = `${last}`;
    this.slider.value = `${ply}`;
    this.slider.setAttribute("aria-valuetext", ply ? t("{number} of {total}", { number: position.history[ply - 1]?.number ?? 0, total: position.history.at(-1)?.number ?? 0 }) : t("start"));
    this.betterMoveButton.textContent = this.betterPly === null ? t("Show me the better move") : t("Back to the game");
    const wrong = !onBranch && this.client.review?.review[ply - 1]?.regret;
    const possible = [ply, ply, ply < last, ply < last, this.findMistake(-1), this.findMistake(1), wrong || this.betterPly, this.continuation];
    [...this.stepButtons, this.previousMistakeButton, this.nextMistakeButton, this.betterMoveButton, this.continuationButton].forEach((each, index) => setEnabled(each, Boolean(possible[index])));
    this.renderBranch();
    this.lastStatus = this.betterPly === null ? this.describeMove(ply, position) : t("Searching for the better move …");
    if (announce) this.app.showStatus(this.lastStatus);
    if (this.betterPly === null) this.app.boardView.showReason(this.verdictOnMove?.regret ? this.verdictOnMove.reason : null, true);
  }

  /** Request the verdicts of the moves of a branch: the review of a game from the position where it begins. */
  loadVerdicts() {
    const { position } = this.app.positionState, { commonPlies } = this;
    this.branchClient.load({ ...position, start: boardStateAt(position, commonPlies).cells.join(""),
      moves: position.moves.slice(commonPlies), history: position.history.slice(commonPlies) });
  }

  renderBranch() {
    const { commonPlies, onBranch, ply } = this, { position } = this.app.positionState, moves = position.history.slice(commonPlies);
    this.branch.hidden = !onBranch;
    if (position !== this.drawnBranch) {
      const within = this.branch.contains(document.activeElement);
      const number = this.position.history[commonPlies - 1]?.number;
      this.drawnBranch = position;
      if (onBranch) this.loadVerdicts();
      else this.branchClient.cancel();
      this.branch.replaceChildren(
        element("p", {}, number ? t("You have left the game after move {number}.", { number }) : t("You have left the game at the start.")),
        element("div", { class: "move-buttons" }, ...moves.map((move, index) => {
          const made = button(`${move.column}`, () => this.app.positionState.goTo(commonPlies + index + 1), { "aria-label": move.description });
          made.prepend(pieceIcon(move.player));
          if (move.fours.length && position.game === "max") made.dataset.points = `+${move.fours.length}`;
          return made;
        })),
        this.verdict,
        element("div", { class: "controls" },
          button(t("Back to the game"), () => this.leaveBranch(), { title: t("Leave the branch (Esc)"), class: "primary" }),
          button(t("Save as a game"), () => this.panel.storeGame(position))));
      if (within) (onBranch ? this.branch.querySelector("button") : this.panel.title)?.focus({ preventScroll: true });
    }
    this.branch.querySelectorAll(".move-buttons button").forEach((each, index) => {
      const { mistake = false, player = 1 } = this.branchClient.review?.review[index] ?? {};
      each.setAttribute("aria-current", `${index === ply - commonPlies - 1}`);
      each.classList.toggle("mistake-mark", mistake);
      each.classList.toggle("green", player === 2);
    });
    const verdict = onBranch && ply > commonPlies ? this.verdictOnMove : null, move = position.history[ply - 1];
    this.verdict.textContent = verdict && move ? reviewedMoveText(position.game, move, verdict) : "";
  }

  /** @param {PlayerReview} summary @param {number} index */
  playerSummary(summary, index) {
    const { worst } = summary, player = /** @type {Player} */ (index + 1);
    const pieces = (this.position.history[0]?.number ?? 1) - 1; // on the board at the start
    return element("div", {},
      element("h3", {}, pieceIcon(player), this.panel.playerNames()[index] ?? ""), element("p", {}, summaryText(this.position.game, player, summary)),
      worst === null ? "" : button(t("Worst: move {move}", { move: worst }), () => this.jumpTo(worst - pieces)));
  }

  /** A move of the game or of a branch. @param {number} ply @param {Position} position */
  describeMove(ply, position) {
    const move = position.history[ply - 1];
    if (!move) return `${t("Start.")} ${position.initial.status}`;
    const reviewed = this.verdictAt(ply, position);
    const text = reviewed ? reviewedMoveText(position.game, move, reviewed) : move.description;
    return `${t("Move {number}: {move}", { number: move.number, move: text })} ${ply === position.history.length && position.result || ""}`.trim();
  }
}

/** The list of moves: red's in the left column, green's in the right one. */
class MoveList {
  /** @param {(ply: number) => void} onSelect */
  constructor(onSelect) {
    this.onSelect = onSelect;
    /** @type {HTMLElement[]} */
    this.entries = [];
    this.ply = 0;
    this.element = element("ol", { class: "move-list", "aria-label": t("Moves"), onkeydown: (event) => this.handleKey(event) });
  }

  /** @param {Position} position @param {Review | null} review null until it is available @param {(ply: number) => string} describeMove */
  show({ history, game }, review, describeMove) {
    const visible = history.map((move, index) => {
      const { regret = 0, mistake = false } = review?.review[index] ?? {};
      const wins = ((review?.values[index + 1] ?? 0) > 0) === (move.player === 1);
      return [
        element("i", {}, `${move.number}`), pieceIcon(move.player), element("b", {}, `${move.column}`),
        move.fours.length && game === "max" ? `+${move.fours.length}` : "",
        mistake ? element("b", { class: "regret" }, `${move.player === 1 ? "▼" : "▲"}${game === "max" ? regret : ""}`) : "",
        regret && !mistake ? element("small", { class: "inaccuracy" }, wins ? t("{moves} later", { moves: regret }) : t("{moves} sooner", { moves: regret })) : ""];
    });
    this.entries = [[t("Start")], ...visible].map((children, at) =>
      element("button", { type: "button", onclick: () => this.onSelect(at) },
        element("span", { class: "visually-hidden" }, describeMove(at)), element("span", { "aria-hidden": "true" }, ...children)));
    const kinds = ["start", ...history.map((move) => (move.player === 1 ? "red" : "green"))];
    this.element.replaceChildren(...this.entries.map((entry, at) => element("li", { class: kinds[at] }, entry)));
  }

  /**
   * Mark the shown move, and focus it if the focus is in the list.
   * @param {number} ply
   * @param {boolean} onBranch whether the board shows a branch
   */
  setPly(ply, onBranch) {
    const { element: list } = this, current = this.entries[ply], within = list.contains(document.activeElement);
    this.ply = ply;
    list.classList.toggle("on-branch", onBranch);
    this.entries.forEach((each) => {
      each.tabIndex = each === current ? 0 : -1;
      each.setAttribute("aria-current", `${each === current}`);
    });
    if (!current) return;
    if (within) current.focus({ preventScroll: true });
    const { offsetTop: top, offsetHeight: height } = current; // scroll the list, but not the page
    list.scrollTop = Math.max(top + height + 8 - list.clientHeight, Math.min(list.scrollTop, top - 8));
  }

  /** Up and down move by a row. @param {KeyboardEvent} event */
  handleKey(event) {
    const step = { ArrowUp: -2, ArrowDown: 2 }[event.key];
    if (!step) return;
    event.preventDefault();
    this.onSelect(Math.max(0, Math.min(this.ply + step, this.entries.length - 1)));
  }
}
