// The game viewer: one game on a board, with buttons to step through it.

import { BoardDrawing, CELL, COLOURS, HEADROOM, HEIGHT, pieceIcon, WIDTH } from "../../web/static/board_drawing.js";
import { button, element, svgElement } from "../../web/static/elements.js";
import { tn } from "../../web/static/translations.js";

/** @import { BoardState } from "../../web/static/position_state.js" */

const ENDINGS = {
  full: "the board is full",
  four: "four in a row",
  adjudicated: "adjudicated by the solver",
  forfeit: "forfeit",
  void: "void, not counted",
};

const WINDOWS = []; // all sets of four consecutive cells
for (let column = 1; column <= WIDTH; column++)
  for (let row = 1; row <= HEIGHT; row++)
    for (const [right, up] of [[0, 1], [1, 0], [1, 1], [1, -1]]) {
      const window = [0, 1, 2, 3].map((step) => [column + step * right, row + step * up]);
      const [lastColumn, lastRow] = window[3];
      if (lastColumn <= WIDTH && lastRow >= 1 && lastRow <= HEIGHT) WINDOWS.push(window);
    }

// Replay a move string: the cell of each move, the fours that it makes, and the points [red, green] after it.
function replay(moves) {
  const owners = new Map(), heights = new Map();
  let points = [0, 0];
  return [...moves].map((digit, index) => {
    const column = Number(digit), player = index % 2 + 1, row = (heights.get(column) ?? 0) + 1;
    heights.set(column, row);
    owners.set(`${[column, row]}`, player);
    const fours = WINDOWS.filter((window) =>
      window.some((cell) => cell[0] === column && cell[1] === row) && window.every((cell) => owners.get(`${cell}`) === player));
    points = points.map((count, at) => count + (at === player - 1 ? fours.length : 0));
    return { player, column, row, fours, points };
  });
}

/** The board after some moves. @returns {Pick<BoardState, "cells" | "fours" | "last" | "pieceClass">} */
function boardState(moves, pieceClass) {
  const rows = Array.from({ length: HEIGHT }, () => Array(WIDTH).fill("0"));
  for (const { player, column, row } of moves) rows[HEIGHT - row][column - 1] = `${player}`;
  const foursOf = (player) => moves.flatMap((move) => (move.player === player ? move.fours : []));
  return {
    cells: rows.map((row) => row.join("")),
    fours: [foursOf(1), foursOf(2)],
    last: moves.at(-1) ?? null,
    pieceClass: ([column, row]) => pieceClass(moves.findIndex((move) => move.column === column && move.row === row)),
  };
}

export class GameViewer {
  constructor(names, classic) {
    this.names = names;
    this.classic = classic;
    this.game = null;
    this.ply = 0;
    this.drawing = new BoardDrawing();
    /** @type {ReturnType<typeof replay>} */
    this.moves = [];
    /** The button of each move. @type {HTMLButtonElement[]} */
    this.buttons = [];
    this.title = element("h3", { tabindex: "-1" });
    this.details = element("p", { class: "hint" });
    this.points = element("p", { class: "points" });
    this.board = element("div");
    this.status = element("p", { class: "status", "aria-live": "polite" });
    this.slider = element("input", {
      type: "range", min: 0, step: 1, "aria-label": "Move", oninput: () => this.goTo(Number(this.slider.value)),
    });
    this.list = element("ol", { class: "moves", "aria-label": "Moves" });
    this.remarks = element("ul", { class: "remarks" });
    this.root = element("div", { class: "viewer" },
      this.title, this.details, this.remarks,
      element("div", { class: "viewer-parts" },
        element("div", {}, this.points, this.board, this.slider, this.controls(), this.status, legend(classic)),
        element("div", {}, this.list)));
    document.addEventListener("keydown", (event) => this.handleKey(event));
  }

  controls() {
    return element("div", { class: "controls" },
      button("First", () => this.goTo(0), { title: "Go to the start" }),
      button("Back", () => this.goTo(this.ply - 1), { title: "Go back one move (←)" }),
      button("Forward", () => this.goTo(this.ply + 1), { title: "Go forward one move (→)" }),
      button("Last", () => this.goTo(this.moves.length), { title: "Go to the last move" }));
  }

  // Show the end of a game.
  open(game) {
    this.game = game;
    this.moves = replay(game.moves + game.line);
    this.drawing = new BoardDrawing();
    this.drawing.svg.setAttribute("class", "board");
    this.drawing.svg.setAttribute("viewBox", `-2 ${HEADROOM - 2} ${WIDTH * CELL + 4} ${HEIGHT * CELL + 52}`);
    for (let column = 1; column <= WIDTH; column++)
      this.drawing.svg.append(svgElement("text", { x: (column - 0.5) * CELL, y: HEADROOM + HEIGHT * CELL + 38, "text-anchor": "middle" }, `${column}`));
    this.board.replaceChildren(this.drawing.svg);
    this.buttons = this.moves.map((move, index) => this.moveButton(move, index));
    this.list.replaceChildren(...this.buttons.map((each) => element("li", {}, each)));
    this.slider.max = `${this.moves.length}`;
    this.title.textContent = `Game ${game.number}: ${this.names[game.red]} – ${this.names[game.green]}`;
    const opening = game.opening ? `opening ${game.moves.slice(0, game.opening)}` : "from the empty board";
    const end = `${ENDINGS[game.ending] ?? game.ending}; ${describeResult(game, this.classic)}.`;
    this.details.textContent = `Round ${game.round}, pair ${game.pair}, ${opening}; ${end} ${describeTotals(game)}`;
    this.remarks.replaceChildren(...this.remarkItems());
    this.goTo(this.moves.length);
  }

  goTo(ply) {
    if (!this.game) return;
    this.ply = Math.max(0, Math.min(ply, this.moves.length));
    this.drawing.update(boardState(this.moves.slice(0, this.ply), (index) => this.phase(index)));
    const points = this.moves[this.ply - 1]?.points ?? [0, 0];
    this.points.replaceChildren(
      this.player(1, this.game.red, points),
      element("span", { class: "versus" }, "–"),
      this.player(2, this.game.green, points));
    this.slider.value = `${this.ply}`;
    this.slider.setAttribute("aria-valuetext", `move ${this.ply} of ${this.moves.length}`);
    this.status.textContent = this.describeMove();
    this.buttons.forEach((each, index) => {
      const current = index === this.ply - 1;
      if (current) each.setAttribute("aria-current", "step");
      else each.removeAttribute("aria-current");
      each.tabIndex = current || (this.ply === 0 && index === 0) ? 0 : -1;
      if (current) scrollIntoList(this.list, each);
    });
  }

  player(player, number, points) {
    return element("span", { class: COLOURS[player - 1] },
      element("span", { class: "player-name" }, pieceIcon(player), ` ${this.names[number]}`),
      this.classic ? "" : element("b", {}, `${points[player - 1]}`));
  }

  // The phase of a move: "opening", "adjudicated" (played by the solver) or "". It is also the class of the piece.
  phase(index) {
    return index < this.game.opening ? "opening" : index >= this.game.moves.length ? "adjudicated" : "";
  }

  moveButton(move, index) {
    const phase = this.phase(index), own = index - this.game.opening, colour = COLOURS[move.player - 1];
    const cpu = this.game.cpu[own], regret = this.game.regret?.[own];
    const faulty = this.game.faults.some(([, , plies]) => plies.includes(index + 1));
    const time = phase || (cpu === undefined ? "" : formatTime(cpu));
    return element("button", { type: "button", tabindex: "-1", onclick: () => this.goTo(index + 1) },
      element("span", { class: "ply" }, `${index + 1}`),
      element("span", { title: colour, role: "img", "aria-label": colour }, pieceIcon(move.player)),
      element("span", { class: "column" }, `${move.column}`),
      element("span", {}, move.fours.length ? (this.classic ? "four" : `+${move.fours.length}`) : ""),
      element("span", { class: "regret" }, regret && !phase ? `regret ${regret}` : ""),
      element("span", { class: "time" }, faulty ? `⚠ fault ${time}` : time));
  }

  describeMove() {
    const index = this.ply - 1, move = this.moves[index];
    if (!move) return "Empty board.";
    const own = index - this.game.opening, phase = this.phase(index);
    const effect = this.classic ? "wins with four in a row" : `scores ${tn(move.fours.length, "{count} point", "{count} points")}`;
    const words = [`Move ${this.ply} of ${this.moves.length}: ${COLOURS[move.player - 1]} plays column ${move.column}${move.fours.length ? ` and ${effect}` : ""}.`];
    if (phase === "opening") words.push("Opening move.");
    if (phase === "adjudicated") words.push("Played by the solver.");
    if (!phase && this.game.cpu[own] !== undefined) words.push(`CPU time ${formatTime(this.game.cpu[own])}.`);
    if (!phase && this.game.regret?.[own]) words.push(`Regret ${this.game.regret[own]}.`);
    return words.join(" ");
  }

  remarkItems() {
    const faults = this.game.faults.map(([kind, player, plies, detail]) => {
      const evidence = plies.map((ply) => document.getElementById(`fault-${this.game.number}-${ply}`)).find(Boolean);
      return element("li", { class: "fault-item" }, `Fault of ${COLOURS[player - 1]}, ${describePlies(plies)}: ${kind}: ${detail} `,
        evidence ? element("a", { href: `#${evidence.id}` }, "evidence") : "");
    });
    const notes = this.game.notes.map(([kind, player, plies]) =>
      element("li", {}, `Note on ${COLOURS[player - 1]}, ${describePlies(plies)}: ${kind}`));
    return [...faults, ...notes];
  }

  handleKey(event) {
    if (!this.game || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    const inList = this.list.contains(event.target);
    if (!inList && event.target.closest("input, select, textarea, .scroll, summary")) return;
    const step = { ArrowLeft: -1, ArrowRight: 1, ...(inList && { ArrowUp: -1, ArrowDown: 1 }) }[event.key];
    if (!step) return;
    event.preventDefault();
    this.goTo(this.ply + step);
    if (inList && this.ply) this.buttons[this.ply - 1]?.focus({ preventScroll: true });
  }
}

function legend(classic) {
  return element("p", { class: "hint" },
    pieceIcon(1), " red, ", pieceIcon(2), " green. Pale pieces: opening. Hollow pieces: played by the solver. ",
    `Ring around a piece: last move. Line: ${classic ? "the winning four" : "a four, which is one point"}. Use the arrow keys to step through the game.`);
}

function describePlies(plies) {
  return plies.length === 1 ? `move ${plies[0]}` : `${plies.length} moves from move ${plies[0]}`;
}

// The sums [red, green] over the moves after the opening.
function sumByPlayer(game, values) {
  const sums = [0, 0];
  values.forEach((value, index) => (sums[(game.opening + index) % 2] += value));
  return sums;
}

function describeTotals(game) {
  const cpu = sumByPlayer(game, game.cpu).map(formatTime);
  const words = `CPU time: red ${cpu[0]}, green ${cpu[1]}.`;
  if (!game.regret) return words;
  const regret = sumByPlayer(game, game.regret);
  return `${words} Regret: red ${regret[0]}, green ${regret[1]}.`;
}

function describeResult(game, classic) {
  if (game.score === null) return "no result";
  const winner = game.score ? "red" : "green";
  if (classic) return game.score === 0.5 ? "a draw" : `${winner} wins`;
  const points = `${game.points[0]}–${game.points[1]}`;
  return game.score === 0.5 ? `a draw, points ${points}` : `${winner} wins, points ${points}`;
}

// The same format as format_cpu_time in formatting.py.
function formatTime(milliseconds) {
  const seconds = milliseconds / 1000;
  if (seconds < 0.001) return `${Math.round(1000 * milliseconds)} µs`;
  if (seconds < 1) return `${milliseconds.toFixed(seconds >= 0.1 ? 0 : seconds >= 0.01 ? 1 : 2)} ms`;
  return `${seconds.toFixed(seconds < 10 ? 2 : seconds < 100 ? 1 : 0)} s`;
}

// Scroll the list, but not the page. The list is the offset parent of its entries.
function scrollIntoList(list, entry) {
  const top = entry.offsetTop;
  if (top < list.scrollTop) list.scrollTop = top;
  else if (top + entry.offsetHeight > list.scrollTop + list.clientHeight)
    list.scrollTop = top + entry.offsetHeight - list.clientHeight;
}
