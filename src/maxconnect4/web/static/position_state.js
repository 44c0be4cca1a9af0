// The position on the board: a line of moves, the ply that is shown, and a preview of further moves.

import { fetchPosition } from "./api.js";
import { describePosition } from "./descriptions.js";
import { positionsOf } from "./rules.js";

/** @import { Cell, PlayedMove, GameName, Player, Position } from "./types.js" */

/**
 * The state of the board at a ply.
 * @typedef {object} BoardState
 * @property {string[]} cells
 * @property {Player} toMove
 * @property {number[]} columns that are not full
 * @property {[number, number]} points
 * @property {[Cell[][], Cell[][]]} fours
 * @property {PlayedMove | null} last
 * @property {boolean} over
 * @property {string} status the player to move or the result, as a sentence
 * @property {(cell: Cell) => string} [pieceClass] returns the class of the piece in a cell
 * @property {0 | Player} [tool] of the position editor: the piece that a click adds, 0 to remove one
 */

/** Events: `change` when the shown position has changed, `preview` when the previewed moves have changed. */
export class PositionState extends EventTarget {
  /** @param {Position} position */
  constructor(position) {
    super();
    this.position = position;
    /** The number of its moves that are shown. */
    this.ply = position.history.length;
    /** The point where the shown branch left the main line. @type {{ position: Position, ply: number } | null} */
    this.branchOrigin = null;
    /** @type {PlayedMove[]} */
    this.previewMoves = [];
    this.revision = 0; // counts changes, so that late answers are ignored
    /** The last move that the user tried. @type {Promise<unknown>} */
    this.pendingMove = Promise.resolve();
    this.previewRequest = 0; // separate from the revision, because a preview must not cancel a move
  }

  /** The moves that are shown. */
  get moves() {
    return this.position.moves.slice(0, this.ply);
  }

  /** The shown position as parameters of the server's API. @returns {{ game: GameName, start: string | null, moves: string }} */
  get spec() {
    return { game: this.position.game, start: this.position.start, moves: this.moves };
  }

  /** @returns {BoardState} */
  get boardState() {
    return boardStateAt(this.position, this.ply);
  }

  /**
   * Show another position, or another ply of it.
   * @param {Position} position
   * @param {number} [ply]
   * @param {{ position: Position, ply: number } | null} [branchOrigin]
   */
  show(position, ply = position.history.length, branchOrigin = null) {
    this.revision++;
    this.position = position;
    this.ply = Math.max(0, Math.min(ply, position.history.length));
    this.branchOrigin = branchOrigin;
    this.previewMoves = [];
    this.dispatchEvent(new Event("change"));
  }

  /** Show another ply of the same line. @param {number} ply */
  goTo(ply) {
    if (ply !== this.ply && ply >= 0 && ply <= this.position.history.length) this.show(this.position, ply, this.branchOrigin);
  }

  /** Make a move that is not stored: a step along the line, or a branch. @param {number} column */
  tryMove(column) {
    const moved = this.pendingMove.then(() => this.moveOrBranch(column)); // one move after the other, however fast the user clicks
    this.pendingMove = moved.catch(() => {});
    return moved;
  }

  /** @param {number} column */
  async moveOrBranch(column) {
    if (this.boardState.columns.includes(column)) await this.playMoves(`${column}`);
  }

  /** Make moves that are not stored: steps along the line, or a branch. @param {string} further */
  async playMoves(further) {
    const moves = this.moves + further;
    if (this.position.moves.startsWith(moves)) return this.goTo(moves.length);
    const origin = this.branchOrigin ?? (this.ply < this.position.history.length ? { position: this.position, ply: this.ply } : null);
    const revision = ++this.revision;
    const position = this.positionAfter(moves) ?? (await fetchPosition({ ...this.spec, moves }));
    if (revision === this.revision) this.show(position, undefined, origin);
  }

  /** The position after other moves, which needs no request; null if they are not possible. @param {string} moves */
  positionAfter(moves) {
    const { game, start } = this.spec, position = positionsOf(game, start, moves)?.at(-1);
    return position ? describePosition(position) : null;
  }

  /** Go back to the point where the branch left the line. */
  leaveBranch() {
    if (this.branchOrigin) this.show(this.branchOrigin.position, this.branchOrigin.ply);
  }

  /** Preview further moves on the board; an empty string ends the preview. @param {string} moves */
  async preview(moves) {
    const revision = this.revision, request = ++this.previewRequest;
    const all = this.moves + moves, position = this.positionAfter(all) ?? (await fetchPosition({ ...this.spec, moves: all }));
    const next = moves ? position.history.slice(this.ply) : [];
    if (revision !== this.revision || request !== this.previewRequest || (!next.length && !this.previewMoves.length)) return;
    this.previewMoves = next;
    this.dispatchEvent(new Event("preview"));
  }
}

/** @param {Position} position @param {number} ply @returns {BoardState} */
export function boardStateAt(position, ply) {
  const { initial, size: [, height] } = position;
  const rows = initial.cells.map((row) => [...row]);
  /** @type {[Cell[][], Cell[][]]} */
  const fours = [[...initial.fours[0]], [...initial.fours[1]]];
  const history = position.history.slice(0, ply);
  for (const move of history) {
    /** @type {string[]} */ (rows[height - move.row])[move.column - 1] = `${move.player}`;
    fours[move.player - 1]?.push(...move.fours);
  }
  const last = history.at(-1) ?? null;
  const columns = (last ?? initial).columns;
  return {
    cells: rows.map((row) => row.join("")),
    toMove: last ? (last.player === 1 ? 2 : 1) : initial.to_move,
    columns,
    points: (last ?? initial).points,
    fours,
    last,
    over: columns.length === 0,
    status: (last ?? initial).status,
  };
}
