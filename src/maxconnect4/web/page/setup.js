// Setting up a position by hand: columns take pieces of a chosen colour, or give back the top one.

import { describe, Refused, Unreachable } from "./api.js";
import { emblem } from "./board.js";
import { NAMES } from "./desk.js";
import { allow, button, element, sentence } from "./elements.js";
import { stateAfter } from "./showing.js";

/** @import { GameName, Player, Position } from "./types.js" */
/** @import { Desk } from "./desk.js" */
/** @import { State } from "./showing.js" */

const HEIGHT = 6, WIDTH = 7;
const ERASER = 0;
const HANDS = /** @type {[string, 0 | Player, string][]} */ ([["Red", 1, "r"], ["Green", 2, "g"], ["Eraser", ERASER, "e"]]);

export class Setup {
  /**
   * @param {Desk} desk
   * @param {(position: Position | null) => void} end gets the position that was set up, null if it is dropped
   */
  constructor(desk, end) {
    this.desk = desk;
    this.end = end;
    /** The pieces of each column, from the bottom. @type {string[]} */
    this.stacks = [];
    /** @type {GameName} */
    this.game = "max";
    /** @type {0 | Player} */
    this.hand = 1;
    /** What the server makes of it, null while it is no position. @type {Position | null} */
    this.position = null;
    /** What the server said of it. */
    this.found = "";
    this.turn = 0;
    this.hands = HANDS.map(([, hand]) => element("input", { type: "radio", name: "hand", value: hand, onchange: () => this.take(hand) }));
    this.words = element("p", { role: "status" });
    this.done = button("Done", () => this.position && this.end(this.position), { class: "primary" });
    this.element = element("form", { class: "study", onsubmit: (event) => event.preventDefault() },
      element("h2", {}, "Set up a position"),
      element("fieldset", { class: "hands" }, element("legend", {}, "Put into a column"), ...HANDS.map(([name, hand], index) =>
        element("label", { class: "choice" }, this.hands[index] ?? "", hand ? emblem(hand) : "", name))),
      element("p", { class: "hint" }, "Click a column, or press its number. The keys r, g and e choose what a click does."),
      this.words,
      element("div", { class: "controls" }, this.done, button("Empty", () => this.clear(), { title: "The empty board" }),
        button("Cancel", () => this.end(null), { title: "Leave the position as it was (Esc)" })));
  }

  /** Begin with what is on the board. @param {string[]} cells @param {GameName} game */
  begin(cells, game) {
    this.game = game;
    this.stacks = Array.from({ length: WIDTH }, (_, column) => [...cells].reverse().map((row) => row[column]).join("").replaceAll("0", ""));
    this.position = null;
    this.hands[0]?.focus();
    this.take(1);
    return this.look();
  }

  clear() {
    this.stacks = this.stacks.map(() => "");
    return this.look("The board is empty.");
  }

  /** Put a piece on top of a column, or take the top one away. @param {number} column */
  change(column) {
    const stack = this.stacks[column - 1] ?? "", erasing = this.hand === ERASER;
    if (stack.length === (erasing ? 0 : HEIGHT)) return this.say(`Column ${column} is ${erasing ? "empty" : "full"}. ${this.found}`);
    this.stacks[column - 1] = erasing ? stack.slice(0, -1) : `${stack}${this.hand}`;
    const piece = NAMES[Number(erasing ? stack.at(-1) : this.hand) - 1];
    return this.look(erasing ? `${piece} taken from column ${column}, row ${stack.length}.` : `${piece} in column ${column}, row ${stack.length + 1}.`);
  }

  /** @param {string} key */
  key(key) {
    const hand = HANDS.find(([, , letter]) => letter === key);
    if (hand) this.take(hand[1]);
    else if (key === "Escape") this.end(null);
    else return false;
    return true;
  }

  /** @param {0 | Player} hand */
  take(hand) {
    this.hand = hand;
    const focused = this.hands.some((each) => each === document.activeElement);
    for (const each of this.hands) each.checked = each.value === `${hand}`;
    if (focused) this.hands.find((each) => each.checked)?.focus();
    this.desk.draw();
  }

  /** The rows of digits, the top row first. */
  get cells() {
    return Array.from({ length: HEIGHT }, (_, row) => this.stacks.map((stack) => stack[HEIGHT - 1 - row] ?? "0").join(""));
  }

  /** What the board shows meanwhile. @returns {State} */
  get state() {
    const columns = this.stacks.map((_, index) => index + 1).filter((column) => {
      const pieces = this.stacks[column - 1]?.length ?? 0;
      return this.hand === ERASER ? pieces > 0 : pieces < HEIGHT;
    });
    /** @type {Omit<State, "columns" | "over" | "hand">} */
    const known = this.position ? stateAfter(this.position, 0)
      : { cells: this.cells, toMove: 1, points: [0, 0], fours: [[], []], last: null };
    return { ...known, columns, over: false, hand: this.hand };
  }

  /** Ask the server whether this is a position, and whose turn it is. @param {string} [done] what has been done */
  async look(done = "") {
    const turn = ++this.turn;
    this.position = null;
    allow(this.done, false);
    try {
      const position = await describe({ game: this.game, start: this.cells.join(""), moves: "" });
      if (turn !== this.turn) return;
      this.position = position;
      allow(this.done, true);
      this.found = position.result ?? `${NAMES[position.to_move - 1]} is to move.`;
    } catch (error) {
      if (turn !== this.turn) return;
      this.found = sentence(error instanceof Refused || error instanceof Unreachable ? error.message : "This could not be looked at.");
    }
    this.say(`${done} ${this.found}`);
    this.desk.draw();
  }

  /** @param {string} words */
  say(words) {
    this.words.textContent = words.trim();
  }
}
