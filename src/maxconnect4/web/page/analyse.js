// Analysing: what every column is worth, and going freely from position to position.

import { describe, Refused, Unreachable } from "./api.js";
import { NAMES } from "./desk.js";
import { button, element } from "./elements.js";
import { BestLine } from "./line.js";
import { GAMES } from "./play.js";
import { remember, remembered } from "./settings.js";
import { Setup } from "./setup.js";
import { copy, linkTo, positionIn, receive, save, textOf } from "./sharing.js";
import { Verdict } from "./verdict.js";

/** @import { GameName, Position } from "./types.js" */
/** @import { Desk, Panel } from "./desk.js" */
/** @import { PlayPanel } from "./play.js" */

const LATER = 100; // milliseconds until the address follows the board: browsers refuse to change it too often
const USUAL_LEVEL = "level:3";

/** @implements {Panel} */
export class AnalysePanel {
  /**
   * @param {Desk} desk
   * @param {PlayPanel} play
   */
  constructor(desk, play) {
    this.desk = desk;
    this.play = play;
    this.editing = false;
    this.setup = new Setup(desk, (position) => this.endSetup(position));
    this.addressed = 0;
    const showing = desk.showing;

    this.first = button("First", () => showing.goto(0), { title: "To the first move" });
    this.back = button("Back", () => showing.goto(showing.at - 1), { title: "One move back (u)" });
    this.forward = button("Forward", () => showing.goto(showing.at + 1), { title: "One move forward (r)" });
    this.last = button("Last", () => showing.goto(showing.position.drops.length), { title: "To the last move" });
    this.come = button("Leave the branch", () => showing.comeBack(), { title: "Back to the moves that this branched off" });
    this.empty = button("Empty board", () => this.showEmpty(), { title: "Begin with the empty board (n)" });
    this.moves = element("p", { class: "moves" });
    this.begin = button("Set up", () => this.beginSetup(), { title: "Put the pieces where you want them" });
    this.file = element("input", { type: "file", hidden: true, "aria-label": "A position file", onchange: () => this.loadChosen() });
    this.note = element("p", { class: "hint", role: "status" });
    this.link = element("input", { type: "text", readonly: true, hidden: true, "aria-label": "Link to the position" });
    this.text = element("textarea", { id: "position-text", rows: 1, spellcheck: "false", autocomplete: "off", placeholder: "4453",
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.typed(event) });
    this.games = element("fieldset");
    this.as = element("select", { id: "play-as" });
    this.from = button("Play from here", () => this.playOn());
    this.keep = element("input", { type: "checkbox", role: "switch", onchange: () => remember("analysing", this.keep.checked ? "on" : "off") });
    this.keep.checked = remembered("analysing", "off") === "on";

    this.study = element("div", { class: "study" },
      new Verdict(desk).element,
      new BestLine(desk).element,
      element("div", {}, element("div", { class: "controls steps" }, this.first, this.back, this.forward, this.last), this.moves,
        element("div", { class: "controls" }, this.come)),
      element("hr"),
      element("h2", {}, "Position"),
      this.games,
      element("div", { class: "controls" }, this.empty, this.begin,
        button("Load file", () => this.file.click(), { title: "Load a position file; you can also drag it onto the board" }),
        button("Save file", () => this.saveFile(), { title: "Save the position as the assignment's file" }),
        button("Copy link", () => this.copyLink(), { title: "Copy a link that shows this position" })),
      this.file, this.link,
      element("form", { class: "setting", onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); this.showText(); } },
        element("label", { for: "position-text" }, "Moves, a position file or a link"),
        element("div", { class: "field" }, this.text, element("button", {}, "Show"))),
      this.note,
      element("hr"),
      element("div", { class: "setting" },
        element("label", { for: "play-as" }, "Play from here as"), element("div", { class: "field" }, this.as, this.from)),
      element("label", { class: "choice" }, this.keep, "Keep the margins on while playing and reviewing"));
    this.element = element("section", {}, this.study);
    showing.addEventListener("change", () => this.changed());
    receive((text) => this.bring("What was pasted", async () => text), (file) => this.bring(file.name, () => textOf(file)));
    desk.analysing.on = this.keep.checked;
  }

  // What the desk asks

  shown() {
    this.desk.analysing.turn(true);
    this.changed();
  }

  hidden() {
    if (this.editing) this.endSetup(null);
    this.desk.analysing.turn(this.keep.checked);
    clearTimeout(this.addressed);
    history.replaceState(null, "", "/");
  }

  open() {
    return true;
  }

  state() {
    return this.editing ? this.setup.state : null;
  }

  /** @param {number} column */
  drop(column) {
    if (this.editing) this.setup.change(column);
    else this.carefully(() => this.desk.showing.explore(column));
  }

  /** @param {string} key */
  key(key) {
    if (this.editing) return this.setup.key(key);
    const action = { u: this.back, r: this.forward, n: this.empty }[key];
    action?.click();
    return action !== undefined;
  }

  // Going from position to position

  /** Another position is on the board. */
  changed() {
    if (this.desk.current !== "analyse" || this.editing) return;
    const { position, at, state, home, moves } = this.desk.showing;
    const words = state.last?.words ?? (position.start ? "The position that was set up." : "The empty board.");
    const next = state.over ? position.result : `${NAMES[state.toMove - 1]} is to move.`;
    this.desk.say(`${words} ${next}`, state.over ? "result" : "");
    this.first.disabled = this.back.disabled = at === 0;
    this.last.disabled = this.forward.disabled = at === position.drops.length;
    this.come.hidden = !home;
    this.moves.replaceChildren(element("b", {}, moves), position.moves.slice(at));
    this.from.disabled = state.over;
    this.link.hidden = true;
    this.note.textContent = "";
    this.drawGames();
    this.drawSides();
    clearTimeout(this.addressed);
    this.addressed = setTimeout(() => history.replaceState(null, "", linkTo(this.desk.showing.named)), LATER);
  }

  showEmpty() {
    return this.carefully(async () => this.desk.showing.show(await describe({ game: this.desk.showing.position.game, start: null, moves: "" })));
  }

  /** The same pieces in the other game. @param {GameName} game */
  async choose(game) {
    await this.carefully(async () => this.desk.showing.show(await describe({ ...this.desk.showing.named, game })));
    this.drawGames();
    /** @type {HTMLElement | null} */ (this.games.querySelector("input:checked"))?.focus();
  }

  // Setting up

  beginSetup() {
    this.editing = true;
    this.desk.analysing.turn(false);
    this.element.replaceChildren(this.setup.element);
    this.desk.say("Put the pieces where you want them.");
    const { state, position } = this.desk.showing;
    return this.setup.begin(state.cells, position.game);
  }

  /** @param {Position | null} position */
  endSetup(position) {
    this.editing = false;
    this.element.replaceChildren(this.study);
    this.desk.analysing.turn(true);
    if (position) this.desk.showing.show(position);
    else {
      this.desk.draw();
      this.changed();
    }
    this.begin.focus();
  }

  // Files, texts and links

  /** Show what somebody has pasted, or dragged onto the page. @param {string} name @param {() => Promise<string>} what */
  async bring(name, what) {
    this.desk.open("analyse");
    if (this.editing) this.endSetup(null);
    await this.carefully(async () => this.take(await what()), (words) => this.desk.say(`${name}: ${words}`, "problem"));
  }

  /** @param {string} text */
  async take(text) {
    this.desk.showing.show(await positionIn(text, this.desk.showing.position.game));
  }

  async loadChosen() {
    const file = this.file.files?.[0];
    if (!file) return;
    await this.carefully(async () => this.take(await textOf(file)), (words) => this.tell(`${file.name}: ${words}`, "problem"));
    this.file.value = ""; // so that the same file can be chosen again
  }

  /** @param {KeyboardEvent} event */
  typed(event) {
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    this.showText();
  }

  async showText() {
    await this.carefully(async () => {
      await this.take(this.text.value);
      this.text.value = "";
    });
  }

  saveFile() {
    return this.carefully(async () => save("position.txt", (await describe(this.desk.showing.named)).text));
  }

  async copyLink() {
    const link = linkTo(this.desk.showing.named);
    if (await copy(link)) return this.tell("The link is copied.");
    this.link.value = link;
    this.link.hidden = false;
    this.link.select();
    this.tell("The browser does not let the page copy: copy the link from the field.");
  }

  // Playing on

  /** The level that Play is set to, if this game has it. */
  get level() {
    const levels = this.desk.about.levels[this.desk.showing.position.game];
    const wanted = this.play.players.find((player) => player !== "person") ?? USUAL_LEVEL;
    return levels.find(({ level }) => `level:${level}` === wanted) ?? levels[0];
  }

  async playOn() {
    const opponent = `level:${this.level?.level}`;
    this.play.players = this.as.value === "red" ? ["person", opponent] : this.as.value === "green" ? [opponent, "person"] : ["person", "person"];
    await this.carefully(async () => this.play.begin(await describe(this.desk.showing.named)));
  }

  // What is drawn

  drawGames() {
    const chosen = this.desk.showing.position.game;
    this.games.replaceChildren(element("legend", {}, "The game"), ...this.desk.about.games.map((game) =>
      element("label", { class: "choice" },
        element("input", { type: "radio", name: "analysed", value: game, checked: game === chosen, onchange: () => this.choose(game) }),
        GAMES[game])));
  }

  drawSides() {
    const chosen = this.as.value || (this.play.players[1] === "person" && this.play.players[0] !== "person" ? "green" : "red");
    const against = this.level ? `, against level ${this.level.level}: ${this.level.name}` : "";
    this.as.replaceChildren(...Object.entries({ red: `red${against}`, green: `green${against}`, both: "both sides" })
      .map(([value, words]) => element("option", { value, selected: value === chosen }, words)));
  }

  /** @param {string} words @param {"hint" | "problem"} [kind] */
  tell(words, kind = "hint") {
    this.note.className = kind;
    this.note.textContent = words;
  }

  /**
   * Do something that the server may refuse, and say so then.
   * @param {() => unknown} what
   * @param {(words: string) => void} [complain]
   */
  async carefully(what, complain = (words) => this.tell(words, "problem")) {
    try {
      this.tell("");
      await what();
    } catch (error) {
      if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
      complain(error.message);
    }
  }
}
