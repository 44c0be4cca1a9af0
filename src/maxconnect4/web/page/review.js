// Reviewing: choose a game, and walk through it.

import { ask, carefully, describe } from "./api.js";
import { NAMES, playerNames } from "./desk.js";
import { button, byId, element } from "./elements.js";
import { GamesList } from "./games.js";
import { GAMES } from "./opponents.js";
import { positionIn } from "./sharing.js";
import { Walk } from "./walk.js";

/** @import { Game, GameName, Position } from "./types.js" */
/** @import { Desk, Panel } from "./desk.js" */
/** @import { PlayPanel } from "./play.js" */

const FORMS = { text: "Text", json: "JSON", position: "Position file" };
const STEPS = ["Home", "ArrowLeft", "ArrowRight", "End"];

/** @implements {Panel} */
export class ReviewPanel {
  /**
   * @param {Desk} desk
   * @param {PlayPanel} play
   */
  constructor(desk, play) {
    this.desk = desk;
    this.play = play;
    /** The game that is looked at, if the server keeps it. @type {Game | null} */
    this.game = null;
    /** What had been played when this panel last looked. @type {Position | null} */
    this.played = null;
    /** What the board showed when this panel was left, null if no game was chosen. @type {{ position: Position, at: number } | null} */
    this.left = null;
    /** What another panel had on the board. @type {Position | null} */
    this.other = null;
    this.games = new GamesList(this);
    this.walk = new Walk(this);
    this.fromBoard = button("Review the game from Analyse", () => this.other && this.look(this.other));
    this.chooseTitle = element("h2", { tabindex: -1 }, "Games");
    this.choosing = element("div", { class: "choosing" }, this.chooseTitle, this.fromBoard, this.games.element, this.pasteForm());
    this.title = element("h2", { tabindex: -1 });
    this.saving = element("div", { class: "controls saving" });
    this.looking = element("div", { class: "looking", hidden: true },
      element("div", { class: "heading" }, this.title, button("All games", () => this.choose())), this.walk.element, this.saving);
    this.element = element("section", {}, this.choosing, this.looking);
  }

  pasteForm() {
    const moves = element("input", { type: "text", id: "review-moves", autocomplete: "off", spellcheck: "false", required: true, placeholder: "44535" });
    const kind = element("select", { "aria-label": "The game" },
      ...this.desk.about.games.map((game) => element("option", { value: game }, GAMES[game])));
    const review = (/** @type {Event} */ event) => {
      event.preventDefault();
      this.paste(moves.value, /** @type {GameName} */ (kind.value));
    };
    return element("form", { class: "setting", onsubmit: review },
      element("label", { for: moves.id }, "Review a game from its moves"),
      element("div", { class: "controls" }, moves, kind, element("button", {}, "Review")));
  }

  // What the desk asks

  shown() {
    const { position } = this.desk.showing, { position: played } = this.play;
    letGo();
    if (position !== played && position !== this.left?.position && position.drops.length) this.other = position;
    const finished = played?.over && position === played && played !== this.walk.position; // "Review this game"
    if (played?.drops.length && (played !== this.played || finished)) this.look(played, this.play.game);
    else if (this.left) {
      this.desk.showing.show(this.left.position, this.left.at);
      this.walk.reviewing.begin(this.walk.position);
    } else this.choose();
    this.played = played;
  }

  hidden() {
    const { position, at } = this.desk.showing;
    this.left = this.open() ? { position, at } : null;
    this.walk.end();
  }

  open() {
    return !this.looking.hidden;
  }

  /** @param {number} column */
  drop(column) {
    letGo();
    this.careful(() => this.desk.showing.explore(column));
  }

  names() {
    return this.game && this.open() ? this.namesOf(this.game) : NAMES;
  }

  /** @param {string} key */
  key(key) {
    const step = STEPS.indexOf(key), back = key === "Escape" && (this.walk.away || this.walk.better !== null);
    if (!this.open() || (step < 0 && !back)) return false;
    if (step >= 0) this.walk.step(step);
    else if (this.walk.away) this.walk.comeBack();
    else this.walk.toggleBetter();
    return true;
  }

  // Which game

  choose() {
    this.walk.end();
    this.fromBoard.hidden = !this.other;
    this.choosing.hidden = false;
    this.looking.hidden = true;
    this.games.load();
    this.desk.draw();
    this.desk.say("Choose a game to review.");
    this.chooseTitle.focus({ preventScroll: true });
  }

  /**
   * Look at a game, as it is kept if it is.
   * @param {Position} position
   * @param {Game | null} [game]
   * @param {number} [at]
   */
  look(position, game = null, at) {
    this.walk.end();
    this.game = game;
    this.choosing.hidden = true;
    this.looking.hidden = false;
    this.title.textContent = this.names().join(" – ");
    this.saving.replaceChildren(
      ...(game ? ["Save as"] : [button("Keep this game", () => this.keep(position)), "and save it as"]),
      ...Object.entries(FORMS).map(([form, words]) => button(words, () => this.save(form))));
    this.walk.begin(position, at);
    this.title.focus({ preventScroll: true });
    byId("table").scrollIntoView({ block: "nearest" });
  }

  /**
   * @param {string} text
   * @param {GameName} game
   */
  async paste(text, game) {
    const played = () => describe({ game, start: null, moves: text.replaceAll(/\s/g, "") });
    const position = await this.careful(() => positionIn(text, game, played));
    if (position?.drops.length) this.look(position);
    else if (position) this.desk.say("There are no moves in that to step through.", "problem");
  }

  /** Go on playing. @param {Game} game */
  resume(game) {
    this.play.resume(game);
    this.desk.open("play");
    this.desk.view.focus(4); // the button that was clicked has gone
  }

  /** A game is no more. @param {string} id */
  deleted(id) {
    if (this.play.game?.id === id) this.play.forget();
    this.desk.say("The game is deleted.");
  }

  /** Keep a line as a game. @param {Position} position */
  async keep(position) {
    const { game: kind, moves, start } = position, players = this.game?.players ?? ["person", "person"];
    const game = await this.careful(() => ask("/games", { body: { game: kind, players, moves, ...(start && { start }) } }));
    if (!game) return;
    this.look(game.position, game, this.desk.showing.at);
    this.desk.say("It is kept, as the first in the list of games.");
  }

  /** Save the game as a file. The server makes it, so it has to keep the game. @param {string} form */
  async save(form) {
    if (!this.game) await this.keep(this.walk.position);
    if (this.game) element("a", { href: `/api/v1/games/${this.game.id}/export?as=${form}`, download: true }).click();
  }

  /** @param {{ players: [string, string], game: GameName }} game @returns {[string, string]} */
  namesOf({ players, game }) {
    return playerNames(this.desk.about, game, players);
  }

  /**
   * Do something with the server, and say so if it cannot be done.
   * @template T
   * @param {() => Promise<T>} what
   * @returns {Promise<T | undefined>}
   */
  careful(what) {
    return carefully(what, (words) => this.desk.say(words, "problem"));
  }
}

/** A mouse that has clicked on something does not want the keyboard to be there: arrows are for stepping. */
function letGo() {
  const { activeElement: on } = document;
  if (on instanceof HTMLElement && !on.matches(":focus-visible")) on.blur();
}
