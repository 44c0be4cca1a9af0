// The rules of both games: the position after a move, which the page shows before the server has answered.

/** @import { Cell, GameName, PlayedMove, Player, Position } from "./types.js" */

const WIDTH = 7, HEIGHT = 6;
const DIRECTIONS = [[0, 1], [1, 0], [1, 1], [1, -1]]; // columns and rows from one cell of a four to the next

/**
 * A position without moves, without the server's texts; null if the digits are not possible in the game.
 * @param {GameName} game
 * @param {string} start 42 digits, top row first; an empty string for the empty board
 * @returns {Position | null}
 */
function initialPosition(game, start) {
  const cells = Array.from({ length: HEIGHT }, (_, row) => start.slice(WIDTH * row, WIDTH * (row + 1)) || "0".repeat(WIDTH));
  const counts = ["1", "2"].map((digit) => [...start].filter((each) => each === digit).length);
  const [red = 0, green = 0] = counts, floating = cells.some((row, index) => [...row].some((digit, column) => digit !== "0" && cells[index + 1]?.[column] === "0"));
  if (!/^([012]{42})?$/.test(start) || floating || (red !== green && red !== green + 1)) return null;
  /** @type {[Cell[][], Cell[][]]} */
  const fours = [[], []];
  cells.forEach((row, index) => [...row].forEach((digit, column) => {
    const cell = /** @type {Cell} */ ([column + 1, HEIGHT - index]);
    if (digit !== "0") fours[Number(digit) - 1]?.push(...foursThrough(cells, cell).filter(([first]) => String(first) === String(cell)));
  }));
  const points = /** @type {[number, number]} */ (fours.map((ofPlayer) => ofPlayer.length)), toMove = red === green ? 1 : 2;
  const columns = [...(cells[0] ?? "")].flatMap((digit, index) => (digit === "0" ? [index + 1] : [])), over = columns.length === 0;
  if (game === "classic" && points[0] + points[1] > 0) return null;
  const initial = { cells, points, fours, to_move: /** @type {Player} */ (toMove), columns, status: "" };
  const ahead = points[0] === points[1] ? null : points[0] > points[1] ? 1 : 2;
  return { ...initial, game, start: start || null, moves: "", size: [WIDTH, HEIGHT], over, winner: over ? ahead : null, result: null, description: "", text: "", initial, history: [] };
}

/**
 * The position after a move, without the server's texts.
 * @param {Position} position not over
 * @param {number} column not full
 * @returns {Position}
 */
export function positionAfter(position, column) {
  const { game, to_move: player, size: [, height] } = position, other = /** @type {Player} */ (3 - player);
  const row = 1 + position.cells.filter((cells) => cells[column - 1] !== "0").length;
  const cells = position.cells.map((digits, index) =>
    index === height - row ? `${digits.slice(0, column - 1)}${player}${digits.slice(column)}` : digits);
  const made = foursThrough(cells, [column, row]);
  const points = /** @type {[number, number]} */ (position.points.map((count, index) => count + (index === player - 1 ? made.length : 0)));
  const fours = /** @type {[Cell[][], Cell[][]]} */ (position.fours.map((ofPlayer, index) => (index === player - 1 ? [...ofPlayer, ...made] : ofPlayer)));
  const won = game === "classic" && made.length > 0;
  const columns = won ? [] : [...(cells[0] ?? "")].flatMap((digit, index) => (digit === "0" ? [index + 1] : []));
  const over = columns.length === 0;
  const ahead = points[0] === points[1] ? null : points[0] > points[1] ? 1 : 2;
  const winner = won ? player : over && game === "max" ? ahead : null;
  const number = [...cells.join("")].filter((digit) => digit !== "0").length;
  /** @type {PlayedMove} */
  const move = { number, player, column, row, fours: made, points, columns, description: "", status: "" };
  return { ...position, moves: `${position.moves}${column}`, cells, to_move: other, columns, points, fours, over, winner,
    result: null, status: "", description: "", text: "", history: [...position.history, move] };
}

/**
 * The positions before and after each of some moves; null if they are not possible.
 * @param {GameName} game
 * @param {string | null} start
 * @param {string} moves
 */
export function positionsOf(game, start, moves) {
  const first = initialPosition(game, start ?? "");
  if (!first) return null;
  const positions = [first];
  for (const digit of moves) {
    const last = /** @type {Position} */ (positions.at(-1));
    if (!last.columns.includes(Number(digit))) return null;
    positions.push(positionAfter(last, Number(digit)));
  }
  return positions;
}

/** The fours of the piece in a cell that contain it. @param {string[]} cells @param {Cell} cell @returns {Cell[][]} */
function foursThrough(cells, [column, row]) {
  const at = (/** @type {Cell} */ [x, y]) => cells[cells.length - y]?.[x - 1];
  const player = at([column, row]);
  return DIRECTIONS.flatMap(([right = 0, up = 0]) => [-3, -2, -1, 0].map((first) =>
    [0, 1, 2, 3].map((step) => /** @type {Cell} */ ([column + (first + step) * right, row + (first + step) * up])))
    .filter((four) => four.every((cell) => at(cell) === player)));
}
