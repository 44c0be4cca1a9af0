// The form that selects the game and its players, and the names of the players.

import { gameTitle, levelName, strengthText } from "./descriptions.js";
import { element } from "./elements.js";
import { loadSetting, saveSetting } from "./settings.js";
import { t } from "./translations.js";

/** @import { Capabilities, GameName } from "./types.js" */

export const PLAYER_NAMES = /** @type {[string, string]} */ ([t("Red"), t("Green")]);
export const DEFAULT_LEVEL = "level:3";
const SELECT_IDS = ["red-player", "green-player"];

/** Events: `change` when the user has changed the game or a player. */
export class PlayerSelect extends EventTarget {
  /** @param {Capabilities} capabilities */
  constructor(capabilities) {
    super();
    this.capabilities = capabilities;
    /** @type {GameName} */
    this.game = loadSetting("game", "max") === "classic" ? "classic" : "max";
    /** @type {[string, string]} */
    this.players = [loadSetting("red", "person"), loadSetting("green", DEFAULT_LEVEL)];
    this.element = element("form", { class: "settings", onsubmit: (/** @type {Event} */ event) => event.preventDefault() });
    this.render();
  }

  /** Select a game and its players, without an event. @param {GameName} game @param {[string, string]} [players] */
  set(game, players = this.players) {
    this.game = game;
    this.players = [...players];
    this.render();
  }

  swap() {
    this.players.reverse();
    this.save();
  }

  save() {
    saveSetting("game", this.game);
    saveSetting("red", this.players[0]);
    saveSetting("green", this.players[1]);
    this.render();
  }

  handleChange() {
    this.save();
    this.dispatchEvent(new Event("change"));
  }

  render() {
    const focused = this.element.contains(document.activeElement) ? document.activeElement?.id : "";
    const gameInputs = this.capabilities.games.map((game) =>
      element("label", { class: "choice" },
        element("input", { type: "radio", name: "game", id: `game-${game}`, value: game, checked: game === this.game,
          onchange: () => { this.game = game; this.handleChange(); } }),
        gameTitle(game)));
    this.element.replaceChildren(
      element("fieldset", {}, element("legend", {}, t("Game")), ...gameInputs),
      ...[0, 1].map((side) => this.playerField(side)));
    if (focused) document.getElementById(focused)?.focus();
  }

  /** @param {number} side */
  playerField(side) {
    const levels = this.capabilities.levels[this.game];
    const chosen = levels.find((level) => `level:${level.level}` === this.players[side]);
    const id = SELECT_IDS[side] ?? "";
    const options = [element("option", { value: "person", selected: !chosen }, t("Person")), ...levels.map((level) =>
      element("option", { value: `level:${level.level}`, selected: level === chosen }, t("Level {level}: {name}", { level: level.level, name: levelName(level) })))];
    const choose = (/** @type {any} */ event) => {
      this.players[side] = event.target.value;
      this.handleChange();
    };
    return element("div", { class: "setting" },
      element("label", { for: id }, side ? t("Green") : t("Red (moves first)")),
      element("select", { id, onchange: choose }, ...options),
      ...(chosen ? [element("p", { class: "hint" }, t(chosen.description)),
        element("details", { class: "strength" }, element("summary", {}, t("Measured strength")), element("p", { class: "hint" }, strengthText(chosen)))] : []));
  }
}

/**
 * The names of both players: their colours if both are people.
 * @param {Capabilities} capabilities
 * @param {GameName} game
 * @param {[string, string]} players
 */
export function playerNames(capabilities, game, players) {
  if (players.every((player) => player === "person")) return PLAYER_NAMES;
  return /** @type {[string, string]} */ (players.map((player) => {
    const level = capabilities.levels[game].find((each) => `level:${each.level}` === player);
    return level ? levelName(level) : player === "person" ? t("You") : player;
  }));
}
