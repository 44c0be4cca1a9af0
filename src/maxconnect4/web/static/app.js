// The page: its board, status line, panels, tabs, keyboard shortcuts and theme.

import { AnalysePanel } from "./analyse_panel.js";
import { AnalysisClient } from "./analysis_client.js";
import { fetchPosition, HttpError, parsePositionQuery, request } from "./api.js";
import { pieceIcon } from "./board_drawing.js";
import { BoardView } from "./board_view.js";
import { byId, element, plural, toSentence } from "./elements.js";
import { LearnPanel } from "./learn_panel.js";
import { PlayPanel } from "./play_panel.js";
import { PLAYER_NAMES } from "./players.js";
import { PositionState } from "./position_state.js";
import { ReviewPanel } from "./review_panel.js";
import { loadSetting, saveSetting } from "./settings.js";

/** @import { BoardState } from "./position_state.js" */
/** @import { Capabilities, Player, Position } from "./types.js" */

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
 */

const OBJECTIVES = { max: "Every four in a row scores a point, until the board is full.", classic: "The first four in a row wins." };

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
    this.positionState.addEventListener("change", () => this.render());
    this.positionState.addEventListener("preview", () => this.boardView.preview(this.positionState.previewMoves));
  }

  get activePanel() {
    return this.panels[this.currentPanel];
  }

  /** Drop a piece into a column. @param {number} column @param {boolean} [doubleClick] */
  drop(column, doubleClick = false) {
    if (!this.activePanel?.canMove()) return;
    if (this.activePanel.boardState?.() || this.positionState.boardState.columns.includes(column)) this.activePanel.drop(column, doubleClick);
    else if (!this.positionState.boardState.over) this.showStatus(`Column ${column} is full.`, "error");
  }

  /** Draw the board and the points. */
  render() {
    const state = this.activePanel?.boardState?.() ?? this.positionState.boardState;
    this.boardView.update(state, this.activePanel?.canMove() ?? false);
    this.boardView.showHint(null);
    const names = this.activePanel?.playerNames?.() ?? PLAYER_NAMES;
    const { game, winner } = this.positionState.position;
    byId("objective").textContent = OBJECTIVES[game];
    byId("points").replaceChildren(...state.points.map((points, index) => {
      const player = /** @type {Player} */ (index + 1);
      const toMove = !state.over && state.toMove === player, won = state.over && winner === player;
      const who = names[index] ?? "", colour = PLAYER_NAMES[index] ?? "", named = who !== colour;
      const counted = game === "max"; // the classic game has no points
      const label = [colour, ...(named ? [who] : []), ...(counted ? [plural(points, "point")] : []), ...(toMove ? ["to move"] : won ? ["wins"] : [])].join(", ");
      const suffix = toMove ? [element("span", { class: "waiting" }, "to move"), element("span", { class: "computing" }, "thinking …")] : won ? ["wins"] : [];
      return element("div", { class: `player ${index ? "green" : "red"}${toMove ? " to-move" : won ? " won" : ""}`, role: "img", "aria-label": label },
        pieceIcon(player),
        element("span", { class: "player-name" }, element("span", {}, who), element("small", {},
          element("span", { class: "colour" }, named ? `${colour.toLowerCase()}${suffix.length ? ", " : ""}` : ""), ...suffix)),
        counted ? element("b", {}, `${points}`) : "");
    }));
  }

  /** Show a message below the board, which screen readers announce. @param {string} message @param {"" | "result" | "error"} [kind] */
  showStatus(message, kind = "") {
    const status = byId("status");
    status.className = kind;
    status.textContent = toSentence(message);
  }

  /** Show the last move and the player to move. */
  showMoveStatus() {
    const { position, boardState: state } = this.positionState;
    const lastMove = state.last?.description ?? (position.start ? "Position set up." : "Empty board.");
    this.showStatus(`${lastMove} ${state.status}`, state.over ? "result" : "");
  }

  /** Show a panel. @param {string} name */
  selectPanel(name) {
    if (name === this.currentPanel) return;
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
}

async function start() {
  const link = parsePositionQuery(location.search);
  const linked = new URLSearchParams(location.search).has("game") || Boolean(link.start || link.moves);
  const emptyBoard = fetchPosition({ game: "max", start: null, moves: "" });
  const [capabilities, position] = await Promise.all([request("/"), linked ? fetchPosition(link).catch(linkError) : emptyBoard]);
  const app = new App(capabilities, position ?? (await emptyBoard));
  const play = new PlayPanel(app);
  Object.assign(app.panels, {
    play,
    analyse: new AnalysePanel(app, play),
    review: new ReviewPanel(app, play),
    learn: new LearnPanel(app),
  });
  for (const [name, panel] of Object.entries(app.panels)) byId(`panel-${name}`).replaceChildren(panel.element);
  bindTabs(app);
  bindKeys(app);
  if (linked) app.selectPanel("analyse");
  else await play.resumeOrStart();
  if (linked && !position) app.showStatus(linkProblem, "error");
}

let linkProblem = ""; // the reason why the position in the address cannot be shown

/** @param {unknown} error */
function linkError(error) {
  linkProblem = `The link does not contain a valid position: ${error instanceof HttpError ? error.message : "the server does not answer"}`;
  return null;
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
    else if (column >= 1 && column <= 7) event.repeat || app.drop(column);
    else if (app.activePanel?.handleKey?.(event.key.length === 1 ? event.key.toLowerCase() : event.key)) event.preventDefault();
    else if (event.key.startsWith("Arrow") && target === document.body) app.boardView.focusColumn(4);
    else return;
    event.preventDefault();
  });
}

/** Switch between the themes: light, dark, or the setting of the system. */
function bindTheme() {
  const themes = ["auto", "light", "dark"];
  const choose = (/** @type {string} */ theme) => {
    document.documentElement.dataset.theme = theme;
    byId("theme-name").textContent = theme;
    saveSetting("theme", theme);
  };
  const before = loadSetting("theme", "auto");
  choose(themes.includes(before) ? before : "auto");
  byId("theme").addEventListener("click", () => {
    const at = themes.indexOf(document.documentElement.dataset.theme ?? "auto");
    choose(themes[(at + 1) % themes.length] ?? "auto");
  });
}

bindTheme();
start().catch((error) => {
  byId("status").textContent = `The page could not be loaded: ${error.message} Reload it to try again.`;
  byId("status").className = "error";
});
