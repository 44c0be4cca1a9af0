// The page: its board, status line, panels, tabs, keyboard shortcuts and theme.

import { AnalysePanel } from "./analyse_panel.js";
import { AnalysisClient } from "./analysis_client.js";
import { fetchPosition, HttpError, parsePositionQuery, rememberPosition, request, ServerUnreachable } from "./api.js";
import { BoardView } from "./board_view.js";
import { describePosition } from "./descriptions.js";
import { byId, element, toSentence } from "./elements.js";
import { LearnPanel } from "./learn_panel.js";
import { PlayPanel } from "./play_panel.js";
import { PLAYER_NAMES } from "./players.js";
import { PositionState } from "./position_state.js";
import { PuzzlePanel } from "./puzzle_panel.js";
import { ReviewPanel } from "./review_panel.js";
import { Router } from "./router.js";
import { Scoreboard } from "./scoreboard.js";
import { loadSetting, saveSetting } from "./settings.js";
import { Sounds } from "./sounds.js";
import { LANGUAGE, t } from "./translations.js";

/** @import { BoardState } from "./position_state.js" */
/** @import { Capabilities, PlayedMove, Position } from "./types.js" */

/**
 * A panel beside the board. `drop` handles a click on a column, `canMove` returns whether the user may move now, and
 * `handleKey` handles a key that no element has handled and returns whether it did.
 * @typedef {object} Panel
 * @property {HTMLElement} element
 * @property {() => void} [activate]
 * @property {() => void} [deactivate]
 * @property {(column: number, doubleClick?: boolean) => void} drop
 * @property {() => boolean} canMove
 * @property {() => [string, string]} [playerNames] of red and green
 * @property {() => BoardState | null} [boardState] shown instead of the position
 * @property {(key: string) => boolean} [handleKey]
 * @property {() => string} [address] returns the address of what is shown, such as `/review/GAME?at=12`; by default that of the panel
 * @property {(item: string, query: URLSearchParams) => Promise<void>} [openAddress] selects the panel and shows what an address names
 */

const MAX_ANNOUNCEMENTS = 5;
const ANNOUNCEMENT_TIME = 20_000; // milliseconds that a message stays in the log

/** The details of an event of the board. @param {Event} event @returns {{ move: PlayedMove, fours: number }} */
function moveOf(event) {
  return /** @type {CustomEvent} */ (event).detail;
}

export class App {
  /** @param {Capabilities} capabilities @param {Position} position */
  constructor(capabilities, position) {
    this.capabilities = capabilities;
    this.positionState = new PositionState(position);
    /** @type {Record<string, Panel>} */
    this.panels = {};
    this.currentPanel = "";
    this.boardView = new BoardView(byId("board"), (column, doubleClick) => this.drop(column, doubleClick));
    this.analysis = new AnalysisClient(this.positionState, this.boardView);
    this.scoreboard = new Scoreboard();
    this.sounds = new Sounds();
    this.router = new Router(this);
    this.boardView.addEventListener("land", (event) => this.sounds.land(moveOf(event).move.row));
    this.boardView.addEventListener("four", (event) => this.countFour(moveOf(event)));
    this.boardView.addEventListener("settled", () => this.renderScoreboard());
    this.positionState.addEventListener("change", () => {
      this.render();
      this.router.update();
    });
    this.positionState.addEventListener("preview", () => this.boardView.preview(this.positionState.previewMoves));
  }

  get activePanel() {
    return this.panels[this.currentPanel];
  }

  /** Drop a piece into a column. @param {number} column @param {boolean} [doubleClick] */
  drop(column, doubleClick = false) {
    if (!this.activePanel?.canMove()) return;
    if (this.activePanel.boardState?.() || this.positionState.boardState.columns.includes(column)) this.activePanel.drop(column, doubleClick);
    else if (!this.positionState.boardState.over) this.showStatus(t("Column {column} is full.", { column }), "error");
  }

  /** Draw the board and the points. */
  render() {
    const state = this.activePanel?.boardState?.() ?? this.positionState.boardState;
    this.boardView.update(state, this.activePanel?.canMove() ?? false);
    this.boardView.showHint(null);
    byId("objective").textContent = this.positionState.position.game === "max" ? t("Every four in a row scores a point, until the board is full.") : t("The first four in a row wins.");
    this.renderScoreboard();
  }

  renderScoreboard() {
    const { boardView, activePanel } = this, { game, winner } = this.positionState.position;
    if (boardView.state) this.scoreboard.update(boardView.state, activePanel?.playerNames?.() ?? PLAYER_NAMES, boardView.points, game, boardView.settled ? null : winner);
  }

  /** Show and announce a four that the animation has completed. @param {{ move: PlayedMove, fours: number }} detail */
  countFour({ move, fours }) {
    this.sounds.score(fours - 1);
    if (this.positionState.position.game !== "max") return;
    this.renderScoreboard();
    this.scoreboard.showGain(move.player);
  }

  /**
   * Show a message below the board. Screen readers announce it from a log, in which it stays when the next message replaces it
   * on the screen.
   * @param {string} message
   * @param {"" | "result" | "error"} [kind]
   */
  showStatus(message, kind = "") {
    const status = byId("status"), text = toSentence(message);
    status.className = kind;
    if (status.textContent === text) return;
    status.textContent = text;
    const entry = element("p", {}, text), log = byId("announcements");
    log.append(entry);
    while (log.childElementCount > MAX_ANNOUNCEMENTS) log.firstElementChild?.remove();
    setTimeout(() => entry.remove(), ANNOUNCEMENT_TIME);
  }

  /** Show the last move and the player to move. */
  showMoveStatus() {
    const { position, boardState: state } = this.positionState;
    const lastMove = state.last?.description ?? (position.start ? t("Position set up.") : t("Empty board."));
    this.showStatus(`${lastMove} ${state.status}`, state.over ? "result" : "");
  }

  /** Show a panel. @param {string} name */
  selectPanel(name) {
    if (name !== this.currentPanel) this.router.navigate(() => this.showPanel(name));
  }

  /** @param {string} name */
  showPanel(name) {
    this.activePanel?.deactivate?.();
    this.currentPanel = name;
    for (const each of Object.keys(this.panels)) {
      byId(`panel-${each}`).hidden = each !== name;
      const tab = byId(`tab-${each}`);
      tab.setAttribute("aria-selected", `${each === name}`);
      tab.tabIndex = each === name ? 0 : -1;
    }
    document.body.dataset.panel = name;
    this.activePanel?.activate?.();
    this.render();
    this.analysis.refresh();
  }

  /** Select a panel and show the position of an address in it. @param {string} panel @param {URLSearchParams} query */
  async openPosition(panel, query) {
    let problem = "";
    const position = await fetchPosition(parsePositionQuery(query.toString())).catch((error) => {
      if (!(error instanceof HttpError || error instanceof ServerUnreachable)) throw error;
      problem = t("The link does not contain a valid position: {reason}", { reason: error instanceof HttpError ? error.message : t("the server does not answer") });
    });
    this.selectPanel(panel);
    if (position) this.positionState.show(position, query.has("at") ? Number(query.get("at")) : undefined);
    if (problem) this.showStatus(problem, "error");
  }
}

async function start() {
  const empty = { game: /** @type {const} */ ("max"), start: null, moves: "" }, data = JSON.parse(byId("start").textContent || "{}"); // the server sends both with the document
  if (data.position) rememberPosition(empty, describePosition(data.position));
  const [capabilities, position] = await Promise.all([data.capabilities ?? request("/"), fetchPosition(empty)]);
  const app = new App(capabilities, position);
  const play = new PlayPanel(app), learn = new LearnPanel(app);
  Object.assign(app.panels, {
    play,
    analyse: new AnalysePanel(app, play),
    review: new ReviewPanel(app, play),
    puzzles: new PuzzlePanel(app),
    learn,
  });
  for (const [name, panel] of Object.entries(app.panels)) byId(`panel-${name}`).replaceChildren(panel.element);
  play.placeSettings();
  bindTabs(app);
  bindSound(app.sounds);
  bindKeys(app);
  bindPresentation();
  if (isFirstVisit()) learn.chapter = "lesson";
  if (learn.chapter) app.selectPanel("learn");
  else await app.router.open();
}

/** Whether the page was never used in this browser, and the address names nothing else than the page. */
function isFirstVisit() {
  const named = [...new URLSearchParams(location.search).keys()].some((key) => key !== "token");
  return location.pathname === "/" && !named && !loadSetting("lesson", "") && !loadSetting("id", "");
}

/** @param {App} app */
function bindTabs(app) {
  const tabs = /** @type {HTMLElement[]} */ ([...byId("tabs").children]);
  for (const tab of tabs) tab.addEventListener("click", () => app.selectPanel(tab.id.slice("tab-".length)));
  byId("tabs").addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const at = tabs.findIndex((tab) => tab === event.target);
    const next = step && tabs[(at + step + tabs.length) % tabs.length];
    if (!next) return;
    event.preventDefault();
    event.stopPropagation();
    next.click();
    next.focus();
  });
}

/** @param {App} app */
function bindKeys(app) {
  const help = /** @type {HTMLDialogElement} */ (byId("help"));
  byId("open-help").addEventListener("click", () => help.showModal());
  help.addEventListener("click", (event) => event.target === help && help.close());
  document.addEventListener("keydown", (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.ctrlKey || event.altKey || event.metaKey || document.querySelector("dialog[open]")) return;
    if (target.closest("input:not([type=radio], [type=checkbox]), textarea, select")) return;
    const column = Number(event.key);
    if (event.key === "?") help.showModal();
    else if (event.key === "f") present(!isPresented());
    else if (event.key === "Escape" && isPresented()) present(false);
    else if (column >= 1 && column <= 7) event.repeat || app.drop(column);
    else if (app.activePanel?.handleKey?.(event.key.length === 1 ? event.key.toLowerCase() : event.key)) event.preventDefault();
    else if (event.key.startsWith("Arrow") && target === document.body) app.boardView.focusColumn(4);
    else return;
    event.preventDefault();
  });
}

function isPresented() {
  return document.body.dataset.view === "board";
}

/** Show the board alone, on the full screen if the browser allows it, or the panels again. @param {boolean} alone */
function present(alone) {
  if (alone === isPresented()) return;
  if (alone) document.body.dataset.view = "board";
  else delete document.body.dataset.view;
  const changed = alone ? document.documentElement.requestFullscreen?.() : document.fullscreenElement && document.exitFullscreen();
  changed?.catch(() => {}); // the window is large as well
}

function bindPresentation() {
  byId("present").addEventListener("click", () => present(true));
  byId("leave-presentation").addEventListener("click", () => present(false));
  document.addEventListener("fullscreenchange", () => document.fullscreenElement || present(false)); // the browser handles Escape there
}

/** Turn the sounds on or off. @param {Sounds} sounds */
function bindSound(sounds) {
  const render = () => {
    byId("sound").setAttribute("aria-pressed", `${sounds.enabled}`);
    byId("sound-name").textContent = sounds.enabled ? t("on") : t("off");
  };
  byId("sound").addEventListener("click", () => {
    sounds.setEnabled(!sounds.enabled);
    render();
  });
  render();
}

/** Switch between the themes: light, dark, or the setting of the system. */
function bindTheme() {
  const themes = ["auto", "light", "dark"];
  const choose = (/** @type {string} */ theme) => {
    document.documentElement.dataset.theme = theme;
    byId("theme-name").textContent = { auto: t("auto"), light: t("light"), dark: t("dark") }[theme] ?? "";
    saveSetting("theme", theme);
  };
  const before = loadSetting("theme", "auto");
  choose(themes.includes(before) ? before : "auto");
  byId("theme").addEventListener("click", () => {
    const at = themes.indexOf(document.documentElement.dataset.theme ?? "auto");
    choose(themes[(at + 1) % themes.length] ?? "auto");
  });
}

/** The choice of the language is a cookie, because the server translates the page. */
function bindLanguage() {
  const select = /** @type {HTMLSelectElement} */ (byId("language"));
  select.value = LANGUAGE;
  /** @type {HTMLElement} */ (select.previousElementSibling).textContent = LANGUAGE.toUpperCase();
  select.addEventListener("change", () => {
    document.cookie = `language=${select.value}; path=/; max-age=${365 * 86400}; samesite=strict`;
    location.reload();
  });
}

bindTheme();
bindLanguage();
start().catch((error) => {
  byId("status").textContent = t("The page could not be loaded: {reason} Reload it to try again.", { reason: error.message });
  byId("status").className = "error";
});
