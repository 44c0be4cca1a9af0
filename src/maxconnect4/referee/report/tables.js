// Tables: sortable columns, the cross table, and the list of games with its filters.

import { pieceIcon } from "../../web/static/board_drawing.js";
import { button, element } from "../../web/static/elements.js";
import { tn } from "../../web/static/translations.js";

const PAGE_SIZE = 20;

export function makeSortable(table) {
  table.querySelectorAll("thead th").forEach((head, index) => {
    head.replaceChildren(element("button", { type: "button", class: "sorter", onclick: () => sortTable(table, index) }, head.textContent));
  });
}

function sortTable(table, index) {
  const heads = [...table.querySelectorAll("thead th")];
  const body = table.tBodies[0];
  const value = (row) => {
    const cell = row.cells[index];
    if (cell.dataset.v === undefined) return cell.textContent;
    return cell.dataset.v === "" ? null : Number(cell.dataset.v);
  };
  const rows = [...body.rows];
  const words = rows.length > 0 && typeof value(rows[0]) === "string";
  // The first click sorts numbers in descending order, ranks and names in ascending order.
  const initial = words || index === 0 ? "ascending" : "descending";
  const now = heads[index].getAttribute("aria-sort");
  const order = now === null ? initial : now === "ascending" ? "descending" : "ascending";
  for (const head of heads) head.removeAttribute("aria-sort");
  heads[index].setAttribute("aria-sort", order);
  rows.sort((one, another) => compare(value(one), value(another), order === "ascending" ? 1 : -1));
  body.append(...rows);
}

// Missing values are last in both orders.
function compare(one, another, sign) {
  if (one === null || another === null) return Number(one === null) - Number(another === null);
  if (typeof one === "string") return sign * one.localeCompare(another, undefined, { numeric: true });
  return sign * (one - another);
}

export function makeCrossTable(table, showGames) {
  table.tBodies[0].addEventListener("click", (event) => {
    const cell = event.target.closest("td");
    if (!cell || !cell.textContent || cell.classList.contains("self")) return;
    const opponent = cell.classList.contains("sum") ? null : cell.cellIndex - 1;
    showGames(cell.parentElement.sectionRowIndex, opponent);
  });
}

// The number of moves, which the list of classic games shows instead of points.
const length = (game) => game.moves.length + game.line.length;
const POINTS = { title: "Points", key: (game) => game.points[0] - game.points[1], text: (game) => `${game.points[0]}–${game.points[1]}` };
const LENGTH = { title: "Moves", key: length, text: (game) => `${length(game)}` };

// The columns of the list of games: title and sort key.
const gameColumns = (measure) => [
  { title: ["Game"], key: (game) => game.number },
  { title: [pieceIcon(1), " Red"], key: (game, names) => names[game.red] },
  { title: ["Result"], key: (game) => game.score },
  { title: [pieceIcon(2), " Green"], key: (game, names) => names[game.green] },
  { title: [measure.title], key: measure.key },
  { title: ["Opening"], key: (game) => game.moves.slice(0, game.opening) },
  { title: ["Ending"], key: (game) => game.ending },
];

export class GameTable {
  constructor(games, names, classic, onOpen) {
    this.games = games;
    this.measure = classic ? LENGTH : POINTS;
    this.columns = gameColumns(this.measure);
    this.names = names;
    this.onOpen = onOpen;
    this.page = 0;
    this.order = { column: 0, sign: 1 };
    this.selected = null;
    this.player = this.selectField([["", "any"], ...names.map((name, number) => [number, name])]);
    this.opponent = this.selectField([["", "any"], ...names.map((name, number) => [number, name])]);
    this.result = this.selectField([]);
    this.ending = this.selectField([
      ["", "any"], ...(classic ? [["four", "four"]] : []), ["full", "full board"], ["adjudicated", "adjudicated"], ["forfeit", "forfeit"], ["void", "void"],
      ["faults", "with faults"], ["notes", "with notes"],
    ]);
    this.opening = element("input", {
      type: "text", inputmode: "numeric", size: 8, placeholder: "any", autocomplete: "off",
      oninput: () => this.filter(),
    });
    this.count = element("p", { class: "count", "aria-live": "polite" });
    this.heads = this.columns.map(({ title }, index) => {
      const sorter = element("button", { type: "button", class: "sorter", onclick: () => this.sortBy(index) }, ...title);
      return element("th", { scope: "col" }, sorter);
    });
    this.body = element("tbody");
    this.pageText = element("span");
    this.back = button("‹ Previous", () => this.turnPage(-1), { title: "Previous page" });
    this.next = button("Next ›", () => this.turnPage(1), { title: "Next page" });
    this.root = element("div", { class: "list" },
      element("form", { class: "filters", onsubmit: (event) => event.preventDefault() },
        labelledField("Player", this.player), labelledField("Opponent", this.opponent), labelledField("Result", this.result),
        labelledField("Ending", this.ending), labelledField("Opening begins with", this.opening),
        button("All games", () => this.show(null, null), { title: "Clear all filters and show all games" })),
      this.count,
      element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Games" },
        element("table", { class: "games" }, element("thead", {}, element("tr", {}, ...this.heads)), this.body)),
      element("div", { class: "pages" }, this.back, this.pageText, this.next));
    this.filter();
  }

  selectField(options) {
    return element("select", { onchange: () => this.filter() },
      ...options.map(([value, text]) => element("option", { value }, text)));
  }

  // Show the games of one player, or of two players against each other.
  show(player, opponent) {
    this.player.value = player ?? "";
    this.opponent.value = opponent ?? "";
    this.ending.value = this.opening.value = this.result.value = "";
    this.filter();
  }

  filter() {
    this.updateResultOptions();
    const filters = this.filters();
    this.filtered = this.games.filter((game) => filters.every((passes) => passes(game)));
    this.sort();
  }

  updateResultOptions() {
    const words = this.player.value === "" ? ["red won", "drawn", "green won"] : ["won", "drawn", "lost"];
    const before = this.result.value;
    const options = [["", "any"], ["1", words[0]], ["0.5", words[1]], ["0", words[2]]];
    this.result.replaceChildren(...options.map(([value, text]) => element("option", { value }, text)));
    this.result.value = before;
  }

  filters() {
    const filters = [];
    const player = this.player.value === "" ? null : Number(this.player.value);
    const opponent = this.opponent.value === "" ? null : Number(this.opponent.value);
    if (player !== null) filters.push((game) => game.red === player || game.green === player);
    if (opponent !== null) filters.push((game) => game.red === opponent || game.green === opponent);
    if (this.result.value !== "") {
      const score = Number(this.result.value);
      filters.push((game) => game.score !== null && (game.green === player ? 1 - game.score : game.score) === score);
    }
    const ending = this.ending.value;
    if (ending === "faults" || ending === "notes") filters.push((game) => game[ending].length > 0);
    else if (ending) filters.push((game) => game.ending === ending);
    const opening = this.opening.value.replace(/[^1-7]/g, "");
    if (opening) filters.push((game) => game.moves.slice(0, game.opening).startsWith(opening));
    return filters;
  }

  sortBy(column) {
    this.order = { column, sign: this.order.column === column ? -this.order.sign : 1 };
    this.sort();
  }

  sort() {
    const { column, sign } = this.order;
    const value = (game) => this.columns[column].key(game, this.names);
    this.filtered.sort((one, another) => compare(value(one), value(another), sign) || one.number - another.number);
    this.heads.forEach((head, index) => {
      if (index === column) head.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
      else head.removeAttribute("aria-sort");
    });
    this.page = 0;
    this.render();
  }

  turnPage(pages) {
    this.page += pages;
    this.render();
  }

  render() {
    const pages = Math.max(1, Math.ceil(this.filtered.length / PAGE_SIZE));
    const all = tn(this.games.length, "{count} game", "{count} games");
    this.count.textContent = this.filtered.length === this.games.length ? all : `${this.filtered.length} of ${all}`;
    this.pageText.textContent = `Page ${this.page + 1} of ${pages}`;
    this.back.disabled = this.page === 0;
    this.next.disabled = this.page === pages - 1;
    const shown = this.filtered.slice(this.page * PAGE_SIZE, (this.page + 1) * PAGE_SIZE);
    this.body.replaceChildren(...shown.map((game) => this.row(game)));
  }

  row(game) {
    const winner = (score) => (game.score === score ? "winner" : null);
    const ending = [game.ending];
    if (game.faults.length && game.ending !== "forfeit") ending.push("faults"); // a forfeit implies a fault
    if (game.notes.length) ending.push("notes");
    const label = `Show game ${game.number}`;
    const result = { 1: "1–0", 0.5: "½–½", 0: "0–1" }[game.score] ?? "void";
    return element("tr", { class: game === this.selected ? "selected" : null, onclick: () => this.onOpen(game) },
      element("th", { scope: "row" },
        element("button", { type: "button", class: "open", "aria-label": label }, `${game.number}`)),
      element("td", { class: winner(1) }, this.names[game.red]),
      element("td", { class: "middle" }, result),
      element("td", { class: winner(0) }, this.names[game.green]),
      element("td", { class: "middle" }, this.measure.text(game)),
      element("td", {}, game.moves.slice(0, game.opening) || "none"),
      element("td", {}, ending.join(", ")));
  }

  // Select a game and show the page of the list that contains it.
  select(game) {
    this.selected = game;
    const index = this.filtered.indexOf(game);
    if (index >= 0) this.page = Math.floor(index / PAGE_SIZE);
    this.render();
  }
}

function labelledField(text, control) {
  return element("label", {}, element("span", {}, text), control);
}
