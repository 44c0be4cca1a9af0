// The Review panel: the list of stored games, and the review of one of them.

import { API_ROOT, fetchPosition, parsePositionQuery, request, shownPositionQuery, withErrorHandling } from "./api.js";
import { gameTitle, levelName } from "./descriptions.js";
import { button, byId, element } from "./elements.js";
import { GameList } from "./game_list.js";
import { positionFromText } from "./import_export.js";
import { PLAYER_NAMES, playerNames } from "./players.js";
import { saveRegret } from "./results.js";
import { ReviewView } from "./review_view.js";
import { t } from "./translations.js";

/** @import { App, Panel } from "./app.js" */
/** @import { PlayPanel } from "./play_panel.js" */
/** @import { Game, GameName, Position } from "./types.js" */

const FORMATS = { text: t("Text"), json: "JSON", position: t("Position file") };
const STEP_KEYS = ["Home", "ArrowLeft", "ArrowRight", "End"];

/** @implements {Panel} */
export class ReviewPanel {
  /** @param {App} app @param {PlayPanel} play */
  constructor(app, play) {
    this.app = app;
    this.play = play;
    /** The reviewed game, if it is stored. @type {Game | null} */
    this.game = null;
    /** The game in Play when this panel was last opened. @type {Position | null} */
    this.lastPlayed = null;
    /** The position when this panel was hidden; null if no game was open. @type {{ position: Position, ply: number } | null} */
    this.lastShown = null;
    /** The position of another panel, offered for review. @type {Position | null} */
    this.otherPosition = null;
    this.gameList = new GameList(this);
    this.reviewView = new ReviewView(this);
    this.reviewView.client.addEventListener("change", () => this.saveRegret());
    this.fromBoard = button(t("Review the game from Analyse"), () => this.otherPosition && this.openGame(this.otherPosition));
    this.chooserTitle = element("h2", { tabindex: -1 }, t("Games"));
    this.gameChooser = element("div", { class: "game-chooser" }, this.chooserTitle, this.fromBoard, this.gameList.element, this.movesForm());
    this.title = element("h2", { tabindex: -1 });
    this.exportControls = element("div", { class: "controls export-controls" });
    this.gameReview = element("div", { class: "game-review", hidden: true },
      element("div", { class: "review-heading" }, this.title, button(t("All games"), () => this.showGameList())), this.reviewView.element, this.exportControls);
    this.element = element("section", {}, this.gameChooser, this.gameReview);
  }

  movesForm() {
    const moves = element("input", { type: "text", id: "review-moves", autocomplete: "off", spellcheck: "false", required: true, placeholder: "44535" });
    const kind = element("select", { "aria-label": t("Game") },
      ...this.app.capabilities.games.map((game) => element("option", { value: game }, gameTitle(game))));
    const review = (/** @type {Event} */ event) => {
      event.preventDefault();
      this.openText(moves.value, /** @type {GameName} */ (kind.value));
    };
    return element("form", { class: "setting", onsubmit: review },
      element("label", { for: moves.id }, t("Enter the moves of a game")),
      element("div", { class: "controls" }, moves, kind, element("button", {}, t("Review"))));
  }

  // Panel

  activate() {
    const { position } = this.app.positionState, { position: played } = this.play;
    releaseMouseFocus();
    if (position !== played && position !== this.lastShown?.position && position.history.length) this.otherPosition = position;
    const finished = played?.over && position === played && played !== this.reviewView.position; // "Review this game"
    if (played?.history.length && (played !== this.lastPlayed || finished)) this.openGame(played, this.play.game);
    else if (this.lastShown) {
      this.app.positionState.show(this.lastShown.position, this.lastShown.ply);
      this.reviewView.client.load(this.reviewView.position);
    } else this.showGameList();
    this.lastPlayed = played;
  }

  deactivate() {
    const { position, ply } = this.app.positionState;
    this.lastShown = this.canMove() ? { position, ply } : null;
    this.reviewView.close();
  }

  canMove() {
    return !this.gameReview.hidden;
  }

  /** @param {number} column */
  drop(column) {
    releaseMouseFocus();
    this.withErrorHandling(() => this.app.positionState.tryMove(column));
  }

  playerNames() {
    return this.game && this.canMove() ? this.namesOf(this.game) : PLAYER_NAMES;
  }

  /** @param {string} key */
  handleKey(key) {
    const step = STEP_KEYS.indexOf(key), back = key === "Escape" && (this.reviewView.onBranch || this.reviewView.betterPly !== null);
    if (!this.canMove() || (step < 0 && !back)) return false;
    if (step >= 0) this.reviewView.takeStep(step);
    else if (this.reviewView.onBranch) this.reviewView.leaveBranch();
    else this.reviewView.toggleBetterMove();
    return true;
  }

  address() {
    if (!this.canMove()) return "/review";
    const { position, commonPlies, ply } = this.reviewView, at = Math.min(commonPlies, ply);
    if (!this.game) return `/review?${shownPositionQuery(position, at)}`;
    return `/review/${this.game.id}${at < position.history.length ? `?at=${at}` : ""}`;
  }

  /** @param {string} id of a stored game, or an empty string @param {URLSearchParams} query with the moves of a game that is not stored */
  async openAddress(id, query) {
    /** @type {Game | null | undefined} */
    const game = id ? await this.withErrorHandling(() => request(`/games/${encodeURIComponent(id)}`)) : null;
    const position = game?.position ?? (query.has("moves") ? await this.withErrorHandling(() => fetchPosition(parsePositionQuery(query.toString()))) : null);
    this.lastPlayed = this.play.position; // otherwise the panel would open that game
    this.lastShown = null;
    this.app.selectPanel("review");
    if (!position) return this.showGameList();
    const at = query.has("at") ? Number(query.get("at")) : undefined;
    if (position.moves === this.reviewView.position.moves && game?.id === this.game?.id && this.canMove()) this.reviewView.goTo(at ?? position.history.length);
    else this.openGame(position, game ?? null, at);
  }

  // Games

  showGameList() {
    this.app.router.navigate(() => this.openList());
  }

  openList() {
    this.reviewView.close();
    this.fromBoard.hidden = !this.otherPosition;
    this.gameChooser.hidden = false;
    this.gameReview.hidden = true;
    this.gameList.load();
    this.app.render();
    this.app.showStatus(t("Choose a game to review."));
    this.chooserTitle.focus({ preventScroll: true });
  }

  /** Open a game for review. @param {Position} position @param {Game | null} [game] @param {number} [ply] */
  openGame(position, game = null, ply) {
    this.app.router.navigate(() => this.showGame(position, game, ply));
  }

  /** @param {Position} position @param {Game | null} game @param {number} [ply] */
  showGame(position, game, ply) {
    this.reviewView.close();
    this.game = game;
    this.gameChooser.hidden = true;
    this.gameReview.hidden = false;
    this.title.textContent = this.playerNames().join(" – ");
    this.exportControls.replaceChildren(
      ...(game ? [t("Export as")] : [button(t("Save this game"), () => this.storeGame(position)), t("or export as")]),
      ...Object.entries(FORMATS).map(([format, label]) => button(label, () => this.exportGame(format))));
    this.reviewView.open(position, ply);
    this.title.focus({ preventScroll: true });
    byId("board-section").scrollIntoView({ block: "nearest" });
  }

  /** @param {string} text @param {GameName} game */
  async openText(text, game) {
    const played = () => fetchPosition({ game, start: null, moves: text.replaceAll(/\s/g, "") });
    const position = await this.withErrorHandling(() => positionFromText(text, game, played));
    if (position?.history.length) this.openGame(position);
    else if (position) this.app.showStatus(t("The position has no moves to review."), "error");
  }

  /** Continue a stored game. @param {Game} game */
  resumeGame(game) {
    this.play.resumeGame(game);
    this.app.selectPanel("play");
    this.app.boardView.focusColumn(4); // the clicked button is hidden now
  }

  /** @param {string} id */
  gameDeleted(id) {
    if (this.play.game?.id === id) this.play.leaveGame();
    this.app.showStatus(t("Game deleted."));
  }

  /** Save a line as a game. @param {Position} position */
  async storeGame(position) {
    const { game: kind, moves, start } = position, players = this.game?.players ?? ["person", "person"];
    const game = await this.withErrorHandling(() => request("/games", { body: { game: kind, players, moves, ...(start && { start }) } }));
    if (!game) return;
    this.openGame(game.position, game, this.app.positionState.ply);
    this.app.showStatus(t("Saved. The game is at the top of your list."));
  }

  /** Export the game as a file. The server exports stored games, so an unsaved game is saved first. @param {string} format */
  async exportGame(format) {
    if (!this.game) await this.storeGame(this.reviewView.position);
    if (this.game) element("a", { href: `${API_ROOT}/games/${this.game.id}/export?as=${format}`, download: true }).click();
  }

  /** Store the regret of the reviewed game for the results of the user. */
  saveRegret() {
    const { review } = this.reviewView.client;
    if (review && this.game && this.reviewView.position === this.game.position) saveRegret(this.game, review);
  }

  /** @param {string} key the game and the user's opponent, such as "max level:3", or only the game */
  describeOpponent(key) {
    const [game, opponent] = /** @type {[GameName, string]} */ (key.split(" "));
    const level = this.app.capabilities.levels[game].find((each) => `level:${each.level}` === opponent);
    const name = level ? t("Level {level}: {name}", { level: level.level, name: levelName(level) }) : t("Other games");
    return game === "max" ? name : t("Classic, {name}", { name });
  }

  /** @param {{ players: [string, string], game: GameName }} game @returns {[string, string]} */
  namesOf({ players, game }) {
    return playerNames(this.app.capabilities, game, players);
  }

  /**
   * Run an action and show its errors.
   * @template T
   * @param {() => Promise<T>} action
   * @returns {Promise<T | undefined>}
   */
  withErrorHandling(action) {
    return withErrorHandling(action, (message) => this.app.showStatus(message, "error"));
  }
}

/** Remove the focus that a mouse click has set, so that the arrow keys step through the game. */
function releaseMouseFocus() {
  const { activeElement: on } = document;
  if (on instanceof HTMLElement && !on.matches(":focus-visible")) on.blur();
}
