// What is on the board: a position with the drops that led to it, of which some are shown, and perhaps a preview.

import { describe } from "./api.js";

/** @import { Position, Drop, GameName, Player, Cell } from "./types.js" */

/**
 * What a board view needs, after some of the drops.
 * @typedef {object} State
 * @property {string[]} cells
 * @property {Player} toMove
 * @property {number[]} columns that may be dropped into
 * @property {[number, number]} points
 * @property {[Cell[][], Cell[][]]} fours
 * @property {Drop | null} last
 * @property {boolean} over
 * @property {0 | Player} [hand] what is put into a column if not a piece of the side to move; 0 takes one away
 */

/** Events: `change` when other pieces are shown, `preview` when other pieces are hinted at. */
export class Showing extends EventTarget {
  /** @param {Position} position */
  constructor(position) {
    super();
    this.position = position;
    /** How many of its drops are shown. */
    this.at = position.drops.length;
    /** Where a branch left the game that is looked at. @type {{ position: Position, at: number } | null} */
    this.home = null;
    /** Further drops, only hinted at. @type {Drop[]} */
    this.previewed = [];
    this.turn = 0;
    /** The last drop that was explored. @type {Promise<unknown>} */
    this.explored = Promise.resolve();
    this.asked = 0; // a preview that comes late does not count, nor does it stop a drop
  }

  /** The moves that are shown. */
  get moves() {
    return this.position.moves.slice(0, this.at);
  }

  /** What names the shown position to the server. @returns {{ game: GameName, start: string | null, moves: string }} */
  get named() {
    return { game: this.position.game, start: this.position.start, moves: this.moves };
  }

  /** @returns {State} */
  get state() {
    return stateAfter(this.position, this.at);
  }

  /**
   * Show another position, or more or fewer of its drops.
   * @param {Position} position
   * @param {number} [at]
   * @param {{ position: Position, at: number } | null} [home]
   */
  show(position, at = position.drops.length, home = null) {
    this.turn++;
    this.position = position;
    this.at = Math.max(0, Math.min(at, position.drops.length));
    this.home = home;
    this.previewed = [];
    this.dispatchEvent(new Event("change"));
  }

  /** Show the position after so many drops. @param {number} at */
  goto(at) {
    if (at !== this.at && at >= 0 && at <= this.position.drops.length) this.show(this.position, at, this.home);
  }

  /** Drop without playing: a step along the drops that are there, or a branch off them. @param {number} column */
  explore(column) {
    const dropped = this.explored.then(() => this.branch(column)); // one after the other, however quick somebody is
    this.explored = dropped.catch(() => {});
    return dropped;
  }

  /** @param {number} column */
  async branch(column) {
    if (this.state.columns.includes(column)) await this.follow(`${column}`);
  }

  /** Show the position after further moves: along the drops that are there, or a branch off them. @param {string} further */
  async follow(further) {
    const moves = this.moves + further;
    if (this.position.moves.startsWith(moves)) return this.goto(moves.length);
    const home = this.home ?? (this.at < this.position.drops.length ? { position: this.position, at: this.at } : null);
    const turn = ++this.turn;
    const position = await describe({ ...this.named, moves });
    if (turn === this.turn) this.show(position, undefined, home);
  }

  /** Back to where the branch left. */
  comeBack() {
    if (this.home) this.show(this.home.position, this.home.at);
  }

  /** Hint at further moves on the board, or with none of them no longer. @param {string} moves */
  async preview(moves) {
    const turn = this.turn, asked = ++this.asked;
    const drops = moves ? (await describe({ ...this.named, moves: this.moves + moves })).drops.slice(this.at) : [];
    if (turn !== this.turn || asked !== this.asked || (!drops.length && !this.previewed.length)) return;
    this.previewed = drops;
    this.dispatchEvent(new Event("preview"));
  }
}

/**
 * @param {Position} position
 * @param {number} at
 * @returns {State}
 */
export function stateAfter(position, at) {
  const { begin, height } = position;
  const rows = begin.cells.map((row) => [...row]);
  /** @type {[Cell[][], Cell[][]]} */
  const fours = [[...begin.fours[0]], [...begin.fours[1]]];
  const drops = position.drops.slice(0, at);
  for (const drop of drops) {
    /** @type {string[]} */ (rows[height - drop.row])[drop.column - 1] = `${drop.player}`;
    fours[drop.player - 1]?.push(...drop.fours);
  }
  const last = drops.at(-1) ?? null;
  const columns = (last ?? begin).columns;
  return {
    cells: rows.map((row) => row.join("")),
    toMove: last ? (last.player === 1 ? 2 : 1) : begin.to_move,
    columns,
    points: (last ?? begin).points,
    fours,
    last,
    over: columns.length === 0,
  };
}
