// Playing: a game that the server keeps, between people and computers.

import { ask, describe, naming, Refused, Unreachable } from "./api.js";
import { NAMES, playerName } from "./desk.js";
import { button, element } from "./elements.js";
import { remember, remembered } from "./settings.js";

/** @import { Choice, Game, GameName, Position } from "./types.js" */
/** @import { Desk, Panel } from "./desk.js" */

const PACE = 700; // milliseconds between the moves of two computers
const AGAIN = 1000; // until a server that did not answer is asked again
export const GAMES = /** @type {Record<GameName, string>} */ ({ max: "Max-Connect4", classic: "Classic four in a row" });

/** @implements {Panel} */
export class PlayPanel {
  /** @param {Desk} desk */
  constructor(desk) {
    this.desk = desk;
    /** The game that is being played, null before its first drop. @type {Game | null} */
    this.game = null;
    /** @type {GameName} */
    this.kind = remembered("game", "max") === "classic" ? "classic" : "max";
    /** @type {[string, string]} */
    this.players = [remembered("red", "person"), remembered("green", "level:3")];
    /** @type {Position | null} */
    this.position = null;
    this.busy = false;
    this.paused = false;
    this.turn = 0; // what is under way for an earlier turn does not count any more

    this.undo = button("Undo", () => this.back("undo"), { title: "Take back (u)" });
    this.redo = button("Redo", () => this.back("redo"), { title: "Play it again (r)" });
    this.hint = button("Hint", () => this.giveHint(), { title: "Which column is best? (h)" });
    this.pause = button("Pause", () => this.togglePause());
    this.fresh = button("New game", () => this.begin(), { title: "Begin anew (n)", class: "primary" });
    this.end = element("div", { class: "end", hidden: true });
    this.settings = element("form", { class: "settings", onsubmit: (/** @type {Event} */ event) => event.preventDefault() });
    this.element = element("section", {},
      element("div", { class: "controls" }, this.undo, this.redo, this.hint, this.pause),
      this.end, this.settings, element("div", { class: "controls" }, this.fresh));
    this.drawSettings();
  }

  // What the desk asks

  shown() {
    if (!this.position) return void this.begin(); // the page was opened with a link
    this.desk.showing.show(this.position);
    this.sayPosition();
    this.drawControls();
    this.go();
  }

  open() {
    return !this.busy && this.position !== null && this.toMove === "person";
  }

  /** @returns {[string, string]} */
  names() {
    const players = this.game?.players ?? this.players;
    if (players[0] === players[1] && players[0] === "person") return NAMES;
    return /** @type {[string, string]} */ (players.map((player) => playerName(this.desk.about, this.kind, player)));
  }

  /** @param {string} key */
  key(key) {
    const action = { u: this.undo, r: this.redo, h: this.hint, n: this.fresh }[key];
    action?.click();
    return action !== undefined;
  }

  // The game

  /** Who is to move: `person`, a level, or nobody once the game is over. */
  get toMove() {
    const position = this.position;
    return position && !position.over ? (this.game?.players ?? this.players)[position.to_move - 1] : undefined;
  }

  /** A new game with the chosen settings, from a position if that is wanted. @param {Position} [from] */
  async begin(from) {
    this.forget();
    if (from) this.kind = from.game;
    this.drawSettings();
    this.position = from ?? (await this.careful(() => describe({ game: this.kind, start: null, moves: "" }))) ?? this.position;
    if (!this.position) return;
    this.desk.open("play");
    this.desk.showing.show(this.position);
    this.desk.say(this.position.drops.length || this.position.start ? this.position.words : `A new game. ${this.position.words}`);
    this.drawControls();
    this.go();
  }

  /** Go on with a game that the server keeps. @param {Game} game */
  resume(game) {
    this.forget();
    this.take(game);
    this.kind = game.game;
    this.players = game.players;
    this.drawSettings();
  }

  forget() {
    this.turn++;
    this.busy = this.paused = false;
    this.game = null;
    remember("id", "");
  }

  /** The game as the server has it now. @param {Game} game */
  take(game) {
    this.game = game;
    this.position = game.position;
    remember("id", game.id);
    if (this.desk.current === "play") this.desk.showing.show(game.position);
    this.drawControls();
  }

  /** A person drops. @param {number} column */
  async drop(column) {
    if (this.open()) await this.change("drop", { column });
  }

  /** Have the computer move, and again, as long as it is its turn. */
  async go() {
    while (this.toMove !== undefined && this.toMove !== "person" && !this.busy && !this.paused) {
      if (this.desk.current !== "play") return;
      const turn = this.turn;
      if (!(this.game?.players ?? this.players).includes("person")) {
        await new Promise((resolve) => setTimeout(resolve, PACE));
        if (turn !== this.turn || this.paused || this.busy) return;
      }
      if (!(await this.change("computer", {}))) return;
    }
  }

  /** @param {"undo" | "redo"} way */
  async back(way) {
    if (!this.game) return;
    this.turn++;
    this.busy = false;
    this.paused = !this.game.players.includes("person");
    await this.change(way, {});
  }

  /**
   * Change the game on the server, which keeps it. True if that has been done, and nothing else has begun meanwhile.
   * @param {string} what
   * @param {object} how
   */
  async change(what, how) {
    const turn = ++this.turn;
    this.busy = true;
    this.drawControls();
    const game = await this.careful(async () => {
      this.game ??= await this.keep();
      return /** @type {Game} */ (await ask(`/games/${this.game.id}/${what}`, { body: { ...how, at: this.game.position.drops.length } }));
    }, turn);
    if (turn !== this.turn) return false;
    this.busy = false;
    if (game) {
      this.take(game);
      this.sayPosition();
    }
    this.desk.draw();
    this.drawControls();
    if (game && what !== "computer") this.go();
    return game !== undefined;
  }

  /** @returns {Promise<Game>} */
  async keep() {
    const { start, moves } = this.position ?? { start: null, moves: "" };
    return ask("/games", { body: { game: this.kind, players: this.players, moves, ...(start && { start }) } });
  }

  /**
   * Do something with the server, and say so if it cannot be done. A server that has gone away is waited for.
   * @template T
   * @param {() => Promise<T>} what
   * @param {number} [turn]
   * @returns {Promise<T | undefined>}
   */
  async careful(what, turn = this.turn) {
    for (;;) {
      try {
        return await what();
      } catch (error) {
        if (turn !== this.turn) return undefined;
        if (error instanceof Refused) {
          if (error.body?.game?.position) this.take(error.body.game);
          this.say(error.message, "problem");
          return undefined;
        }
        if (!(error instanceof Unreachable)) throw error;
        this.say("The server does not answer. The game goes on as soon as it is back.", "problem");
        await new Promise((resolve) => setTimeout(resolve, AGAIN));
        if (turn === this.turn) await this.again(turn);
        if (turn !== this.turn) return undefined;
      }
    }
  }

  /** What was asked of a server that went away may have been done: look at the game first. @param {number} turn */
  async again(turn) {
    if (!this.game) return;
    try {
      const game = await ask(`/games/${this.game.id}`);
      if (turn === this.turn && game.position.moves !== this.game.position.moves) {
        this.turn++;
        this.busy = false;
        this.take(game);
        this.sayPosition();
        this.desk.draw();
        this.go();
      }
    } catch {
      // it will be asked again
    }
  }

  async giveHint() {
    if (!this.position || this.position.over || this.hint.disabled) return;
    const turn = this.turn;
    this.desk.say("Looking for the best column …");
    /** @type {Choice | undefined} */
    const choice = await this.careful(() => ask(`/choice?${naming(this.desk.showing.named)}`));
    if (!choice || turn !== this.turn) return;
    this.desk.view.hint(choice.column);
    this.desk.say(choice.words);
  }

  togglePause() {
    this.paused = !this.paused;
    this.drawControls();
    this.go();
  }

  // What is said and drawn

  /** Say something, unless another panel has the word by now. @param {string} words @param {"" | "result" | "problem"} [kind] */
  say(words, kind) {
    if (this.desk.current === "play") this.desk.say(words, kind);
  }

  sayPosition() {
    if (this.position) this.say(this.position.words, this.position.over ? "result" : "");
  }

  drawControls() {
    const players = this.game?.players ?? this.players;
    const watching = !players.includes("person");
    const begun = Boolean(this.position?.drops.length);
    this.undo.disabled = !this.game || !begun;
    this.redo.disabled = !this.game?.future;
    this.hint.disabled = this.toMove !== "person";
    this.pause.hidden = !watching || !this.position || this.position.over;
    this.pause.textContent = this.paused ? "Go on" : "Pause";
    document.body.classList.toggle("thinking", this.busy && this.toMove !== "person");
    this.end.hidden = !this.position?.over;
    if (this.position?.over)
      this.end.replaceChildren(
        element("p", {}, this.position.result ?? ""),
        element("div", { class: "controls" },
          button("Play again", () => this.begin(), { class: "primary" }),
          button("Swap colours", () => { this.players.reverse(); this.begin(); }),
          button("Review this game", () => this.desk.open("review"))));
  }

  drawSettings() {
    const kinds = this.desk.about.games.map((game) =>
      element("label", { class: "choice" },
        element("input", { type: "radio", name: "game", value: game, checked: game === this.kind,
          onchange: () => { this.kind = game; remember("game", game); this.drawSettings(); this.changed(); } }),
        GAMES[game] ?? game));
    this.settings.replaceChildren(
      element("fieldset", {}, element("legend", {}, "The game"), ...kinds),
      ...[0, 1].map((side) => this.playerSetting(side)));
  }

  /** @param {number} side */
  playerSetting(side) {
    const levels = this.desk.about.levels[this.kind];
    const chosen = levels.find((level) => `level:${level.level}` === this.players[side]);
    const id = side ? "green-player" : "red-player";
    const options = [element("option", { value: "person", selected: !chosen }, "a person"), ...levels.map((level) =>
      element("option", { value: `level:${level.level}`, selected: level === chosen }, `Level ${level.level}: ${level.name}`))];
    return element("div", { class: "setting" },
      element("label", { for: id }, `${NAMES[side]}${side ? "" : ", who begins,"} is`),
      element("select", { id, onchange: (/** @type {any} */ event) => this.choosePlayer(side, event.target.value) }, ...options),
      element("p", { class: "hint" }, chosen ? `${chosen.description} ${chosen.strength}` : ""));
  }

  /**
   * @param {number} side
   * @param {string} player
   */
  choosePlayer(side, player) {
    this.players = [...this.players];
    this.players[side] = player;
    remember(side ? "green" : "red", player);
    this.drawSettings();
    document.getElementById(side ? "green-player" : "red-player")?.focus();
    this.changed();
  }

  /** Other settings: a game that has begun goes on with other players, an empty board waits for them. */
  async changed() {
    if (this.game?.position.drops.length) {
      if (this.game.game !== this.kind) return this.desk.say("The other game begins with New game.");
      const game = await this.careful(() => ask(`/games/${this.game?.id}`, { method: "PATCH", body: { players: this.players } }));
      if (!game) return;
      this.turn++;
      this.busy = false;
      this.take(game);
      this.desk.draw();
      this.go();
    } else if (this.players.includes("person")) await this.begin();
    else this.desk.say("New game begins it.");
  }
}
