// The list of games: filter, sort, turn the pages, choose one to see.

const PAGE = 20;

// The classic game has no points: what tells its games apart is how long they were.
const drops = (game) => game.moves.length + game.line.length;
const POINTS = ["Points", (game) => game.points[0] - game.points[1], (game) => `${game.points[0]}–${game.points[1]}`];
const DROPS = ["Drops", drops, (game) => `${drops(game)}`];

const columns = (measure) => [
  ["Game", (game) => game.number],
  ["● Red", (game, names) => names[game.red]],
  ["Result", (game) => game.score],
  ["✕ Green", (game, names) => names[game.green]],
  measure,
  ["Opening", (game) => game.moves.slice(0, game.opening)],
  ["Ending", (game) => game.ending],
];

class Games {
  constructor(games, names, classic, open) {
    this.games = games;
    this.measure = classic ? DROPS : POINTS;
    this.columns = columns(this.measure);
    this.names = names;
    this.open = open;
    this.page = 0;
    this.order = { column: 0, sign: 1 };
    this.chosen = null;
    this.player = this.select("Player", [["", "any"], ...names.map((name, number) => [number, name])]);
    this.opponent = this.select("Against", [["", "any"], ...names.map((name, number) => [number, name])]);
    this.outcome = this.select("Result", []);
    this.ending = this.select("Ending", [
      ["", "any"], ...(classic ? [["four", "four"]] : []), ["full", "full board"], ["adjudicated", "adjudicated"], ["forfeit", "forfeit"], ["void", "void"],
      ["faults", "with faults"], ["notes", "with notes"],
    ]);
    this.opening = element("input", {
      type: "text", inputmode: "numeric", size: 8, placeholder: "any", autocomplete: "off",
      oninput: () => this.change(),
    });
    this.count = element("p", { class: "count", "aria-live": "polite" });
    this.heads = this.columns.map(([title], index) => {
      const sorter = element("button", { type: "button", class: "sorter", onclick: () => this.sort(index) }, title);
      return element("th", { scope: "col" }, sorter);
    });
    this.body = element("tbody");
    this.pageText = element("span");
    this.back = button("‹ Before", "Page before", () => this.turn(-1));
    this.next = button("Next ›", "Next page", () => this.turn(1));
    this.root = element("div", { class: "list" },
      element("form", { class: "filters", onsubmit: (event) => event.preventDefault() },
        labelled("Player", this.player), labelled("Against", this.opponent), labelled("Result", this.outcome),
        labelled("Ending", this.ending), labelled("Opening begins with", this.opening),
        button("All games", "Show all games again", () => this.show(null, null))),
      this.count,
      element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Games" },
        element("table", { class: "games" }, element("thead", {}, element("tr", {}, ...this.heads)), this.body)),
      element("div", { class: "pages" }, this.back, this.pageText, this.next));
    this.change();
  }

  select(label, options) {
    return element("select", { onchange: () => this.change() },
      ...options.map(([value, text]) => element("option", { value }, text)));
  }

  // The games of one player, or of two.
  show(player, opponent) {
    this.player.value = player ?? "";
    this.opponent.value = opponent ?? "";
    this.ending.value = this.opening.value = this.outcome.value = "";
    this.change();
  }

  change() {
    this.nameOutcomes();
    const filters = this.filters();
    this.found = this.games.filter((game) => filters.every((passes) => passes(game)));
    this.arrange();
  }

  nameOutcomes() {
    const words = this.player.value === "" ? ["red won", "drawn", "green won"] : ["won", "drawn", "lost"];
    const before = this.outcome.value;
    const options = [["", "any"], ["1", words[0]], ["0.5", words[1]], ["0", words[2]]];
    this.outcome.replaceChildren(...options.map(([value, text]) => element("option", { value }, text)));
    this.outcome.value = before;
  }

  filters() {
    const filters = [];
    const player = this.player.value === "" ? null : Number(this.player.value);
    const opponent = this.opponent.value === "" ? null : Number(this.opponent.value);
    if (player !== null) filters.push((game) => game.red === player || game.green === player);
    if (opponent !== null) filters.push((game) => game.red === opponent || game.green === opponent);
    if (this.outcome.value !== "") {
      const score = Number(this.outcome.value);
      filters.push((game) => game.score !== null && (game.green === player ? 1 - game.score : game.score) === score);
    }
    const ending = this.ending.value;
    if (ending === "faults" || ending === "notes") filters.push((game) => game[ending].length > 0);
    else if (ending) filters.push((game) => game.ending === ending);
    const opening = this.opening.value.replace(/[^1-7]/g, "");
    if (opening) filters.push((game) => game.moves.slice(0, game.opening).startsWith(opening));
    return filters;
  }

  sort(column) {
    this.order = { column, sign: this.order.column === column ? -this.order.sign : 1 };
    this.arrange();
  }

  arrange() {
    const { column, sign } = this.order;
    const value = (game) => this.columns[column][1](game, this.names);
    this.found.sort((one, another) => compare(value(one), value(another), sign) || one.number - another.number);
    this.heads.forEach((head, index) => {
      if (index === column) head.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
      else head.removeAttribute("aria-sort");
    });
    this.page = 0;
    this.draw();
  }

  turn(pages) {
    this.page += pages;
    this.draw();
  }

  draw() {
    const pages = Math.max(1, Math.ceil(this.found.length / PAGE));
    const all = plural(this.games.length, "game");
    this.count.textContent = this.found.length === this.games.length ? all : `${this.found.length} of ${all}`;
    this.pageText.textContent = `page ${this.page + 1} of ${pages}`;
    this.back.disabled = this.page === 0;
    this.next.disabled = this.page === pages - 1;
    const shown = this.found.slice(this.page * PAGE, (this.page + 1) * PAGE);
    this.body.replaceChildren(...shown.map((game) => this.row(game)));
  }

  row(game) {
    const winner = (score) => (game.score === score ? "winner" : null);
    const ending = [game.ending];
    if (game.faults.length && game.ending !== "forfeit") ending.push("faults"); // a forfeit is for one
    if (game.notes.length) ending.push("notes");
    const label = `Show game ${game.number}`;
    const result = { 1: "1–0", 0.5: "½–½", 0: "0–1" }[game.score] ?? "void";
    return element("tr", { class: game === this.chosen ? "chosen" : null, onclick: () => this.open(game) },
      element("th", { scope: "row" },
        element("button", { type: "button", class: "open", "aria-label": label }, `${game.number}`)),
      element("td", { class: winner(1) }, this.names[game.red]),
      element("td", { class: "middle" }, result),
      element("td", { class: winner(0) }, this.names[game.green]),
      element("td", { class: "middle" }, this.measure[2](game)),
      element("td", { class: "digits" }, game.moves.slice(0, game.opening) || "none"),
      element("td", {}, ending.join(", ")));
  }

  // Mark a game as the one that is seen, and its neighbours in the list as those beside it.
  choose(game) {
    this.chosen = game;
    const index = this.found.indexOf(game);
    if (index >= 0) this.page = Math.floor(index / PAGE);
    this.draw();
  }
}

function labelled(text, control) {
  return element("label", {}, element("span", {}, text), control);
}
