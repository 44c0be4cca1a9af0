// The list of stored games: filters, totals, results by level, and the regret of the user over time.

import { ReviewClient } from "./analysis_client.js";
import { request } from "./api.js";
import { pieceIcon } from "./board_drawing.js";
import { resultText } from "./descriptions.js";
import { button, element, svgElement } from "./elements.js";
import { PLAYER_NAMES } from "./players.js";
import { loadRegrets, opponentOf, outcomeOf, saveRegret, sideOf, totalsOf, winnerOf } from "./results.js";
import { LOCALE, t, tn } from "./translations.js";

/** @import { Game, ListedGame } from "./types.js" */
/** @import { ReviewPanel } from "./review_panel.js" */

const SHOWN_AT_ONCE = 20;
const PAGE_SIZE = 100, MAX_LOADED = 1000;
const REVIEWED_AT_ONCE = 5;
const TIME_UNITS = /** @type {[Intl.RelativeTimeFormatUnit, number][]} */ ([["day", 86400], ["hour", 3600], ["minute", 60]]);

/** @param {string} when */
function relativeTime(when) {
  const date = new Date(when), seconds = (Date.now() - date.getTime()) / 1000;
  const [unit, length] = TIME_UNITS.find((span) => seconds >= span[1]) ?? [];
  if (!unit || !length) return t("just now");
  if (seconds > 7 * 86400) return date.toLocaleDateString(LOCALE, { dateStyle: "long" });
  return new Intl.RelativeTimeFormat(LOCALE, { numeric: "auto" }).format(-Math.floor(seconds / length), unit);
}

/** The result or the state of a game. @param {ListedGame} game */
function gameStatus({ game, moves, points, over }) {
  const [red, green] = points;
  const status = over ? resultText(game, winnerOf({ points }), points)
    : game === "max" ? tn(moves.length, "In progress after {count} move, {red} to {green}.", "In progress after {count} moves, {red} to {green}.", { red, green })
    : tn(moves.length, "In progress after {count} move.", "In progress after {count} moves.");
  return game === "max" ? status : t("Classic: {status}", { status });
}

/** Create a text for screen readers only. @param {string} text */
function visuallyHidden(text) {
  return element("span", { class: "visually-hidden" }, text);
}

/** A small picture of the last position of a game. @param {ListedGame} game */
function thumbnail({ start, moves }) {
  const heights = Array(7).fill(0), paths = ["", ""];
  let pieces = 0;
  const drop = (/** @type {number} */ column, /** @type {number} */ player) => {
    paths[player] += `M${column * 10 + 1} ${55 - 10 * heights[column]++}a4 4 0 1 0 8 0a4 4 0 1 0 -8 0`;
    pieces++;
  };
  for (let row = 5; start && row >= 0; row--)
    for (let column = 0; column < 7; column++) if (start[7 * row + column] !== "0") drop(column, Number(start[7 * row + column]) - 1);
  for (const digit of moves) drop(Number(digit) - 1, pieces % 2);
  return svgElement("svg", { class: "thumbnail", viewBox: "0 0 70 60", "aria-hidden": "true" },
    svgElement("rect", { width: 70, height: 60, rx: 4 }), svgElement("path", { class: "red", d: paths[0] }), svgElement("path", { class: "green", d: paths[1] }));
}

export class GameList {
  /** @param {ReviewPanel} panel */
  constructor(panel) {
    this.panel = panel;
    /** Last changed first. @type {ListedGame[]} */
    this.games = [];
    this.shown = 0;
    this.revision = 0;
    const filtered = () => this.renderList(SHOWN_AT_ONCE);
    this.opponentSelect = element("select", { "aria-label": t("Opponent"), onchange: filtered });
    this.resultSelect = element("select", { "aria-label": t("Result"), onchange: filtered },
      ...[["", t("All results")], ["won", t("Won")], ["drawn", t("Drawn")], ["lost", t("Lost")], ["open", t("In progress")]]
        .map(([value, label]) => element("option", { value }, label ?? "")));
    this.totals = element("p", { class: "totals" });
    this.filters = element("div", { class: "controls filters", hidden: true }, this.opponentSelect, this.resultSelect);
    this.list = element("ul", { class: "game-list" });
    this.emptyNote = element("p", { class: "hint", hidden: true }, t("No saved games yet. The games you play are saved automatically."));
    this.moreButton = button(t("More games"), () => this.showMore(), { hidden: true });
    this.results = new ResultsView(panel);
    this.element = element("div", {}, this.filters, this.totals, this.list, this.emptyNote, this.moreButton, this.results.element);
  }

  /** Load the games: the list shows the first page at once. */
  async load() {
    const revision = ++this.revision;
    /** @type {ListedGame[]} */
    const games = [];
    for (let more = true; more && games.length < MAX_LOADED;) {
      const before = games.at(-1)?.id;
      /** @type {{ games: ListedGame[], more: boolean } | undefined} */
      const answer = await this.panel.withErrorHandling(() => request(`/games?limit=${PAGE_SIZE}${before ? `&before=${before}` : ""}`));
      if (!answer || revision !== this.revision) return;
      games.push(...answer.games);
      this.games = games;
      more = answer.more;
      this.renderOpponents();
      if (!before) this.renderList(SHOWN_AT_ONCE);
      else this.renderTotals();
    }
  }

  get filteredGames() {
    const { value: opponent } = this.opponentSelect, { value: result } = this.resultSelect;
    return this.games.filter((game) => (!opponent || `${game.game} ${opponentOf(game)}` === opponent)
      && (!result || (result === "open" ? !game.over : outcomeOf(game) === result)));
  }

  renderOpponents() {
    const { value } = this.opponentSelect, levels = new Set(this.games.map((game) => `${game.game} ${opponentOf(game)}`));
    const options = [...levels].sort().map((key) => element("option", { value: key, selected: key === value }, this.panel.describeOpponent(key)));
    this.opponentSelect.replaceChildren(element("option", { value: "" }, t("All opponents")), ...options);
    this.filters.hidden = this.games.length < 2;
  }

  /** @param {number} count */
  renderList(count) {
    const games = this.filteredGames, focused = document.activeElement, had = this.list.contains(focused);
    this.list.replaceChildren(...games.slice(0, count).map((game) => this.entry(game)));
    this.shown = Math.min(count, games.length);
    if (had && focused) (this.sameButton(focused) ?? this.panel.chooserTitle).focus();
    this.renderTotals();
  }

  showMore() {
    const entries = this.filteredGames.slice(this.shown, this.shown + SHOWN_AT_ONCE).map((game) => this.entry(game));
    this.list.append(...entries);
    this.shown += entries.length;
    entries[0]?.querySelector("button")?.focus();
    this.renderTotals();
  }

  renderTotals() {
    const games = this.filteredGames, { won, drawn, lost, games: finished } = totalsOf(games);
    const count = tn(games.length, "{count} game", "{count} games");
    this.totals.textContent = finished ? t("{games}: {won} won, {drawn} drawn, {lost} lost", { games: count, won, drawn, lost }) : count;
    this.totals.hidden = !this.games.length;
    this.moreButton.hidden = this.shown >= games.length;
    this.emptyNote.hidden = this.games.length > 0;
    this.results.render(this.games);
  }

  /** The button with the label and the game of an old one. @param {Element} old */
  sameButton(old) {
    return [...this.list.querySelectorAll("button")].find((each) =>
      each.textContent === old.textContent && each.getAttribute("aria-describedby") === old.getAttribute("aria-describedby"));
  }

  /** @param {ListedGame} game */
  entry(game) {
    const id = `game-${game.id}`, about = { "aria-describedby": id }, [red, green] = this.panel.namesOf(game);
    const named = red !== PLAYER_NAMES[0];
    /** @param {(game: Game) => void} action */
    const open = (action) => async () => {
      const whole = await this.panel.withErrorHandling(() => request(`/games/${game.id}`));
      if (whole) action(whole);
    };
    const actions = element("div", { class: "controls" });
    const showActions = () => actions.replaceChildren(
      game.moves ? button(t("Review"), open((whole) => this.panel.openGame(whole.position, whole)), about) : "",
      game.over ? "" : button(t("Continue"), open((whole) => this.panel.resumeGame(whole)), about),
      button(t("Delete"), confirmDelete, about));
    const confirmDelete = () => {
      const cancel = button(t("Cancel"), () => { showActions(); actions.querySelector("button")?.focus(); });
      actions.replaceChildren(t("Delete this game permanently?"), button(t("Delete game"), () => this.remove(game.id, made), { ...about, class: "danger" }), cancel);
      cancel.focus();
    };
    const made = element("li", {},
      element("p", { id, class: "player-name" }, pieceIcon(1), visuallyHidden(named ? t("Red: ") : ""), red, visuallyHidden(named ? t(", green: ") : t(" and ")), pieceIcon(2), green, visuallyHidden(", "),
        element("time", { datetime: game.changed, title: new Date(game.changed).toLocaleString(LOCALE) }, relativeTime(game.changed))),
      thumbnail(game), element("p", { class: "hint" }, gameStatus(game)), actions);
    showActions();
    return made;
  }

  /** @param {string} id @param {HTMLElement} entry */
  async remove(id, entry) {
    if (!(await this.panel.withErrorHandling(() => request(`/games/${id}`, { method: "DELETE" })))) return;
    const next = entry.nextElementSibling ?? entry.previousElementSibling;
    entry.remove();
    this.games = this.games.filter((game) => game.id !== id);
    this.shown--;
    (next?.querySelector("button") ?? this.panel.chooserTitle).focus();
    this.renderTotals();
    this.panel.gameDeleted(id);
  }
}

const average = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 1, signDisplay: "exceptZero" });
const PLOT = { width: 300, height: 80 };

/** The user's results against each level, and the regret of the user in reviewed games. */
class ResultsView {
  /** @param {ReviewPanel} panel */
  constructor(panel) {
    this.panel = panel;
    /** @type {ListedGame[]} */
    this.games = [];
    this.reviewing = false;
    this.table = element("div");
    this.regret = element("div", { class: "regret-plot" });
    this.reviewButton = button("", () => this.reviewMore());
    this.progress = element("p", { class: "hint", role: "status" });
    this.element = element("details", { class: "results", hidden: true },
      element("summary", {}, t("Your results")), this.table, this.regret, this.reviewButton, this.progress);
  }

  /** @param {ListedGame[]} games */
  render(games) {
    this.games = games;
    this.element.hidden = totalsOf(games).games === 0;
    const keys = [...new Set(games.filter(outcomeOf).map((game) => `${game.game} ${opponentOf(game)}`))].sort();
    const rows = keys.map((key) => {
      const totals = totalsOf(games.filter((game) => `${game.game} ${opponentOf(game)}` === key));
      const margin = key.startsWith("max") ? average.format(totals.margin / totals.games).replace("-", "−") : "";
      return element("tr", {}, element("th", { scope: "row" }, this.panel.describeOpponent(key)),
        ...[totals.won, totals.drawn, totals.lost, margin].map((value) => element("td", {}, `${value}`)));
    });
    const heads = [t("Opponent"), t("Won"), t("Drawn"), t("Lost"), t("Margin")].map((head) => element("th", { scope: "col" }, head));
    this.table.replaceChildren(element("table", {}, element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...rows)));
    this.renderRegret();
  }

  /** The finished games of Max-Connect4 against a computer, the oldest first. */
  get reviewable() {
    return this.games.filter((game) => game.over && game.game === "max" && sideOf(game) !== null).reverse();
  }

  renderRegret() {
    const regrets = loadRegrets(), reviewable = this.reviewable;
    const values = reviewable.flatMap(({ id }) => regrets[id] ?? []), left = Math.min(REVIEWED_AT_ONCE, reviewable.length - values.length);
    this.reviewButton.hidden = left <= 0 || this.reviewing;
    this.reviewButton.textContent = tn(left, "Review {count} more game", "Review {count} more games");
    if (!values.length) return this.regret.replaceChildren();
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length, highest = Math.max(1, ...values);
    const x = (/** @type {number} */ index) => 8 + (PLOT.width - 16) * (values.length > 1 ? index / (values.length - 1) : 0.5);
    const y = (/** @type {number} */ value) => PLOT.height - 8 - (PLOT.height - 16) * value / highest;
    const label = t("Regret in your reviewed games, the oldest first: {values}", { values: values.join(", ") });
    this.regret.replaceChildren(
      element("p", {}, tn(values.length, "Regret in {count} reviewed game: {mean} points on average", "Regret in {count} reviewed games: {mean} points on average", { mean: Math.round(10 * mean) / 10 })),
      svgElement("svg", { viewBox: `0 0 ${PLOT.width} ${PLOT.height}`, role: "img", "aria-label": label },
        svgElement("line", { class: "gridline", x1: 0, x2: PLOT.width, y1: y(0), y2: y(0) }),
        svgElement("polyline", { points: values.map((value, index) => `${x(index)},${y(value)}`).join(" ") }),
        ...values.map((value, index) => svgElement("circle", { cx: x(index), cy: y(value), r: 3.5 }))));
  }

  /** Review the last games that have not been reviewed, one after the other. */
  async reviewMore() {
    const regrets = loadRegrets(), open = this.reviewable.filter(({ id }) => !(id in regrets)).slice(-REVIEWED_AT_ONCE);
    this.reviewing = true;
    this.renderRegret();
    for (const [index, listed] of open.entries()) {
      this.progress.textContent = t("Reviewing game {number} of {count} …", { number: index + 1, count: open.length });
      const failed = await this.review(listed);
      if (failed) {
        this.progress.textContent = failed;
        break;
      }
      this.progress.textContent = "";
      this.renderRegret();
    }
    this.reviewing = false;
    this.renderRegret();
  }

  /** Review a game and store its regret. Returns an error message, or an empty string. @param {ListedGame} listed @returns {Promise<string>} */
  async review(listed) {
    /** @type {Game | undefined} */
    const game = await this.panel.withErrorHandling(() => request(`/games/${listed.id}`));
    if (!game) return t("The game could not be loaded.");
    const client = new ReviewClient();
    return new Promise((resolve) => {
      client.addEventListener("change", () => {
        if (client.review) saveRegret(game, client.review);
        if (client.review || client.error) resolve(client.error);
      });
      client.load(game.position);
    });
  }
}
