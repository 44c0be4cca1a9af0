// One game on a board, to step through.

const ENDINGS = {
  full: "the board is full",
  four: "four in a row",
  adjudicated: "adjudicated: the solver played on",
  forfeit: "forfeit",
  void: "void: it does not count",
};

class Viewer {
  constructor(names, classic) {
    this.names = names;
    this.classic = classic;
    this.game = null;
    this.title = element("h3", { tabindex: "-1" });
    this.facts = element("p", { class: "hint" });
    this.score = element("p", { class: "score" });
    this.place = element("div", { class: "board-place" });
    this.status = element("p", { class: "status", "aria-live": "polite" });
    this.slider = element("input", {
      type: "range", min: 0, step: 1, "aria-label": "Move", oninput: () => this.goto(Number(this.slider.value)),
    });
    this.list = element("ol", { class: "moves", "aria-label": "Moves" });
    this.remarks = element("ul", { class: "remarks" });
    this.root = element("div", { class: "viewer" },
      this.title, this.facts, this.remarks,
      element("div", { class: "viewer-parts" },
        element("div", {}, this.score, this.place, this.slider, this.controls(), this.status, legend(classic)),
        element("div", {}, this.list)));
    document.addEventListener("keydown", (event) => this.key(event));
  }

  controls() {
    return element("div", { class: "controls" },
      button("First", "To the empty board", () => this.goto(0)),
      button("Back", "Back one move (left arrow)", () => this.goto(this.at - 1)),
      button("Next", "Next move (right arrow)", () => this.goto(this.at + 1)),
      button("Last", "To the last move", () => this.goto(this.drops.length)));
  }

  // Show a game at its end, or after so many drops.
  open(game, at = null) {
    this.game = game;
    this.drops = dropsOf(game.moves + game.line);
    this.rows = this.drops.map((drop, index) => this.moveRow(drop, index));
    this.list.replaceChildren(...this.rows);
    this.slider.max = this.drops.length;
    this.title.textContent = `Game ${game.number}: ${this.names[game.red]} – ${this.names[game.green]}`;
    const opening = game.opening ? `opening ${game.moves.slice(0, game.opening)}` : "from the empty board";
    const end = `${ENDINGS[game.ending] ?? game.ending}; ${resultInWords(game, this.classic)}.`;
    this.facts.textContent = `Round ${game.round}, pair ${game.pair}, ${opening}; ${end} ${effortInWords(game)}`;
    this.remarks.replaceChildren(...this.remarkItems());
    this.goto(at ?? this.drops.length);
  }

  goto(at) {
    if (!this.game) return;
    this.at = Math.max(0, Math.min(at, this.drops.length));
    this.place.replaceChildren(drawBoard(this.drops, this.at, (index) => this.kind(index)));
    const points = this.at ? this.drops[this.at - 1].points : { [RED]: 0, [GREEN]: 0 };
    this.score.replaceChildren(
      this.side(RED, this.game.red, points),
      element("span", { class: "against" }, "–"),
      this.side(GREEN, this.game.green, points));
    this.slider.value = this.at;
    this.slider.setAttribute("aria-valuetext", `move ${this.at} of ${this.drops.length}`);
    this.status.textContent = this.inWords();
    this.rows.forEach((row, index) => {
      const here = index === this.at - 1;
      if (here) row.firstChild.setAttribute("aria-current", "step");
      else row.firstChild.removeAttribute("aria-current");
      row.firstChild.tabIndex = here || (this.at === 0 && index === 0) ? 0 : -1;
      if (here) keepInSight(this.list, row);
    });
  }

  side(player, number, points) {
    return element("span", { class: COLOURS[player] },
      element("span", { class: "who" }, `${SHAPES[player]} ${this.names[number]}`),
      this.classic ? "" : element("b", {}, `${points[player]}`));
  }

  kind(index) {
    return index < this.game.opening ? "opening" : index >= this.game.moves.length ? "line" : "";
  }

  moveRow(drop, index) {
    const kind = this.kind(index), own = index - this.game.opening;
    const cpu = this.game.cpu[own], lost = this.game.regret?.[own];
    const faulty = this.game.faults.some(([, , plies]) => plies.includes(index + 1));
    const spent = { opening: "opening", line: "adjudicated" }[kind] ?? (cpu === undefined ? "" : timeInWords(cpu));
    return element("li", {},
      element("button", { type: "button", tabindex: "-1", onclick: () => this.goto(index + 1) },
        element("span", { class: "ply" }, `${index + 1}`),
        element("span", { class: COLOURS[drop.player], title: COLOURS[drop.player] }, SHAPES[drop.player]),
        element("span", { class: "column" }, `${drop.column}`),
        element("span", { class: "scored" }, drop.fours.length ? (this.classic ? "four" : `+${drop.fours.length}`) : ""),
        element("span", { class: "lost", title: "given away" }, lost && !kind ? `gave ${lost}` : ""),
        element("span", { class: "time" }, faulty ? `⚠ fault ${spent}` : spent)));
  }

  inWords() {
    if (!this.at) return "The empty board.";
    const index = this.at - 1, drop = this.drops[index], own = index - this.game.opening, kind = this.kind(index);
    const what = this.classic ? "makes four and wins" : `scores ${plural(drop.fours.length, "point")}`;
    const scored = drop.fours.length ? `, which ${what}` : "";
    const done = `${COLOURS[drop.player]} drops in column ${drop.column}${scored}`;
    const words = [`Move ${this.at} of ${this.drops.length}: ${done}.`];
    if (kind === "opening") words.push("A move of the opening.");
    if (kind === "line") words.push("Played by the solver.");
    if (!kind && this.game.cpu[own] !== undefined) words.push(`CPU time ${timeInWords(this.game.cpu[own])}.`);
    if (!kind && this.game.regret?.[own]) words.push(`It gave away ${this.lost(this.game.regret[own])}.`);
    return words.join(" ");
  }

  lost(number) {
    return this.classic ? `${number}` : plural(number, "point");
  }

  remarkItems() {
    const items = this.game.faults.map(([kind, player, plies, detail]) => {
      const evidence = plies.map((ply) => document.getElementById(`fault-${this.game.number}-${ply}`)).find(Boolean);
      return element("li", { class: "bad" }, `Fault of ${COLOURS[player]}, ${atPlies(plies)}: ${kind}: ${detail} `,
        evidence ? element("a", { href: `#${evidence.id}` }, "evidence") : "");
    });
    for (const [kind, player, plies] of this.game.notes)
      items.push(element("li", {}, `Note of ${COLOURS[player]}, ${atPlies(plies)}: ${kind}`));
    return items;
  }

  key(event) {
    if (!this.game || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    const inList = this.list.contains(event.target);
    if (!inList && event.target.closest("input, select, textarea, .scroll, summary")) return;
    const step = { ArrowLeft: -1, ArrowRight: 1, ...(inList && { ArrowUp: -1, ArrowDown: 1 }) }[event.key];
    if (!step) return;
    event.preventDefault();
    this.goto(this.at + step);
    if (inList && this.at) this.rows[this.at - 1].firstChild.focus({ preventScroll: true });
  }
}

function legend(classic) {
  const shapes = `${SHAPES[RED]} red, ${SHAPES[GREEN]} green; pale: the opening; hollow: played by the solver`;
  const marks = `square: the last drop; line: ${classic ? "the four that wins" : "a four, one point"}`;
  return element("p", { class: "hint" }, `${shapes}; ${marks}. The arrow keys step.`);
}

function atPlies(plies) {
  return plies.length === 1 ? `ply ${plies[0]}` : `${plies.length} plies from ${plies[0]} on`;
}

// What the moves of each colour after the opening add up to.
function byColour(game, ofMoves) {
  const sums = { [RED]: 0, [GREEN]: 0 };
  ofMoves.forEach((each, index) => (sums[(game.opening + index) % 2 ? GREEN : RED] += each));
  return sums;
}

function effortInWords(game) {
  const cpu = byColour(game, game.cpu);
  const words = `CPU time: red ${timeInWords(cpu[RED])}, green ${timeInWords(cpu[GREEN])}.`;
  if (!game.regret) return words;
  const lost = byColour(game, game.regret);
  return `${words} Given away: red ${lost[RED]}, green ${lost[GREEN]}.`;
}

function resultInWords(game, classic) {
  if (game.score === null) return "no result";
  const winner = game.score ? "red" : "green";
  if (classic) return game.score === 0.5 ? "a draw" : `${winner} wins`;
  const points = `${game.points[0]}–${game.points[1]}`;
  return game.score === 0.5 ? `a draw, points ${points}` : `${winner} wins, points ${points}`;
}

// Scroll the list alone, not the page. The list is what offsets count from.
function keepInSight(list, row) {
  const top = row.offsetTop;
  if (top < list.scrollTop) list.scrollTop = top;
  else if (top + row.offsetHeight > list.scrollTop + list.clientHeight)
    list.scrollTop = top + row.offsetHeight - list.clientHeight;
}
