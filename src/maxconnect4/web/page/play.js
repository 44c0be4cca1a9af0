// Playing: a game that the server keeps, between people and computers.

import { ask, describe, naming, Refused, Unreachable } from "./api.js";
import { NAMES, playerNames } from "./desk.js";
import { allow, button, element } from "./elements.js";
import { GAMES, Opponents } from "./opponents.js";
import { remember, remembered } from "./settings.js";

/** @import { Choice, Game, Position } from "./types.js" */
/** @import { Desk, Panel } from "./desk.js" */

const PACE = 700; // milliseconds between the moves of two computers
const AGAIN = 1000; // until a server that did not answer, or has too much to do, is asked again
const CONFLICT = 409, GONE = 404, BUSY = 503;

/** @implements {Panel} */
export class PlayPanel {
  /** @param {Desk} desk */
  constructor(desk) {
    this.desk = desk;
    /** The game that is being played, null before its first drop. @type {Game | null} */
    this.game = null;
    /** @type {Position | null} */
    this.position = null;
    this.busy = false;
    this.changing = false; // other players have been asked for
    this.paused = false;
    this.turn = 0; // what is under way for an earlier turn does not count any more
    this.sitting = 0; // nor does what was to be done in a game that has been left
    this.thought = new AbortController(); // what is being searched, which may be given up
    /** A change that has been asked for and may not be given up. @type {Promise<unknown>} */
    this.done = Promise.resolve();

    this.opponents = new Opponents(desk.about);
    this.opponents.addEventListener("change", () => this.changed());
    this.undo = button("Undo", () => this.back("undo"), { title: "Take back (u)" });
    this.redo = button("Redo", () => this.back("redo"), { title: "Play it again (r)" });
    this.hint = button("Hint", () => this.giveHint(), { title: "Which column is best? (h)" });
    this.pause = button("Pause", () => this.togglePause());
    this.fresh = button("New game", () => this.begin(), { title: "Begin anew (n)", class: "primary" });
    this.end = element("div", { class: "end", hidden: true });
    this.element = element("section", {},
      element("div", { class: "controls" }, this.undo, this.redo, this.hint, this.pause),
      this.end, this.opponents.element, element("div", { class: "controls" }, this.fresh));
  }

  // What the desk asks

  shown() {
    if (!this.position) return void this.resumeOrBegin(); // the page was opened with a link
    this.desk.showing.show(this.position);
    this.sayPosition();
    this.drawControls();
    this.go();
  }

  open() {
    return (!this.busy || this.changing) && this.position !== null && this.toMove === "person";
  }

  /** @returns {[string, string]} */
  names() {
    const kind = this.game?.game ?? this.opponents.kind;
    return playerNames(this.desk.about, kind, this.players);
  }

  /** @param {string} key */
  key(key) {
    const action = { u: this.undo, r: this.redo, h: this.hint, n: this.fresh }[key];
    action?.click();
    return action !== undefined;
  }

  // The game

  /** Who plays now. */
  get players() {
    return this.game?.players ?? this.opponents.players;
  }

  /** Who is to move: `person`, a level, or nobody once the game is over. */
  get toMove() {
    return this.position && !this.position.over ? this.players[this.position.to_move - 1] : undefined;
  }

  /** The game that was under way when the page was left, or a new one. */
  async resumeOrBegin() {
    const id = remembered("id", "");
    const game = id && (await ask(`/games/${encodeURIComponent(id)}`).catch(() => null));
    if (game) {
      this.resume(game);
      return this.desk.current === "play" ? this.shown() : this.desk.open("play");
    }
    if (!this.opponents.players.includes("person")) this.opponents.set(this.opponents.kind, ["person", this.opponents.players[1]]);
    await this.begin();
  }

  /**
   * A new game with the chosen settings, from a position if that is wanted.
   * @param {Position} [from]
   * @param {[string, string]} [players]
   */
  async begin(from, players) {
    const focused = document.activeElement;
    const left = this.game?.position.drops.length && !this.game.position.over ? "The last one is kept in Review. " : "";
    this.forget();
    if (from) this.opponents.set(from.game, players);
    this.position = from ?? (await this.careful(() => describe({ game: this.opponents.kind, start: null, moves: "" }))) ?? this.position;
    if (!this.position) return;
    this.desk.open("play");
    this.desk.showing.show(this.position);
    const how = this.toMove === "person" ? this.position.words.replace(/\.$/, ": choose a column, 1 to 7.") : this.position.words;
    this.desk.say(this.position.drops.length || this.position.start ? this.position.words : `A new game. ${left}${how}`);
    this.drawControls();
    if (!focused?.checkVisibility()) this.desk.view.focus(4); // the button that began it has gone
    this.go();
  }

  /** Go on with a game that the server keeps. @param {Game} game */
  resume(game) {
    this.forget();
    this.take(game);
    this.opponents.set(game.game, game.players);
  }

  forget() {
    this.giveUp();
    this.sitting++;
    this.paused = false;
    this.game = null;
    remember("id", "");
  }

  /** What is under way does not matter any more. */
  giveUp() {
    this.turn++;
    this.busy = this.changing = false;
    this.thought.abort();
    this.thought = new AbortController();
    return this.turn;
  }

  /** The game as the server has it now. @param {Game} game */
  take(game) {
    this.game = game;
    this.position = game.position;
    remember("id", game.id);
    if (this.desk.current === "play") this.desk.showing.show(game.position);
    this.drawControls();
  }

  /**
   * A person drops. The second of two quick clicks is a slip.
   * @param {number} column
   * @param {boolean} [again]
   */
  async drop(column, again = false) {
    if (this.open() && !again) await this.change("drop", { column });
  }

  /** Have the computer move, and again, as long as it is its turn. */
  async go() {
    while (this.toMove !== undefined && this.toMove !== "person" && !this.busy && !this.paused) {
      if (this.desk.current !== "play") return;
      const turn = this.turn;
      if (!this.players.includes("person")) {
        await new Promise((resolve) => setTimeout(resolve, PACE));
        if (turn !== this.turn || this.paused || this.busy) return;
      }
      if (!(await this.change("computer", {}))) return;
    }
  }

  /** Whether there is a drop of somebody's to take back; where only computers play, any will do. */
  get undoable() {
    const watching = !this.players.includes("person");
    return this.game?.position.drops.some(({ player }) => watching || this.players[player - 1] === "person") ?? false;
  }

  /** @param {"undo" | "redo"} way */
  async back(way) {
    if (!this.game) return;
    this.paused = !this.game.players.includes("person");
    await this.change(way, {});
  }

  /**
   * Change the game on the server, which keeps it. True if that has been done, and nothing else has begun meanwhile.
   * @param {"drop" | "computer" | "undo" | "redo"} what
   * @param {object} how
   */
  async change(what, how) {
    const turn = this.giveUp();
    this.busy = true;
    this.drawControls();
    const { sitting, done, thought: { signal } } = this;
    const asking = this.careful(async () => {
      await done; // one after the other: a drop is undone once it has been made
      if (sitting !== this.sitting) return undefined;
      if ((what === "undo" && !this.undoable) || (what === "redo" && !this.game?.future)) return undefined;
      const game = this.game ?? (await this.keep());
      if (sitting !== this.sitting) return undefined; // a new game has begun meanwhile
      this.game = game;
      return this.asked(game, what, how, what === "computer" ? signal : undefined);
    }, turn);
    if (what !== "computer") this.done = asking.catch(() => {});
    const game = await asking;
    if (game && turn !== this.turn && what !== "computer" && sitting === this.sitting) this.take(game);
    if (turn !== this.turn) return false;
    this.busy = false;
    if (game) {
      this.take(game);
      this.sayPosition({ drop: "", computer: "", undo: "Taken back. ", redo: "Played again: " }[what], what === "undo");
    }
    this.desk.draw();
    this.drawControls();
    if (what !== "computer") this.go();
    return game !== undefined;
  }

  /**
   * What is to be undone may have gone on meanwhile; and a game that has been deleted is kept anew.
   * @param {Game} game
   * @param {string} what
   * @param {object} how
   * @param {AbortSignal} [signal]
   * @returns {Promise<Game>}
   */
  async asked(game, what, how, signal) {
    const tell = (/** @type {Game} */ { id, position }) => ask(`/games/${id}/${what}`, { body: { ...how, at: position.drops.length }, signal });
    try {
      return await tell(game);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (error.status === GONE) return tell(await this.keep());
      if (error.status !== CONFLICT || !error.body.game || what === "drop") throw error;
      return what === "computer" ? error.body.game : tell(error.body.game); // it had dropped after all
    }
  }

  /** @returns {Promise<Game>} */
  async keep() {
    const { game, start, moves } = this.position ?? { game: this.opponents.kind, start: null, moves: "" };
    return ask("/games", { body: { game, players: this.players, moves, ...(start && { start }) } });
  }

  /**
   * Do something with the server, and say so if it cannot be done. A server that has gone away, or has too much to do,
   * is asked again.
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
        const busy = error instanceof Refused && error.status === BUSY;
        if (error instanceof Refused && !busy) {
          if (error.body?.game?.position) this.take(error.body.game);
          this.say(error.message, "problem");
          return undefined;
        }
        if (!busy && !(error instanceof Unreachable)) throw error;
        this.say(busy ? error.message : `${error.message} The game goes on as soon as it is back.`, "problem");
        await new Promise((resolve) => setTimeout(resolve, AGAIN));
        if (turn === this.turn && !busy) await this.lookAgain(turn);
        if (turn !== this.turn) return undefined;
      }
    }
  }

  /** What was asked of a server that went away may have been done: look at the game first. @param {number} turn */
  async lookAgain(turn) {
    if (!this.game) return;
    try {
      const game = await ask(`/games/${this.game.id}`);
      if (turn !== this.turn || game.position.moves === this.game.position.moves) return;
      this.giveUp();
      this.take(game);
      this.sayPosition();
      this.desk.draw();
      this.go();
    } catch {
      // it will be asked again
    }
  }

  async giveHint() {
    if (!this.position || this.toMove !== "person") return;
    const { turn, thought: { signal } } = this;
    this.desk.say("Looking for the best column …");
    /** @type {Choice | undefined} */
    const choice = await this.careful(() => ask(`/choice?${naming(this.desk.showing.named)}`, { signal }));
    if (!choice || turn !== this.turn || this.desk.current !== "play") return;
    this.desk.view.hint(choice.column);
    this.desk.say(choice.words);
  }

  togglePause() {
    this.paused = !this.paused;
    this.drawControls();
    this.go();
  }

  /** Other opponents: a game that has begun goes on with them, an empty board waits for them. */
  async changed() {
    const { kind, players } = this.opponents;
    if (this.position && this.position.game !== kind) {
      if (this.position.drops.length || this.position.start) return this.desk.say(`${GAMES[kind]}, with these players, begins with New game.`);
      return this.begin();
    }
    const turn = this.giveUp();
    if (this.game) {
      const { done, game: { id } } = this, before = this.game;
      this.busy = this.changing = true; // until it is known whether the computer has dropped; a person need not wait
      this.game = { ...this.game, players };
      this.desk.draw();
      const asking = this.careful(async () => {
        await done;
        return ask(`/games/${id}`, { method: "PATCH", body: { players } });
      }, turn);
      this.done = asking.catch(() => {});
      const game = await asking;
      if (turn !== this.turn) return;
      this.busy = this.changing = false;
      if (game || this.game.players === players) this.take(game ?? before);
    }
    this.desk.draw();
    this.drawControls();
    if (this.game?.position.drops.length || players.includes("person")) this.go();
    else this.desk.say("Two computers: New game lets them begin.");
  }

  // What is said and drawn

  /** Say something, unless another panel has the word by now. @param {string} words @param {"" | "result" | "problem"} [kind] */
  say(words, kind) {
    if (this.desk.current === "play") this.desk.say(words, kind);
  }

  /**
   * Say what has happened and who is to move.
   * @param {string} [before]
   * @param {boolean} [onlyTurn] without the last drop, which is no news
   */
  sayPosition(before = "", onlyTurn = false) {
    if (!this.position) return;
    const words = onlyTurn ? `${NAMES[this.position.to_move - 1]} is to move.` : this.position.words;
    this.say(before + words, this.position.over ? "result" : "");
  }

  drawControls() {
    const watching = !this.players.includes("person");
    allow(this.undo, this.undoable);
    allow(this.redo, Boolean(this.game?.future));
    allow(this.hint, this.toMove === "person");
    this.pause.hidden = !watching || !this.position || this.position.over;
    this.pause.textContent = this.paused ? "Go on" : "Pause";
    document.body.classList.toggle("thinking", this.busy && this.toMove !== "person");
    this.end.hidden = !this.position?.over;
    this.fresh.hidden = !this.end.hidden; // the same button is beside the result then
    if (this.position?.over)
      this.end.replaceChildren(
        element("p", {}, this.position.result ?? ""),
        element("div", { class: "controls" },
          button("New game", () => this.begin(), { class: "primary" }),
          ...(this.players[0] === this.players[1] ? [] : [button("Swap colours", () => { this.opponents.swap(); this.begin(); })]),
          button("Review this game", () => this.desk.open("review"))));
  }
}
