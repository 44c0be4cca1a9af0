// Analysing: what every column is worth, and going freely from position to position.

import { describe } from "./api.js";
import { allow, button, element } from "./elements.js";
import { BestLine } from "./line.js";
import { GAMES } from "./opponents.js";
import { remember, remembered } from "./settings.js";
import { Setup } from "./setup.js";
import { linkTo, Sharing } from "./sharing.js";
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
    this.addressed = 0;
    const showing = desk.showing;
    this.setup = new Setup(desk, (position) => this.endSetup(position));
    this.sharing = new Sharing(showing, () => this.welcome(), (words) => desk.say(words, "problem"));

    this.first = button("First", () => showing.goto(0), { title: "Before the first move" });
    this.back = button("Back", () => showing.goto(showing.at - 1), { title: "One move back (u)" });
    this.forward = button("Forward", () => showing.goto(showing.at + 1), { title: "One move forward (r)" });
    this.last = button("Last", () => showing.goto(showing.position.drops.length), { title: "After the last move" });
    this.come = button("Leave branch", () => showing.comeBack(), { title: "Back to where this branched off" });
    this.empty = button("Empty", () => this.show({ start: null, moves: "" }), { title: "The empty board (n)" });
    this.begin = button("Set up", () => this.beginSetup(), { title: "Put the pieces where you want them" });
    this.games = desk.about.games.map((game) => element("input", { type: "radio", name: "analysed", value: game,
      onchange: () => this.show({ game }).then(() => this.drawGame()) })); // the same pieces, if that game allows them
    this.as = element("select", { id: "play-as" });
    this.from = button("Play from here", () => this.playOn());
    this.keep = element("input", { type: "checkbox", role: "switch", onchange: () => remember("analysing", this.keep.checked ? "on" : "off") });
    this.keep.checked = remembered("analysing", "off") === "on";

    this.study = element("div", { class: "study" },
      element("div", { class: "four-wide" }, this.first, this.back, this.forward, this.last),
      new Verdict(desk).element,
      new BestLine(desk).element,
      element("label", { class: "choice" }, this.keep, "Values stay on while playing and reviewing"),
      element("hr"),
      element("div", { class: "field wrapping" }, this.sharing.moves, this.come, this.sharing.copy),
      element("div", { class: "four-wide" }, this.empty, this.begin, ...this.sharing.buttons),
      this.sharing.element,
      element("fieldset", {}, element("legend", {}, "The game"), ...this.games.map((choice) =>
        element("label", { class: "choice" }, choice, GAMES[/** @type {GameName} */ (choice.value)]))),
      element("hr"),
      element("div", { class: "setting" },
        element("label", { for: "play-as" }, "You play"), element("div", { class: "field wrapping" }, this.as, this.from)));
    this.element = element("section", {}, this.study);
    showing.addEventListener("change", () => this.changed());
    desk.analysing.on = this.keep.checked;
  }

  // What the desk asks

  shown() {
    this.desk.analysing.turn(true);
    this.changed();
  }

  hidden() {
    this.leaveSetup();
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
    else this.sharing.carefully(() => this.desk.showing.explore(column));
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
    const { position, at, state, home } = this.desk.showing;
    this.desk.sayShown();
    for (const each of [this.first, this.back]) allow(each, at > 0);
    for (const each of [this.forward, this.last]) allow(each, at < position.drops.length);
    if (!home && this.come === document.activeElement) this.back.focus();
    this.come.hidden = !home;
    allow(this.from, !state.over);
    this.sharing.draw();
    this.drawGame();
    this.drawSides();
    clearTimeout(this.addressed);
    this.addressed = setTimeout(() => history.replaceState(null, "", linkTo(this.desk.showing.named)), LATER);
  }

  /** Show a position that differs in this from the one that is shown. @param {Partial<{ game: GameName, start: null, moves: string }>} named */
  show(named) {
    const showing = this.desk.showing;
    return this.sharing.carefully(async () => showing.show(await describe({ ...showing.named, ...named })));
  }

  /** Make room for a position that was pasted, or dragged onto the page. */
  welcome() {
    this.desk.open("analyse");
    if (this.editing) this.endSetup(null);
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
    const showing = this.desk.showing;
    this.leaveSetup();
    this.desk.analysing.turn(true);
    if (position) showing.show(position);
    else showing.show(showing.position, showing.at, showing.home);
    this.begin.focus();
  }

  leaveSetup() {
    this.editing = false;
    this.element.replaceChildren(this.study);
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
    /** @type {[string, string]} */
    const players = this.as.value === "red" ? ["person", opponent] : this.as.value === "green" ? [opponent, "person"] : ["person", "person"];
    await this.sharing.carefully(async () => this.play.begin(await describe(this.desk.showing.named), players));
  }

  // What is drawn

  drawGame() {
    for (const choice of this.games) choice.checked = choice.value === this.desk.showing.position.game;
  }

  drawSides() {
    const chosen = this.as.value || (this.play.players[0] === "person" ? "red" : "green");
    const against = this.level ? `, against level ${this.level.level}` : "";
    this.as.replaceChildren(...Object.entries({ red: `red${against}`, green: `green${against}`, both: "both sides" })
      .map(([value, words]) => element("option", { value, selected: value === chosen }, words)));
  }
}
