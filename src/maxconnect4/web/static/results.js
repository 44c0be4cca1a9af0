// The user's results: who won the stored games, the totals against each level, the regret of reviewed games, and a suitable level.

import { loadSetting, saveSetting } from "./settings.js";

/** @import { Game, GameName, ListedGame, Player, Review } from "./types.js" */

/** @typedef {"won" | "lost" | "drawn"} Outcome */
/** @typedef {{ games: number, won: number, drawn: number, lost: number, margin: number }} Totals the margin is the sum of all games */

const MAX_REGRETS = 500; // that the browser stores
const SUGGESTING_GAMES = 3; // the last games against a level that decide

/** The winner of a game that is over; null for a draw. @param {{ points: [number, number] }} game @returns {Player | null} */
export function winnerOf({ points: [red, green] }) {
  return red > green ? 1 : green > red ? 2 : null;
}

/** The user's side, 0 for red, if the other player is a computer; otherwise null. @param {{ players: [string, string] }} game */
export function sideOf({ players }) {
  const people = players.flatMap((player, side) => (player === "person" ? [side] : []));
  return people.length === 1 ? people[0] ?? null : null;
}

/** The level of the user's opponent, such as "level:3"; an empty string for another game. @param {{ players: [string, string] }} game */
export function opponentOf({ players }) {
  const side = sideOf({ players });
  return side === null ? "" : players[1 - side] ?? "";
}

/** The outcome of a game for the user; null if it is not over or the user did not play a computer. @param {ListedGame} game @returns {Outcome | null} */
export function outcomeOf(game) {
  const side = sideOf(game), winner = winnerOf(game);
  if (side === null || !game.over) return null;
  return winner === null ? "drawn" : winner === side + 1 ? "won" : "lost";
}

/** @param {ListedGame[]} games @returns {Totals} of those that are over */
export function totalsOf(games) {
  const totals = { games: 0, won: 0, drawn: 0, lost: 0, margin: 0 };
  for (const game of games) {
    const outcome = outcomeOf(game), side = sideOf(game);
    if (!outcome || side === null) continue;
    totals.games++;
    totals[outcome]++;
    totals.margin += (game.points[side] ?? 0) - (game.points[1 - side] ?? 0);
  }
  return totals;
}

/**
 * The level to try next: a stronger one after two wins of the last three games, a weaker one after three losses.
 * @param {ListedGame[]} games last changed first
 * @param {GameName} kind
 * @param {string} opponent such as "level:3"
 * @param {number} levels the number of levels
 * @returns {number | null}
 */
export function suggestLevel(games, kind, opponent, levels) {
  const level = Number(opponent.replace("level:", ""));
  const outcomes = games.filter((game) => game.game === kind && opponentOf(game) === opponent).map(outcomeOf).filter(Boolean).slice(0, SUGGESTING_GAMES);
  const count = (/** @type {Outcome} */ outcome) => outcomes.filter((each) => each === outcome).length;
  if (count("won") >= 2 && level < levels) return level + 1;
  return count("lost") === SUGGESTING_GAMES && level > 1 ? level - 1 : null;
}

/** The user's regret in reviewed games, by game. @returns {Record<string, number>} */
export function loadRegrets() {
  try {
    return JSON.parse(loadSetting("regrets", "{}"));
  } catch {
    return {};
  }
}

/** Store the user's regret in a game of Max-Connect4 that is over. @param {Pick<Game, "id" | "players" | "position">} game @param {Review} review */
export function saveRegret({ id, players, position }, review) {
  const side = sideOf({ players });
  if (side === null || !position.over || position.game !== "max") return;
  const regrets = { ...loadRegrets(), [id]: (side ? review.green : review.red).regret };
  saveSetting("regrets", JSON.stringify(Object.fromEntries(Object.entries(regrets).slice(-MAX_REGRETS))));
}
