// What all panels share: the board and what it shows, the words said aloud, and what the server has to offer.

import { Analysing } from "./analysing.js";
import { BoardView, emblem } from "./board.js";
import { byId, element, plural, sentence } from "./elements.js";
import { Showing } from "./showing.js";

/** @import { About, GameName, Player, Position } from "./types.js" */
/** @import { State } from "./showing.js" */

/**
 * A panel beside the board. `drop` is what a click on a column does, `open` whether one may drop now, `key` takes a key
 * that nobody else took and says whether it was of use.
 * @typedef {object} Panel
 * @property {HTMLElement} element
 * @property {() => void} [shown]
 * @property {() => void} [hidden]
 * @property {(column: number, again?: boolean) => void} drop
 * @property {() => boolean} open
 * @property {() => [string, string]} [names] who red and green are
 * @property {() => State | null} [state] what the board shows instead of the position
 * @property {(key: string) => boolean} [key]
 */

const AIMS = { max: "Every four is a point. Play until the board is full.", classic: "The first four wins." };
export const NAMES = /** @type {[string, string]} */ (["Red", "Green"]);

export class Desk {
  /**
   * @param {About} about
   * @param {Position} position
   */
  constructor(about, position) {
    this.about = about;
    this.showing = new Showing(position);
    /** @type {Record<string, Panel>} */
    this.panels = {};
    this.current = "";
    this.view = new BoardView(byId("board"), (column, again) => this.drop(column, again));
    this.analysing = new Analysing(this.showing, this.view);
    this.showing.addEventListener("change", () => this.draw());
    this.showing.addEventListener("preview", () => this.view.preview(this.showing.previewed));
  }

  get panel() {
    return this.panels[this.current];
  }

  /**
   * Drop into a column, as a click or a key says.
   * @param {number} column
   * @param {boolean} [again]
   */
  drop(column, again = false) {
    if (!this.panel?.open()) return;
    if (this.panel.state?.() || this.showing.state.columns.includes(column)) this.panel.drop(column, again);
    else if (!this.showing.state.over) this.say(`Column ${column} is full.`, "problem");
  }

  /** Draw the board and the points anew. */
  draw() {
    const state = this.panel?.state?.() ?? this.showing.state;
    this.view.update(state, this.panel?.open() ?? false);
    this.view.hint(null);
    const names = this.panel?.names?.() ?? NAMES;
    const { game, winner } = this.showing.position;
    byId("aim").textContent = AIMS[game];
    byId("points").replaceChildren(...state.points.map((points, index) => {
      const player = /** @type {Player} */ (index + 1);
      const turn = !state.over && state.toMove === player, won = state.over && winner === player;
      const who = names[index] ?? "", colour = NAMES[index] ?? "", named = who !== colour;
      const counted = game === "max"; // in the classic game points are none
      const label = [colour, ...(named ? [who] : []), ...(counted ? [plural(points, "point")] : []), ...(turn ? ["to move"] : won ? ["wins"] : [])].join(", ");
      const standing = turn ? [element("span", { class: "waits" }, "to move"), element("span", { class: "thinks" }, "thinking …")] : won ? ["wins"] : [];
      return element("div", { class: `side ${index ? "green" : "red"}${turn ? " turn" : won ? " won" : ""}`, role: "img", "aria-label": label },
        emblem(player),
        element("span", { class: "who" }, element("span", {}, who), element("small", {},
          element("span", { class: "colour" }, named ? `${colour.toLowerCase()}${standing.length ? ", " : ""}` : ""), ...standing)),
        counted ? element("b", {}, `${points}`) : "");
    }));
  }

  /**
   * Say something, on the page and aloud.
   * @param {string} words
   * @param {"" | "result" | "problem"} [kind]
   */
  say(words, kind = "") {
    const status = byId("status");
    status.className = kind;
    status.textContent = sentence(words);
  }

  /** Say what the last drop on the board did, and who is to move. */
  sayShown() {
    const { position, state } = this.showing;
    const words = state.last?.words ?? (position.start ? "The position that was set up." : "The empty board.");
    const next = state.over ? position.result : `${NAMES[state.toMove - 1]} is to move.`;
    this.say(`${words} ${next}`, state.over ? "result" : "");
  }

  /** Bring a panel to the front. @param {string} name */
  open(name) {
    if (name === this.current) return;
    this.panel?.hidden?.();
    this.current = name;
    for (const each of Object.keys(this.panels)) {
      byId(`panel-${each}`).hidden = each !== name;
      const tab = byId(`tab-${each}`);
      tab.setAttribute("aria-selected", `${each === name}`);
      tab.tabIndex = each === name ? 0 : -1;
    }
    document.body.dataset.panel = name;
    this.panel?.shown?.();
    this.draw();
    this.analysing.refresh();
  }
}

/**
 * The words for two players: where both are people, their colours.
 * @param {About} about
 * @param {GameName} game
 * @param {[string, string]} players
 */
export function playerNames(about, game, players) {
  if (players.every((player) => player === "person")) return NAMES;
  return /** @type {[string, string]} */ (players.map((player) => {
    const level = about.levels[game].find((each) => `level:${each.level}` === player);
    return level ? level.name : player === "person" ? "You" : player;
  }));
}
