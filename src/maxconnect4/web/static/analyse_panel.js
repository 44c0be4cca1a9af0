// The Analyse panel: the value of every column, the best line, navigation, and the position editor.

import { ReviewClient } from "./analysis_client.js";
import { fetchPosition, positionQuery, request, shownPositionQuery, withErrorHandling } from "./api.js";
import { pieceIcon } from "./board_drawing.js";
import { gameTitle, reasonText, reviewedMoveText } from "./descriptions.js";
import { button, byId, element, setEnabled, toSentence, withMinusSigns } from "./elements.js";
import { ImportExport } from "./import_export.js";
import { DEFAULT_LEVEL, PLAYER_NAMES } from "./players.js";
import { PositionEditor } from "./position_editor.js";
import { boardStateAt } from "./position_state.js";
import { loadSetting, saveSetting } from "./settings.js";
import { LOCALE, t, tn } from "./translations.js";

/** @import { App, Panel } from "./app.js" */
/** @import { PlayPanel } from "./play_panel.js" */
/** @import { Analysis, GameName, Bounds, Player, Position, Reason } from "./types.js" */

/** @implements {Panel} */
export class AnalysePanel {
  /** @param {App} app @param {PlayPanel} play */
  constructor(app, play) {
    this.app = app;
    this.play = play;
    this.editing = false;
    const positionState = app.positionState;
    this.editor = new PositionEditor(app, (position) => this.closeEditor(position));
    this.importExport = new ImportExport(positionState, () => this.prepareImport(), (message) => app.showStatus(message, "error"));

    this.firstButton = button(t("First"), () => positionState.goTo(0), { title: t("Go to the start") });
    this.backButton = button(t("Back"), () => positionState.goTo(positionState.ply - 1), { title: t("Go back one move (u)") });
    this.forwardButton = button(t("Forward"), () => positionState.goTo(positionState.ply + 1), { title: t("Go forward one move (r)") });
    this.lastButton = button(t("Last"), () => positionState.goTo(positionState.position.history.length), { title: t("Go to the last move") });
    this.leaveBranchButton = button(t("Leave branch"), () => positionState.leaveBranch(), { title: t("Go back to the move where the branch began") });
    this.emptyButton = button(t("Clear"), () => this.change({ start: null, moves: "" }), { title: t("Clear the board (n)") });
    this.editButton = button(t("Set up"), () => this.openEditor(), { title: t("Set up a position") });
    this.gameInputs = app.capabilities.games.map((game) => element("input", { type: "radio", name: "analysed", value: game,
      onchange: () => this.change({ game }).then(() => this.renderGame()) })); // keeps the position if it is possible in that game
    this.sideSelect = element("select", { id: "play-as" });
    this.playButton = button(t("Play from here"), () => this.playFromHere());
    this.otherPanelsSwitch = element("input", { type: "checkbox", role: "switch", onchange: () => saveSetting("analysing", this.otherPanelsSwitch.checked ? "on" : "off") });
    this.otherPanelsSwitch.checked = loadSetting("analysing", "off") === "on";

    this.analysisView = element("div", { class: "analysis" },
      element("div", { class: "button-grid" }, this.firstButton, this.backButton, this.forwardButton, this.lastButton),
      new AnalysisSummary(app).element,
      new LastMoveVerdict(app).element,
      new PrincipalVariation(app).element,
      new ReasonList(app).element,
      element("label", { class: "choice" }, this.otherPanelsSwitch, t("Also show values in Play and Review")),
      element("hr"),
      element("div", { class: "field wrap" }, this.importExport.movesText, this.leaveBranchButton, this.importExport.copyButton),
      element("div", { class: "button-grid" }, this.emptyButton, this.editButton, ...this.importExport.fileButtons),
      this.importExport.element,
      element("fieldset", {}, element("legend", {}, t("Game")), ...this.gameInputs.map((choice) =>
        element("label", { class: "choice" }, choice, gameTitle(/** @type {GameName} */ (choice.value))))),
      element("hr"),
      element("div", { class: "setting" },
        element("label", { for: "play-as" }, t("You play")), element("div", { class: "field wrap" }, this.sideSelect, this.playButton)));
    this.element = element("section", {}, this.analysisView);
    positionState.addEventListener("change", () => this.positionChanged());
    app.analysis.enabled = this.otherPanelsSwitch.checked;
  }

  // Panel

  activate() {
    this.app.analysis.setEnabled(true);
    this.positionChanged();
  }

  deactivate() {
    this.hideEditor();
    this.app.analysis.setEnabled(this.otherPanelsSwitch.checked);
  }

  canMove() {
    return true;
  }

  boardState() {
    return this.editing ? this.editor.boardState : null;
  }

  /** @param {number} column */
  drop(column) {
    if (this.editing) this.editor.edit(column);
    else this.importExport.withErrorHandling(() => this.app.positionState.tryMove(column));
  }

  /** @param {string} key */
  handleKey(key) {
    if (this.editing) return this.editor.handleKey(key);
    const action = { u: this.backButton, r: this.forwardButton, n: this.emptyButton }[key];
    action?.click();
    return action !== undefined;
  }

  address() {
    const { position, ply } = this.app.positionState;
    return `/analyse?${shownPositionQuery(position, ply)}`;
  }

  /** @param {string} _item @param {URLSearchParams} query */
  openAddress(_item, query) {
    if (this.editing) this.closeEditor(null);
    return this.app.openPosition("analyse", query);
  }

  // Navigation

  positionChanged() {
    if (this.app.currentPanel !== "analyse" || this.editing) return;
    const { position, ply, boardState: state, branchOrigin } = this.app.positionState;
    this.app.showMoveStatus();
    for (const each of [this.firstButton, this.backButton]) setEnabled(each, ply > 0);
    for (const each of [this.forwardButton, this.lastButton]) setEnabled(each, ply < position.history.length);
    if (!branchOrigin && this.leaveBranchButton === document.activeElement) this.backButton.focus();
    this.leaveBranchButton.hidden = !branchOrigin;
    setEnabled(this.playButton, !state.over);
    this.importExport.render();
    this.renderGame();
    this.renderSides();
  }

  /** Change the game or the moves of the shown position. @param {Partial<{ game: GameName, start: null, moves: string }>} spec */
  change(spec) {
    const positionState = this.app.positionState;
    return this.importExport.withErrorHandling(async () => positionState.show(await fetchPosition({ ...positionState.spec, ...spec })));
  }

  /** Show this panel for a position that has been pasted or dragged onto the page. */
  prepareImport() {
    this.app.selectPanel("analyse");
    if (this.editing) this.closeEditor(null);
  }

  // Position editor

  openEditor() {
    this.editing = true;
    this.app.analysis.setEnabled(false);
    this.element.replaceChildren(this.editor.element);
    this.app.showStatus(t("Set up a position."));
    const { boardState: state, position } = this.app.positionState;
    return this.editor.open(state.cells, position.game);
  }

  /** @param {Position | null} position */
  closeEditor(position) {
    const positionState = this.app.positionState;
    this.hideEditor();
    this.app.analysis.setEnabled(true);
    if (position) positionState.show(position);
    else positionState.show(positionState.position, positionState.ply, positionState.branchOrigin);
    this.editButton.focus();
  }

  hideEditor() {
    this.editing = false;
    this.element.replaceChildren(this.analysisView);
  }

  // Play from here

  /** The opponent: the level that is selected in Play, or the default. */
  get level() {
    const levels = this.app.capabilities.levels[this.app.positionState.position.game];
    const wanted = this.play.players.find((player) => player !== "person") ?? DEFAULT_LEVEL;
    return levels.find(({ level }) => `level:${level}` === wanted) ?? levels[0];
  }

  async playFromHere() {
    const opponent = `level:${this.level?.level}`;
    /** @type {[string, string]} */
    const players = this.sideSelect.value === "red" ? ["person", opponent] : this.sideSelect.value === "green" ? [opponent, "person"] : ["person", "person"];
    await this.importExport.withErrorHandling(async () => this.play.newGame(await fetchPosition(this.app.positionState.spec), players));
  }

  // Rendering

  renderGame() {
    for (const choice of this.gameInputs) choice.checked = choice.value === this.app.positionState.position.game;
  }

  renderSides() {
    const chosen = this.sideSelect.value || (this.play.players[0] === "person" ? "red" : "green");
    const level = this.level?.level ?? "";
    const sides = { red: t("Red against level {level}", { level }), green: t("Green against level {level}", { level }), both: t("Both sides") };
    this.sideSelect.replaceChildren(...Object.entries(sides)
      .map(([value, label]) => element("option", { value, selected: value === chosen }, label)));
  }
}

const compactNumber = new Intl.NumberFormat(LOCALE, { notation: "compact", compactDisplay: "long" });

/** The value of the position, and its source or the progress of the search. */
class AnalysisSummary {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.value = element("p", { class: "position-value" });
    // Screen readers announce only the final value, because the bounds change too often.
    this.explanation = element("p", { class: "explanation", role: "status", tabindex: -1 });
    this.progress = element("progress", { "aria-label": t("Solved columns") });
    this.source = element("p", { class: "hint" });
    this.retryButton = button(t("Try again"), () => { this.explanation.focus(); app.analysis.refresh(); });
    this.element = element("div", { class: "analysis-summary" },
      this.value, element("div", {}, this.explanation, this.source, this.progress, this.retryButton));
    app.analysis.addEventListener("change", () => this.render());
  }

  render() {
    const { latest, finished, error } = this.app.analysis;
    const { boardState: state, position } = this.app.positionState;
    this.renderValue(latest?.bounds);
    this.explanation.textContent = toSentence(error) || (state.over ? (position.result ?? "") : finished ? (latest?.description ?? "") : "");
    this.explanation.classList.toggle("error", Boolean(error));
    this.source.textContent = state.over || error ? "" : finished && latest ? sourceText(latest) : progressText(latest);
    this.progress.hidden = state.over || finished || Boolean(error);
    this.progress.max = state.columns.length || 1;
    this.progress.value = latest ? exactColumns(latest) : 0;
    this.retryButton.hidden = !error;
  }

  /** @param {Bounds} [value] */
  renderValue(value) {
    const { toMove, over } = this.app.positionState.boardState;
    this.value.hidden = over;
    this.value.className = `position-value ${value?.tone ?? "unknown"}${value && value.label.length > 4 ? " long" : ""}`;
    this.value.replaceChildren(pieceIcon(toMove), element("span", { class: "visually-hidden" }, toMove === 1 ? t("For red: ") : t("For green: ")),
      element("b", {}, withMinusSigns(value?.label ?? "…")));
  }
}

/** @param {Analysis} analysis */
function exactColumns({ columns }) {
  return columns.filter((bounds) => bounds && bounds.value !== null).length;
}

/** @param {Analysis | null} analysis */
function progressText(analysis) {
  if (!analysis) return t("Searching …");
  const open = analysis.columns.filter(Boolean).length;
  if (exactColumns(analysis) === open) return t("All columns solved, searching for the best line: {effort} so far", { effort: effortText(analysis) });
  return t("{solved} of {all} columns solved: {effort} so far", { solved: exactColumns(analysis), all: open, effort: effortText(analysis) });
}

/** @param {Analysis} analysis */
function sourceText(analysis) {
  return analysis.source === "book" ? t("From the opening book.") : t("Searched {effort}.", { effort: effortText(analysis) });
}

/** @param {Analysis} analysis */
function effortText({ nodes, seconds }) {
  const count = tn(nodes, "{nodes} node", "{nodes} nodes", { nodes: compactNumber.format(nodes) });
  return seconds < 0.05 ? count : t("{nodes} in {seconds} s", { nodes: count, seconds: seconds < 10 ? Math.round(10 * seconds) / 10 : Math.round(seconds) });
}

/** The principal variation: a toolbar of moves that can be previewed on the board and played. */
class PrincipalVariation {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.pv = "";
    /** Whether the toolbar had the keyboard focus before the current search. */
    this.hadFocus = false;
    this.toolbar = element("div", {
      class: "move-buttons", role: "toolbar", "aria-label": t("Best line"),
      onclick: (event) => this.playTo(this.lengthAt(event)),
      onpointerover: (event) => event.pointerType === "mouse" && this.preview(this.lengthAt(event)),
      onpointerleave: () => this.preview(0),
      onfocusin: (event) => this.preview(this.lengthAt(event)),
      onfocusout: () => this.preview(0),
      onkeydown: (event) => this.handleKey(event),
    });
    this.element = element("div", {},
      element("h2", {}, t("Best line")), this.toolbar,
      element("p", { class: "hint mouse-only" }, t("Hover over a move to preview the line; click to play it.")));
    app.analysis.addEventListener("change", () => this.render());
  }

  /** The old line stays, inert, until the next one is available, so that the layout does not jump. */
  render() {
    const { latest, finished } = this.app.analysis;
    const { toMove, over } = this.app.positionState.boardState;
    this.pv = (finished && latest?.pv) || "";
    const points = latest?.pv_points ?? [], counted = this.app.positionState.position.game === "max";
    this.element.hidden = over || (!this.pv && finished);
    this.hadFocus ||= this.toolbar.contains(document.activeElement);
    this.toolbar.inert = !this.pv;
    if (over && this.hadFocus) byId("tab-analyse").focus(); // the user has played the line to the end of the game
    if (over) this.hadFocus = false;
    if (!this.pv) return;
    this.toolbar.replaceChildren(...[...this.pv].map((column, index) => {
      const player = /** @type {Player} */ ((toMove + index + 1) % 2 + 1);
      const scored = (counted && points[index]) || 0, label = t("{number}: {player} in column {column}", { number: index + 1, player: PLAYER_NAMES[player - 1] ?? "", column });
      return element("button", {
        type: "button", "data-length": index + 1, "data-points": scored ? `+${scored}` : null, tabindex: index ? -1 : 0,
        "aria-label": scored ? `${label}, ${tn(scored, "{count} point", "{count} points")}` : label,
      }, pieceIcon(player), column);
    }));
    if (this.hadFocus && document.activeElement === document.body) this.focusMove(1, true);
    this.hadFocus = false;
  }

  /** The length of the line up to the button of an event; 0 if there is none. @param {Event} event */
  lengthAt(event) {
    const chosen = /** @type {HTMLElement} */ (event.target).closest("button");
    return Number(chosen?.dataset.length ?? 0);
  }

  /** @param {number} length */
  preview(length) {
    if (this.pv) this.app.positionState.preview(this.pv.slice(0, length)).catch(() => {}); // without the server there is no preview
  }

  /** @param {number} length */
  async playTo(length) {
    if (!length) return;
    byId("board-section").scrollIntoView({ block: "nearest" }); // on a phone the board may be out of sight
    await withErrorHandling(() => this.app.positionState.playMoves(this.pv.slice(0, length)), (message) => this.app.showStatus(message, "error"));
  }

  /** @param {number} length @param {boolean} [preventScroll] */
  focusMove(length, preventScroll = false) {
    const steps = /** @type {HTMLElement[]} */ ([...this.toolbar.children]);
    for (const step of steps) step.tabIndex = step.dataset.length === `${length}` ? 0 : -1;
    steps[length - 1]?.focus({ preventScroll });
  }

  /** @param {KeyboardEvent} event */
  handleKey(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const at = this.lengthAt(event);
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 1, End: this.pv.length }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.focusMove(Math.max(1, Math.min(to, this.pv.length)));
  }
}

const WAIT = 250; // milliseconds that a position has to be shown until its reasons are requested

/** The verdict on the last move: its regret, and the reason. */
class LastMoveVerdict {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.timer = 0;
    this.client = new ReviewClient();
    this.element = element("p", { class: "verdict hint", role: "status" });
    app.analysis.addEventListener("change", () => this.refresh());
    this.client.addEventListener("change", () => this.render());
  }

  refresh() {
    const { position, ply, boardState: state } = this.app.positionState, { finished } = this.app.analysis;
    clearTimeout(this.timer);
    this.client.cancel();
    this.client.review = null;
    this.render();
    const shown = this.app.currentPanel === "analyse" && ply > 0 && (finished || state.over);
    if (shown) this.timer = setTimeout(() => this.client.load({ ...position, start: boardStateAt(position, ply - 1).cells.join(""),
      moves: position.moves.slice(ply - 1, ply), history: position.history.slice(ply - 1, ply) }), WAIT);
  }

  render() {
    const { position, ply } = this.app.positionState, move = position.history[ply - 1], verdict = this.client.review?.review[0];
    this.element.textContent = move && verdict ? t("Last move: {move}", { move: reviewedMoveText(position.game, move, verdict) }) : "";
    this.element.hidden = !this.element.textContent;
  }
}

/** Why each column is a mistake, or what it achieves. A reason can be previewed on the board. */
class ReasonList {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.timer = 0;
    this.abortController = new AbortController();
    this.list = element("ul", { class: "reasons" });
    this.element = element("div", { hidden: true }, element("h2", {}, t("Why")), this.list);
    app.analysis.addEventListener("change", () => this.refresh());
  }

  refresh() {
    const { finished, latest } = this.app.analysis;
    clearTimeout(this.timer);
    this.abortController.abort();
    this.element.hidden = true;
    if (!finished || !latest?.exact || this.app.currentPanel !== "analyse") return;
    this.abortController = new AbortController();
    const { signal } = this.abortController;
    this.timer = setTimeout(() => this.load(signal).catch(() => {}), WAIT); // the panel is also useful without reasons
  }

  /** @param {AbortSignal} signal */
  async load(signal) {
    /** @type {{ reasons: (Reason | null)[] }} */
    const { reasons } = await request(`/analysis/reasons?${positionQuery(this.app.positionState.spec)}`, { signal });
    if (signal.aborted) return;
    const shown = reasons.filter((reason) => reason !== null).sort((a, b) => Number(b.better !== null) - Number(a.better !== null));
    /** @type {Map<string, Reason[]>} */
    const groups = new Map();
    for (const reason of shown) {
      const text = `${reasonText(reason)}${this.label(reason)}`;
      groups.set(text, [...(groups.get(text) ?? []), reason]);
    }
    this.list.replaceChildren(...[...groups.values()].map((reasons) => this.entry(reasons)));
    this.element.hidden = shown.length === 0;
  }

  /** The value of a reason's column. @param {Reason} reason */
  label(reason) {
    return withMinusSigns(this.app.analysis.latest?.columns[reason.column - 1]?.label ?? "");
  }

  /** One reason of one or more columns. @param {Reason[]} reasons */
  entry(reasons) {
    const [reason] = reasons;
    if (!reason) return "";
    const tone = this.app.analysis.latest?.columns[reason.column - 1]?.tone ?? "";
    const show = () => this.preview(reason), hide = () => this.preview(null);
    return element("li", {}, element("button", {
      type: "button", "data-kind": reason.kind, onclick: show, onfocusin: show, onfocusout: hide,
      onpointerenter: (/** @type {PointerEvent} */ event) => event.pointerType === "mouse" && show(), onpointerleave: (/** @type {PointerEvent} */ event) => event.pointerType === "mouse" && hide(),
    }, element("b", {}, reasons.map(({ column }) => column).join(", ")), element("span", { class: tone }, this.label(reason)), element("span", {}, reasonText(reason))));
  }

  /** Show a reason on the board: its four, and the moves that lead to it. @param {Reason | null} reason */
  preview(reason) {
    this.app.boardView.showReason(reason);
    this.app.positionState.preview(reason?.line.join("") ?? "").catch(() => {}); // without the server there is no preview
  }
}
