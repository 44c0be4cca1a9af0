// The Play panel: a game between people and computer players. The server stores the game.

import { fetchPosition, HttpError, positionQuery, request, ServerUnreachable } from "./api.js";
import { reducedMotion } from "./board_drawing.js";
import { gameTitle, hintText } from "./descriptions.js";
import { button, byId, element, iconButton, setEnabled } from "./elements.js";
import { FriendGame } from "./friend_game.js";
import { playerNames, PlayerSelect } from "./players.js";
import { opponentOf, suggestLevel } from "./results.js";
import { positionAfter } from "./rules.js";
import { loadSetting, saveSetting } from "./settings.js";
import { t } from "./translations.js";

/** @import { App, Panel } from "./app.js" */
/** @import { Choice, Game, Position } from "./types.js" */

const SUGGESTION_GAMES = 50; // the last games, among which there may be some against the same level
const ANSWER_PAUSE = 400; // milliseconds between the end of a move's animation and the computer's move
const WATCHING_PAUSE = 700; // milliseconds before a move if only computers play
const RETRY_INTERVAL = 1000; // milliseconds until a request is repeated if the server was unreachable or busy
const ICONS = {
  undo: "M6.5 3 3 6.5 6.5 10M3 6.5h6a3.7 3.7 0 0 1 0 7.5H6",
  redo: "M9.5 3 13 6.5 9.5 10M13 6.5H7a3.7 3.7 0 0 0 0 7.5h3",
  hint: "M8 1.5a4.4 4.4 0 0 0-2.3 8.2V12h4.6V9.7A4.4 4.4 0 0 0 8 1.5M6.5 14.5h3",
  newGame: "M8 2.5v11M2.5 8h11",
  settings: "M2 4.5h12M5.5 2.5v4M2 11.5h12M10.5 9.5v4",
  pause: "M5.5 3v10M10.5 3v10",
};
const smallScreen = matchMedia("(max-width: 860px), (max-height: 560px) and (max-width: 1000px)");
const CONFLICT = 409, NOT_FOUND = 404, BUSY = 503;

/** @param {number} milliseconds */
function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** @implements {Panel} */
export class PlayPanel {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** The stored game, null before its first move. @type {Game | null} */
    this.game = null;
    /** The position with the user's moves that the server has not confirmed yet. @type {Position | null} */
    this.position = null;
    /** The position in which the game begins. @type {Position | null} */
    this.startPosition = null;
    /** The request under way. @type {"" | "drop" | "computer" | "undo" | "redo" | "players"} */
    this.busyWith = "";
    this.paused = false;
    this.revision = 0; // counts changes, so that late responses are ignored
    this.session = 0; // counts games, so that changes of an earlier game are dropped
    this.abortController = new AbortController(); // aborts the search for the computer's move or a hint
    /** The last change of the game by the user; it is never cancelled. @type {Promise<unknown>} */
    this.pendingChange = Promise.resolve();

    this.playerSelect = new PlayerSelect(app.capabilities);
    this.playerSelect.addEventListener("change", () => this.playersChanged());
    app.boardView.addEventListener("settled", () => this.moveSettled());
    this.undoButton = iconButton(ICONS.undo, t("Undo"), () => this.undoOrRedo("undo"), { title: t("Undo the last move (u)") });
    this.redoButton = iconButton(ICONS.redo, t("Redo"), () => this.undoOrRedo("redo"), { title: t("Redo the undone move (r)") });
    this.hintButton = iconButton(ICONS.hint, t("Hint"), () => this.showHint(), { title: t("Show the best column (h)") });
    this.pauseButton = iconButton(ICONS.pause, t("Pause"), () => this.togglePause());
    this.newGameButton = iconButton(ICONS.newGame, t("New game"), () => this.newGame(), { title: t("Start a new game (n)") });
    this.settingsButton = iconButton(ICONS.settings, t("Settings"), () => this.settingsSheet.showModal(), { "aria-haspopup": "dialog" });
    /** Set while the game is between two people in two browsers. @type {FriendGame | null} */
    this.friend = null;
    this.friendButton = button(t("Play a friend"), () => this.inviteFriend(), { title: t("Start a game with another person, who opens a link") });
    this.friendBox = element("div");
    this.resultBox = element("div", { class: "game-result", hidden: true });
    /** The offer of another level after a game. */
    this.suggestion = button("", () => this.trySuggestedLevel(), { hidden: true });
    this.suggestedLevel = 0;
    byId("actions").replaceChildren(this.resultBox, this.friendBox,
      element("div", { class: "actions" }, this.undoButton, this.redoButton, this.hintButton, this.pauseButton, this.newGameButton, this.settingsButton));
    this.element = element("section", {}, this.playerSelect.element, element("div", { class: "controls" }, this.friendButton));
    this.settingsSheet = this.sheet();
    smallScreen.addEventListener("change", () => this.placeSettings());
  }

  /** The dialog with the settings on a small screen. */
  sheet() {
    const made = element("dialog", { class: "sheet", "aria-label": t("Settings"), onclick: (event) => event.target === made && made.close() },
      element("form", { method: "dialog" }, element("button", { class: "primary" }, t("Done"))));
    document.body.append(made);
    return made;
  }

  /** Move the settings to the dialog on a small screen, otherwise to the panel. */
  placeSettings() {
    if (smallScreen.matches) this.settingsSheet.prepend(this.element);
    else byId("panel-play").replaceChildren(this.element);
    if (!smallScreen.matches) this.settingsSheet.close();
    this.settingsButton.hidden = !smallScreen.matches;
  }

  // Panel

  activate() {
    if (!this.position) return void this.resumeOrStart(); // the page was opened by a link to a position
    this.app.positionState.show(this.position);
    this.showPositionStatus();
    this.renderControls();
    this.playComputerMoves();
  }

  canMove() {
    return ["", "drop", "players"].includes(this.busyWith) && this.toMove === "person" && (!this.friend || this.friend.player === this.position?.to_move);
  }

  /** @returns {[string, string]} */
  playerNames() {
    if (this.friend?.player) return this.friend.player === 1 ? [t("You"), t("Friend")] : [t("Friend"), t("You")];
    const kind = this.game?.game ?? this.playerSelect.game;
    return playerNames(this.app.capabilities, kind, this.players);
  }

  /** @param {string} key */
  handleKey(key) {
    const action = { u: this.undoButton, r: this.redoButton, h: this.hintButton, n: this.newGameButton }[key];
    action?.click();
    return action !== undefined;
  }

  address() {
    return this.game ? `/play/${this.game.id}` : "/";
  }

  /** @param {string} id of a stored game, or an empty string @param {URLSearchParams} query `join` of a link for a friend */
  async openAddress(id, query) {
    if (!id) return this.resumeOrStart();
    const game = id === this.game?.id ? this.game : await request(`/games/${encodeURIComponent(id)}`).catch(() => null);
    if (!game) {
      await this.newGame();
      return this.app.showStatus(t("This game does not exist. It may have been deleted."), "error");
    }
    if (query.has("join")) await this.joinGame(game);
    else if (game !== this.game) await this.resumeWithFriend(game);
    if (this.app.currentPanel === "play") this.activate();
    else this.app.selectPanel("play");
  }

  // The game

  get players() {
    return this.game?.players ?? this.playerSelect.players;
  }

  get busy() {
    return this.busyWith !== "";
  }

  /** The position as the server has stored it. */
  get storedPosition() {
    return this.game?.position ?? this.startPosition;
  }

  /** The player to move: `person`, a level, or undefined once the game is over. */
  get toMove() {
    return this.position && !this.position.over ? this.players[this.position.to_move - 1] : undefined;
  }

  /** Resume the game of the last visit, or start a new one. */
  async resumeOrStart() {
    const id = loadSetting("id", "");
    const game = id && (await request(`/games/${encodeURIComponent(id)}`).catch(() => null));
    if (game) {
      await this.resumeWithFriend(game);
      return this.app.currentPanel === "play" ? this.activate() : this.app.selectPanel("play");
    }
    if (!this.playerSelect.players.includes("person")) this.playerSelect.set(this.playerSelect.game, ["person", this.playerSelect.players[1]]);
    await this.newGame();
  }

  /**
   * Start a new game with the selected players, or with others from a position.
   * @param {Position} [from]
   * @param {[string, string]} [players]
   */
  async newGame(from, players) {
    const focused = document.activeElement;
    const left = this.game?.position.history.length && !this.game.position.over ? `${t("Your last game is saved in Review.")} ` : "";
    this.leaveGame();
    if (from) this.playerSelect.set(from.game, players);
    const position = from ?? (await this.withRetry(() => fetchPosition({ game: this.playerSelect.game, start: null, moves: "" }))) ?? this.position;
    if (!position) return;
    this.position = this.startPosition = position;
    this.app.router.navigate(() => {
      this.app.selectPanel("play");
      this.app.positionState.show(position);
    });
    const red = this.position.to_move === 1;
    const how = this.toMove !== "person" ? this.position.description
      : red ? t("Red to move: choose a column, 1 to 7.") : t("Green to move: choose a column, 1 to 7.");
    this.app.showStatus(this.position.history.length || this.position.start ? this.position.description : `${t("New game.")} ${left}${how}`);
    this.renderControls();
    if (!focused?.checkVisibility()) this.app.boardView.focusColumn(4); // the button that started the game is hidden now
    this.playComputerMoves();
  }

  /** Resume a stored game. @param {Game} game */
  resumeGame(game) {
    this.leaveGame();
    this.setGame(game);
    this.playerSelect.set(game.game, game.players);
  }

  // A game between two people in two browsers

  /** Start a game with another person, who opens a link. */
  async inviteFriend() {
    const game = await this.withRetry(() => request("/games", { body: { game: this.playerSelect.game, players: ["person", "person"] } }));
    if (!game) return;
    this.settingsSheet.close();
    await this.joinGame(game);
    this.app.render();
  }

  /** Take a colour in a game; without a free one this browser is a spectator. @param {Game} game */
  async joinGame(game) {
    const friend = new FriendGame(game.id);
    await friend.takeSeat();
    this.followGame(game, friend);
  }

  /** Resume a stored game, which may be one with another person. @param {Game} game */
  async resumeWithFriend(game) {
    const friend = new FriendGame(game.id);
    await friend.findSeat().catch(() => {});
    if (friend.player) this.followGame(game, friend);
    else this.resumeGame(game);
  }

  /** @param {Game} game @param {FriendGame} friend */
  followGame(game, friend) {
    this.app.router.navigate(() => {
      this.leaveGame();
      this.friend = friend;
      this.setGame(game);
    });
    friend.render();
    this.friendBox.replaceChildren(friend.element);
    friend.addEventListener("change", () => this.friendChanged());
    friend.watch();
    this.showPositionStatus();
  }

  /** Show the move of the other person, or the rematch. */
  async friendChanged() {
    const { friend } = this, game = friend?.latest?.game, rematch = friend?.latest?.rematch;
    if (!friend || !game || this.busy) return;
    if (game.position.history.length > (this.position?.history.length ?? 0)) {
      this.setGame(game);
      this.showPositionStatus();
    }
    this.app.render();
    if (rematch && friend.player) await this.startRematch();
  }

  /** Start the next game with the same person and swapped colours, or join it. */
  async startRematch() {
    const { friend } = this;
    if (!friend) return;
    const game = await this.withRetry(() => friend.startRematch());
    if (!game || friend !== this.friend) return;
    await this.resumeWithFriend(game);
    this.app.render();
  }

  leaveGame() {
    this.friend?.close();
    this.friend = null;
    this.friendBox.replaceChildren();
    this.cancelRequests();
    this.session++;
    this.paused = false;
    this.suggestion.hidden = true;
    this.game = null;
    saveSetting("id", "");
  }

  /** Ignore the responses of all requests under way, and cancel searches. */
  cancelRequests() {
    this.revision++;
    this.busyWith = "";
    this.abortController.abort();
    this.abortController = new AbortController();
    return this.revision;
  }

  /** Show a game as the server has stored it. @param {Game} game */
  setGame(game) {
    const ended = game.position.over && this.game?.id === game.id && !this.game.position.over;
    this.game = game;
    const ahead = this.busyWith === "drop" && this.position?.moves.startsWith(game.position.moves); // of a slow server
    if (!ahead || !this.position) this.position = game.position;
    saveSetting("id", game.id);
    if (ended) this.suggestLevel();
    if (this.app.currentPanel === "play") this.app.positionState.show(this.position);
    this.app.router.update();
    this.renderControls();
  }

  /** Make a move for the user. The second click of a double click is ignored. @param {number} column @param {boolean} [doubleClick] */
  async drop(column, doubleClick = false) {
    if (this.canMove() && !doubleClick) await this.changeGame("drop", { column });
  }

  /** Request the computer's moves while it is its turn. */
  async playComputerMoves() {
    while (this.toMove !== undefined && this.toMove !== "person" && !this.busy && !this.paused) {
      if (this.app.currentPanel !== "play") return;
      const revision = this.revision;
      if (!this.players.includes("person")) {
        await pause(WATCHING_PAUSE);
        if (revision !== this.revision || this.paused || this.busy) return;
      }
      if (!(await this.changeGame("computer", {}))) return;
    }
  }

  /** Whether a move can be undone: a person's move, or any move if only computers play. */
  get canUndo() {
    const watching = !this.players.includes("person");
    if (this.friend) return false;
    return this.position?.history.some(({ player }) => watching || this.players[player - 1] === "person") ?? false;
  }

  /** @param {"undo" | "redo"} action */
  async undoOrRedo(action) {
    this.paused = !this.players.includes("person");
    await this.changeGame(action, {});
  }

  /**
   * Change the stored game. Returns whether the change succeeded and is still the latest one.
   * @param {"drop" | "computer" | "undo" | "redo"} action
   * @param {any} body
   */
  async changeGame(action, body) {
    const revision = this.cancelRequests();
    this.busyWith = action;
    const before = this.position;
    if (action === "drop" && before) {
      this.position = positionAfter(before, body.column);
      this.app.positionState.show(this.position);
    }
    this.renderControls();
    const { session, pendingChange, abortController: { signal } } = this;
    const changed = this.withRetry(async () => {
      await pendingChange; // one change after the other: a move must be stored before it can be undone
      if (session !== this.session) return undefined;
      if ((action === "undo" && !this.canUndo) || (action === "redo" && !this.game?.future)) return undefined;
      if (action === "drop" && this.storedPosition?.moves !== before?.moves) return undefined; // the server has refused the move before it
      const game = this.game ?? (await this.createGame());
      if (session !== this.session) return undefined; // a new game has started
      this.game = game;
      return this.sendChange(game, action, body, action === "computer" ? signal : undefined);
    }, revision);
    if (action !== "computer") this.pendingChange = changed.catch(() => {});
    const game = await changed;
    if (action === "computer") await this.waitForAnimation(ANSWER_PAUSE);
    if (game && revision !== this.revision && action !== "computer" && session === this.session) this.setGame(game);
    if (revision !== this.revision) return false;
    this.busyWith = "";
    if (game) {
      this.setGame(game);
      this.showPositionStatus({ drop: "", computer: "", undo: `${t("Move undone.")} `, redo: `${t("Move redone.")} ` }[action], action === "undo");
    } else if (this.storedPosition && this.position !== this.storedPosition) { // the server has refused the move
      this.position = this.storedPosition;
      if (this.app.currentPanel === "play") this.app.positionState.show(this.position);
    }
    this.app.render();
    this.renderControls();
    if (action !== "computer") this.playComputerMoves();
    this.friendChanged(); // the other person may have answered meanwhile
    return game !== undefined;
  }

  /** Wait for the end of the last move's animation, and if there is one, some more. @param {number} milliseconds */
  async waitForAnimation(milliseconds) {
    await this.app.boardView.settled;
    if (!reducedMotion.matches) await pause(milliseconds);
  }

  /**
   * Send a change. A game that has been deleted is stored again first. If the computer has moved meanwhile, the change is repeated.
   * @param {Game} game
   * @param {string} action
   * @param {object} body
   * @param {AbortSignal} [signal]
   * @returns {Promise<Game>}
   */
  async sendChange(game, action, body, signal) {
    const send = (/** @type {Game} */ { id, position }) => request(`/games/${id}/${action}`, { body: { ...body, at: position.history.length, ...(this.friend && { seat: this.friend.secret }) }, signal });
    try {
      return await send(game);
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      if (error.status === NOT_FOUND) return send(await this.createGame());
      if (error.status !== CONFLICT || !error.body.game || action === "drop") throw error;
      return action === "computer" ? error.body.game : send(error.body.game); // the computer had moved
    }
  }

  /** @returns {Promise<Game>} */
  async createGame() {
    const { game, start, moves } = this.storedPosition ?? { game: this.playerSelect.game, start: null, moves: "" };
    return request("/games", { body: { game, players: this.players, moves, ...(start && { start }) } });
  }

  /**
   * Send a request and show errors. The request is repeated while the server is unreachable or busy.
   * @template T
   * @param {() => Promise<T>} send
   * @param {number} [revision]
   * @returns {Promise<T | undefined>}
   */
  async withRetry(send, revision = this.revision) {
    for (;;) {
      try {
        return await send();
      } catch (error) {
        if (revision !== this.revision) return undefined;
        const busy = error instanceof HttpError && error.status === BUSY;
        if (error instanceof HttpError && !busy) {
          if (error.body?.game?.position) this.setGame(error.body.game);
          this.showStatus(error.message, "error");
          return undefined;
        }
        if (!busy && !(error instanceof ServerUnreachable)) throw error;
        this.showStatus(busy ? error.message : `${error.message} ${t("Your game resumes when the server is back.")}`, "error");
        await pause(RETRY_INTERVAL);
        if (revision === this.revision && !busy) await this.reloadGame(revision);
        if (revision !== this.revision) return undefined;
      }
    }
  }

  /** Load the game again, in case a request without a response has changed it. @param {number} revision */
  async reloadGame(revision) {
    if (!this.game) return;
    try {
      const game = await request(`/games/${this.game.id}`);
      if (revision !== this.revision || game.position.moves === this.game.position.moves) return;
      this.cancelRequests();
      this.setGame(game);
      this.showPositionStatus();
      this.app.render();
      this.playComputerMoves();
    } catch {
      // still unreachable: the request is repeated
    }
  }

  async showHint() {
    if (!this.position || this.toMove !== "person" || this.friend) return;
    const { revision, abortController: { signal } } = this;
    await this.pendingChange;
    if (revision !== this.revision) return;
    this.app.showStatus(t("Searching for the best column …"));
    /** @type {Choice | undefined} */
    const choice = await this.withRetry(() => request(`/choice?${positionQuery(this.app.positionState.spec)}`, { signal }));
    if (!choice || revision !== this.revision || this.app.currentPanel !== "play") return;
    this.app.boardView.showHint(choice.column);
    this.app.showStatus(hintText({ game: this.position.game, ...this.app.positionState.boardState }, choice));
  }

  togglePause() {
    this.paused = !this.paused;
    this.renderControls();
    this.playComputerMoves();
  }

  /** Continue with other players, or start the other game if the board is empty. */
  async playersChanged() {
    const { game: kind, players } = this.playerSelect;
    if (this.position && this.position.game !== kind) {
      await this.pendingChange;
      if (this.position.history.length || this.position.start) return this.app.showStatus(t("Press New game to switch to {game}.", { game: gameTitle(kind) }));
      return this.newGame();
    }
    const revision = this.cancelRequests();
    if (this.game) {
      const { session, pendingChange, game: { id } } = this, before = this.game;
      this.busyWith = "players"; // until the server has answered; a person may move in the meantime
      this.game = { ...this.game, players };
      this.app.render();
      const changed = this.withRetry(async () => {
        await pendingChange;
        return request(`/games/${id}`, { method: "PATCH", body: { players } });
      }, revision);
      this.pendingChange = changed.catch(() => {});
      const game = await changed;
      if (game && revision !== this.revision && session === this.session) this.setGame(game);
      if (revision !== this.revision) return;
      this.busyWith = "";
      if (game || this.game.players === players) this.setGame(game ?? before);
    }
    this.app.render();
    this.renderControls();
    if (this.game?.position.history.length || players.includes("person")) this.playComputerMoves();
    else this.app.showStatus(t("Press New game to watch the computers play."));
  }

  // Status and controls

  /** Show a message if this panel is still shown. @param {string} message @param {"" | "result" | "error"} [kind] */
  showStatus(message, kind) {
    if (this.app.currentPanel === "play") this.app.showStatus(message, kind);
  }

  /** Show the last move and the player to move. @param {string} [prefix] @param {boolean} [onlyStatus] whether to leave out the last move */
  showPositionStatus(prefix = "", onlyStatus = false) {
    if (!this.position?.description) return; // the server has not answered yet
    const { position, app: { boardView } } = this;
    const message = onlyStatus ? position.status : position.description;
    const show = () => position === this.position && this.showStatus(prefix + message, position.over ? "result" : "");
    if (boardView.settled) boardView.settled.then(show);
    else show();
  }

  /** Celebrate the end of a game, unless the computer has beaten the user. */
  moveSettled() {
    const { position } = this.app.positionState, { over, winner } = position;
    if (this.app.currentPanel !== "play" || !over) return;
    const lost = winner !== null && this.players.includes("person") && this.players[winner - 1] !== "person";
    this.app.sounds.end(winner === null ? "draw" : lost ? "loss" : "win");
    if (winner && !lost) this.app.boardView.celebrate(winner);
    this.renderControls();
  }

  renderControls() {
    const watching = !this.players.includes("person");
    this.playerSelect.element.hidden = this.friend !== null;
    setEnabled(this.undoButton, this.canUndo);
    setEnabled(this.redoButton, Boolean(this.game?.future));
    setEnabled(this.hintButton, this.toMove === "person" && !this.friend);
    this.pauseButton.hidden = !watching || !this.position || this.position.over;
    /** @type {HTMLElement} */ (this.pauseButton.lastElementChild).textContent = this.paused ? t("Resume") : t("Pause");
    document.body.classList.toggle("thinking", this.busy && this.toMove !== "person");
    const over = Boolean(this.position?.over && !this.app.boardView.settled);
    this.resultBox.hidden = !over;
    if (this.position && over)
      this.resultBox.replaceChildren(
        element("p", { class: "headline" }, this.resultHeadline(this.position)),
        element("p", {}, this.position.result ?? ""),
        element("div", { class: "controls" },
          button(t("Rematch"), () => this.rematch(), { class: "primary", title: t("The same players, with the other colours") }),
          button(t("Review this game"), () => this.app.selectPanel("review")), this.suggestion));
  }

  /** The result for the user: "You won by 2". @param {Position} position over */
  resultHeadline({ game, winner, points }) {
    if (!winner) return t("A draw");
    const margin = Math.abs(points[0] - points[1]), people = this.players.filter((player) => player === "person").length;
    if (people !== 1 && !this.friend?.player) {
      const who = { winner: this.playerNames()[winner - 1] ?? "", margin };
      return game === "max" ? t("{winner} won by {margin}", who) : t("{winner} won", who);
    }
    const won = this.friend ? winner === this.friend.player : this.players[winner - 1] === "person";
    if (game !== "max") return won ? t("You won") : t("You lost");
    return won ? t("You won by {margin}", { margin }) : t("You lost by {margin}", { margin });
  }

  /** Offer another level if the user's last results against this one are clear. */
  async suggestLevel() {
    const { session, players } = this, kind = this.position?.game, opponent = opponentOf({ players });
    if (!kind || !opponent) return;
    const answer = await request(`/games?limit=${SUGGESTION_GAMES}`).catch(() => null); // only an offer
    const level = answer && suggestLevel(answer.games, kind, opponent, this.app.capabilities.levels[kind].length);
    if (!level || session !== this.session) return;
    this.suggestedLevel = level;
    this.suggestion.textContent = t("Try level {level}", { level });
    this.suggestion.hidden = false;
  }

  trySuggestedLevel() {
    const players = /** @type {[string, string]} */ (this.players.map((player) => (player === "person" ? player : `level:${this.suggestedLevel}`)));
    this.playerSelect.set(this.playerSelect.game, players);
    this.playerSelect.save();
    return this.newGame();
  }

  /** Start a game of the same players with the other colours. */
  rematch() {
    if (this.friend?.player) return void this.startRematch();
    if (this.players[0] !== this.players[1]) this.playerSelect.swap();
    return this.newGame();
  }
}
