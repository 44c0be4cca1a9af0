// The games that the server keeps, as a list to choose from.

import { ask } from "./api.js";
import { emblem } from "./board.js";
import { NAMES } from "./desk.js";
import { button, element, plural } from "./elements.js";

/** @import { Game, KeptGame } from "./types.js" */
/** @import { ReviewPanel } from "./review.js" */

const AT_ONCE = 20;
const SPANS = /** @type {[Intl.RelativeTimeFormatUnit, number][]} */ ([["day", 86400], ["hour", 3600], ["minute", 60]]);

/** How long ago something was, in words. @param {string} when */
function ago(when) {
  const date = new Date(when), seconds = (Date.now() - date.getTime()) / 1000;
  const [unit, length] = SPANS.find((span) => seconds >= span[1]) ?? [];
  if (!unit || !length) return "just now";
  if (seconds > 7 * 86400) return date.toLocaleDateString("en-GB", { dateStyle: "long" });
  return new Intl.RelativeTimeFormat("en", { numeric: "auto" }).format(-Math.floor(seconds / length), unit);
}

/** How far a game is, or how it ended. @param {KeptGame} game */
function story({ game, moves, points, result }) {
  const score = game === "max" ? `, ${points.join(" to ")}` : "";
  return `${score ? "" : "Classic: "}${result ?? `Under way after ${plural(moves.length, "move")}${score}.`}`;
}

/** Words for those who do not see the pieces. @param {string} words */
function aside(words) {
  return element("span", { class: "aside" }, words);
}

export class GamesList {
  /** @param {ReviewPanel} panel */
  constructor(panel) {
    this.panel = panel;
    this.list = element("ul", { class: "games" });
    this.none = element("p", { class: "hint", hidden: true }, "No game is kept yet. Each game that is played here will be, by itself.");
    this.more = button("More games", () => this.load(this.last), { hidden: true });
    this.element = element("div", {}, this.list, this.none, this.more);
    this.last = "";
    this.turn = 0;
  }

  /** Load the list anew, or what comes after a game. @param {string} [before] */
  async load(before) {
    const turn = ++this.turn;
    /** @type {{ games: KeptGame[], more: boolean } | undefined} */
    const answer = await this.panel.careful(() => ask(`/games?limit=${AT_ONCE}${before ? `&before=${before}` : ""}`));
    if (!answer || turn !== this.turn) return;
    const entries = answer.games.map((game) => this.entry(game));
    this.list.replaceChildren(...(before ? this.list.children : []), ...entries);
    if (before) entries[0]?.querySelector("button")?.focus();
    this.last = answer.games.at(-1)?.id ?? "";
    this.more.hidden = !answer.more;
    this.none.hidden = this.list.childElementCount > 0;
  }

  /** @param {KeptGame} game */
  entry(game) {
    const id = `game-${game.id}`, about = { "aria-describedby": id }, [red, green] = this.panel.namesOf(game);
    const named = red !== NAMES[0];
    /** @param {(game: Game) => void} what */
    const open = (what) => async () => {
      const whole = await this.panel.careful(() => ask(`/games/${game.id}`));
      if (whole) what(whole);
    };
    const actions = element("div", { class: "controls" });
    const offer = () => actions.replaceChildren(
      game.moves ? button("Review", open((whole) => this.panel.look(whole.position, whole)), about) : "",
      game.over ? "" : button("Play on", open((whole) => this.panel.resume(whole)), about),
      button("Delete", question, about));
    const question = () => {
      const keep = button("Keep it", () => { offer(); actions.querySelector("button")?.focus(); });
      actions.replaceChildren("Delete this game for good?", button("Delete it", () => this.remove(game.id, made), { ...about, class: "danger" }), keep);
      keep.focus();
    };
    const made = element("li", {},
      element("p", { id, class: "who" }, emblem(1), aside(named ? "Red: " : ""), red, aside(named ? ", green: " : " and "), emblem(2), green, aside(", "),
        element("time", { datetime: game.changed, title: new Date(game.changed).toLocaleString("en-GB") }, ago(game.changed))),
      element("p", { class: "hint" }, story(game)), actions);
    offer();
    return made;
  }

  /** @param {string} id @param {HTMLElement} entry */
  async remove(id, entry) {
    if (!(await this.panel.careful(() => ask(`/games/${id}`, { method: "DELETE" })))) return;
    const next = entry.nextElementSibling ?? entry.previousElementSibling;
    entry.remove();
    (next?.querySelector("button") ?? this.panel.chooseTitle).focus();
    this.none.hidden = this.list.childElementCount > 0;
    this.panel.deleted(id);
  }
}
