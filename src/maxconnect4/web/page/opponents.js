// Which game, and who plays it: a form, whose answers are remembered.

import { NAMES } from "./desk.js";
import { element } from "./elements.js";
import { remember, remembered } from "./settings.js";

/** @import { About, GameName } from "./types.js" */

export const GAMES = /** @type {Record<GameName, string>} */ ({ max: "Max-Connect4", classic: "Classic four in a row" });
const IDS = ["red-player", "green-player"];

/** Events: `change` when somebody has chosen something else. */
export class Opponents extends EventTarget {
  /** @param {About} about */
  constructor(about) {
    super();
    this.about = about;
    /** @type {GameName} */
    this.kind = remembered("game", "max") === "classic" ? "classic" : "max";
    /** @type {[string, string]} */
    this.players = [remembered("red", "person"), remembered("green", "level:3")];
    this.element = element("form", { class: "settings", onsubmit: (/** @type {Event} */ event) => event.preventDefault() });
    this.draw();
  }

  /**
   * Take what is played already, or is to be played, as chosen.
   * @param {GameName} kind
   * @param {[string, string]} [players]
   */
  set(kind, players = this.players) {
    this.kind = kind;
    this.players = [...players];
    this.draw();
  }

  swap() {
    this.players.reverse();
    this.remember();
  }

  remember() {
    remember("game", this.kind);
    remember("red", this.players[0]);
    remember("green", this.players[1]);
    this.draw();
  }

  /** Somebody has chosen. */
  chosen() {
    this.remember();
    this.dispatchEvent(new Event("change"));
  }

  draw() {
    const focused = this.element.contains(document.activeElement) ? document.activeElement?.id : "";
    const kinds = this.about.games.map((game) =>
      element("label", { class: "choice" },
        element("input", { type: "radio", name: "game", id: `game-${game}`, value: game, checked: game === this.kind,
          onchange: () => { this.kind = game; this.chosen(); } }),
        GAMES[game]));
    this.element.replaceChildren(
      element("fieldset", {}, element("legend", {}, "The game"), ...kinds),
      ...[0, 1].map((side) => this.playerSetting(side)));
    if (focused) document.getElementById(focused)?.focus();
  }

  /** @param {number} side */
  playerSetting(side) {
    const levels = this.about.levels[this.kind];
    const chosen = levels.find((level) => `level:${level.level}` === this.players[side]);
    const id = IDS[side] ?? "";
    const options = [element("option", { value: "person", selected: !chosen }, "a person"), ...levels.map((level) =>
      element("option", { value: `level:${level.level}`, selected: level === chosen }, `Level ${level.level}: ${level.name}`))];
    const choose = (/** @type {any} */ event) => {
      this.players[side] = event.target.value;
      this.chosen();
    };
    return element("div", { class: "setting" },
      element("label", { for: id }, `${NAMES[side]}${side ? "" : ", who begins,"} is`),
      element("select", { id, onchange: choose }, ...options),
      element("p", { class: "hint" }, chosen ? `${chosen.description} ${chosen.strength}` : ""));
  }
}
