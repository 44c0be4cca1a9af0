// Sentences about positions, analyses, reviews and search trees, from the fields of the server's responses, in the language of the page.

import { formatList, t, tn } from "./translations.js";

/** @import { Analysis, Bounds, Choice, GameName, LevelInfo, MoveReview, PlayedMove, Player, PlayerReview, Position, Reason, Tree, TreeNode } from "./types.js" */

/** The name of a game. @param {GameName} game */
export function gameTitle(game) {
  return game === "max" ? t("Max-Connect4") : t("Classic four in a row");
}

/** A colour as a name, such as the start of a sentence. @param {Player} player */
export function playerName(player) {
  return player === 1 ? t("Red") : t("Green");
}

/** A colour within a sentence. @param {Player} player */
export function colourName(player) {
  return player === 1 ? t("red") : t("green");
}

/** @param {LevelInfo} level */
export function levelName(level) {
  return t(level.name);
}

/** The measured strength of a level. @param {LevelInfo} level */
export function strengthText({ level, score, rating }) {
  const values = { percent: Math.round(100 * score), below: level - 1, rating };
  return level === 1 ? t("Scores {percent} % against random moves (rating {rating}).", values)
    : t("Scores {percent} % against level {below} (rating {rating}).", values);
}

// Positions

/** @param {Player} player */
export function toMoveText(player) {
  return player === 1 ? t("Red to move.") : t("Green to move.");
}

/**
 * The result of a game that is over.
 * @param {GameName} game
 * @param {Player | null} winner null for a draw
 * @param {[number, number]} points of red and of green
 */
export function resultText(game, winner, points) {
  if (game === "classic" && winner) return winner === 1 ? t("Red has four in a row and wins.") : t("Green has four in a row and wins.");
  if (game === "classic") return t("The board is full: a draw.");
  const values = { more: Math.max(...points), fewer: Math.min(...points) };
  if (!winner) return t("The board is full: a draw, {more} to {fewer}.", values);
  return winner === 1 ? t("The board is full: red wins, {more} to {fewer}.", values) : t("The board is full: green wins, {more} to {fewer}.", values);
}

/** @param {GameName} game @param {Pick<PlayedMove, "player" | "column" | "fours" | "points">} move */
export function moveText(game, { player, column, fours, points: [red, green] }) {
  if (!fours.length || game === "classic") return t("{player} plays column {column}.", { player: playerName(player), column });
  return tn(fours.length, "{player} plays column {column} and scores {count} point: red {red}, green {green}.",
    "{player} plays column {column} and scores {count} points: red {red}, green {green}.", { player: playerName(player), column, red, green });
}

/** Replace the English texts of a position by those of the page's language. @param {Position} position @returns {Position} */
export function describePosition(position) {
  const { game, winner, points, initial, history } = position;
  const result = position.over ? resultText(game, winner, points) : null;
  const described = history.map((move, index) => ({
    ...move,
    description: moveText(game, move),
    status: result && index === history.length - 1 ? result : toMoveText(move.player === 1 ? 2 : 1),
  }));
  const status = result ?? toMoveText(position.to_move), last = described.at(-1);
  return {
    ...position, result, status, history: described,
    description: last ? `${last.description} ${status}` : status,
    initial: { ...initial, status: history.length ? toMoveText(initial.to_move) : status },
  };
}

// Values

/** Translate a label of the server: a result such as "win in 3", or a number or its bounds. @param {string} label */
export function labelText(label) {
  const [result, moves] = label.split(" in ");
  switch (result) {
    case "win": return moves ? t("win in {moves}", { moves }) : t("win");
    case "loss": return moves ? t("loss in {moves}", { moves }) : t("loss");
    case "draw": return t("draw");
    case "no loss": return t("no loss");
    case "no win": return t("no win");
  }
  return label;
}

/**
 * The number of moves that the winner of a classic game still makes, as `moves_to_win` of scores.py.
 * @param {{ cells: string[] }} position
 * @param {Player} winner
 * @param {number} value
 */
function movesToWin({ cells }, winner, value) {
  const pieces = cells.join("").replaceAll("0", "").length, last = winner === 2 ? 42 : 41;
  return Math.floor((last - 2 * (Math.abs(value) - 1) - pieces + 1) / 2);
}

/**
 * The result of the game with perfect play.
 * @param {{ game: GameName, cells: string[], toMove: Player }} position
 * @param {number} value for the player to move
 */
export function perfectPlayText(position, value) {
  if (!value) return t("With perfect play the game is a draw.");
  const winner = value > 0 === (position.toMove === 1) ? 1 : 2;
  if (position.game === "max")
    return winner === 1 ? t("With perfect play red wins by {value}.", { value: Math.abs(value) }) : t("With perfect play green wins by {value}.", { value: Math.abs(value) });
  const moves = movesToWin(position, winner, value);
  if (moves === 1) return winner === 1 ? t("With perfect play red wins with its next move.") : t("With perfect play green wins with its next move.");
  return winner === 1 ? t("With perfect play red wins in {moves} moves.", { moves }) : t("With perfect play green wins in {moves} moves.", { moves });
}

/**
 * Replace the English texts of an analysis by those of the page's language.
 * @param {{ game: GameName, cells: string[], toMove: Player, columns: number[] }} position
 * @param {Analysis} analysis
 * @param {boolean} [finished]
 * @returns {Analysis}
 */
export function describeAnalysis(position, analysis, finished = true) {
  /** @param {Bounds} bounds */
  const translated = (bounds) => ({ ...bounds, label: labelText(bounds.label) });
  return {
    ...analysis,
    bounds: translated(analysis.bounds),
    columns: analysis.columns.map((bounds) => bounds && translated(bounds)),
    description: !finished ? "" : analysis.value === null || !analysis.exact ? unsolvedText(position.game) : `${perfectPlayText(position, analysis.value)} ${bestColumnsText(position.columns, analysis.best)}`,
  };
}

/** @param {GameName} game */
function unsolvedText(game) {
  return game === "max" ? t("Not solved within the time limit; the margins are within these bounds.") : t("Not solved within the time limit; the results are within these bounds.");
}

/** @param {number[]} possible columns that are not full @param {number[]} best */
function bestColumnsText(possible, best) {
  if (best.length === possible.length && best.length > 1) return t("All columns are equally good.");
  return tn(best.length, "Best: column {columns}.", "Best: columns {columns}.", { columns: formatList(best) });
}

/**
 * A hint: the move of a computer player, and its source.
 * @param {{ game: GameName, cells: string[], toMove: Player }} position
 * @param {Choice} choice
 */
export function hintText(position, { column, exact, value, depth }) {
  if (exact && value !== null) return `${t("Hint: column {column}.", { column })} ${perfectPlayText(position, value)}`;
  return depth ? t("Hint: column {column}, found by a search to depth {depth}.", { column, depth }) : t("Hint: column {column}.", { column });
}

// Reviews

/**
 * Describe a reviewed move: its points, its regret, the reason and the better columns.
 * @param {GameName} game
 * @param {PlayedMove} move
 * @param {MoveReview} reviewed
 */
export function reviewedMoveText(game, move, reviewed) {
  const { column, regret, mistake, reason } = reviewed, values = { player: playerName(move.player), column };
  const played = move.fours.length && game === "max"
    ? tn(move.fours.length, "{player} plays column {column} and scores {count} point.", "{player} plays column {column} and scores {count} points.", values)
    : t("{player} plays column {column}.", values);
  const why = reason && reason.four.length && reason.kind !== "scores" ? ` ${reasonText(reason)}` : "";
  if (!regret) return `${played} ${meritText(reviewed)}${why}`;
  if (game === "max") return `${played} ${tn(regret, "Regret: {count} point.", "Regret: {count} points.")}${why} ${betterText(game, reviewed)}`;
  const view = move.player === 1 ? 1 : -1, [before, after] = [view * reviewed.before, view * reviewed.after];
  if (mistake) {
    const change = before > 0 ? (after < 0 ? t("This turns a win into a loss.") : t("This turns a win into a draw.")) : t("This turns a draw into a loss.");
    return `${played} ${change}${why} ${betterText(game, reviewed)}`;
  }
  const slower = after > 0 ? tn(regret, "This wins {count} move later than possible.", "This wins {count} moves later than possible.")
    : tn(regret, "This loses {count} move sooner than necessary.", "This loses {count} moves sooner than necessary.");
  const best = reviewed.best.toSorted((a, b) => a - b);
  return `${played} ${slower}${why} ${tn(best.length, "Best: column {columns}.", "Best: columns {columns}.", { columns: formatList(best) })}`;
}

/** A four by its direction and its columns. @param {Reason} reason */
function fourText({ four }) {
  const columns = four.map(([column]) => column), values = { first: Math.min(...columns), last: Math.max(...columns) };
  if (values.first === values.last) return t("the vertical four");
  return four[0]?.[1] === four[3]?.[1] ? t("the row {first}–{last}", values) : t("the diagonal {first}–{last}", values);
}

/** Why a move is a mistake, or what it achieves: `reason_text` of reasons.py. @param {Reason} reason */
export function reasonText(reason) {
  const { kind, player, column, better, line, move, threat } = reason, opponent = player === 1 ? 2 : 1;
  const values = { column, better: better ?? "", reply: line[1] ?? "", move: move ?? "", four: fourText(reason), player: colourName(player), opponent: colourName(opponent) };
  switch (kind) {
    case "forced": return t("Column {column} is the only legal move.", values);
    case "scores": return t("Column {column} completes {four}.", values);
    case "blocks": return t("Column {column} blocks {four} of {opponent}.", values);
    case "threatens": return t("Column {column} threatens {four}.", values);
    case "opens": return t("Column {column} lets {opponent} play on top of it and complete {four}.", values);
    case "ignores": return t("Column {column} does not stop {opponent}, who completes {four} in column {reply}.", values);
    case "misses": return t("Column {better} would complete {four}.", values);
    case "forgoes":
      if (threat === "made") return t("Column {better} threatens {four}, which {player} completes with move {move}.", values);
      if (threat === "standing") return t("Column {better} keeps the threat of {four}, which {player} completes with move {move}.", values);
      return t("Column {better} leads to {four}, which {player} completes with move {move}.", values);
    case "allows":
      if (threat === "made") return t("The reply in column {reply} threatens {four}, which {opponent} completes with move {move}.", values);
      if (threat === "standing") return t("The reply in column {reply} keeps the threat of {four}, which {opponent} completes with move {move}.", values);
      return t("The reply in column {reply} leads to {four}, which {opponent} completes with move {move}.", values);
  }
}

/** The choice of a move without regret. @param {MoveReview} reviewed */
function meritText({ choices, best }) {
  if (choices === 1) return t("The only legal move.");
  if (best.length === choices) return t("As good as every other column.");
  return best.length === 1 ? t("The only best column.") : t("A perfect move.");
}

/** @param {GameName} game @param {MoveReview} reviewed */
function betterText(game, { player, before, best }) {
  const value = player === 1 ? before : -before, count = best.length, columns = formatList(best.toSorted((a, b) => a - b));
  if (!value) return tn(count, "Column {columns} keeps the draw.", "Columns {columns} keep the draw.", { columns });
  if (game === "classic") return tn(count, "Column {columns} keeps the win.", "Columns {columns} keep the win.", { columns });
  if (value > 0) return tn(count, "Column {columns} wins by {value}.", "Columns {columns} win by {value}.", { columns, value });
  return tn(count, "Column {columns} loses by only {value}.", "Columns {columns} lose by only {value}.", { columns, value: -value });
}

/** The mistakes and the regret of a player. @param {GameName} game @param {Player} player @param {PlayerReview} summary */
export function summaryText(game, player, { moves, forced, perfect, mistakes, regret, detours, worst }) {
  const name = playerName(player);
  if (!moves) return t("{player} made no move.", { player: name });
  const inMoves = tn(moves, "in {count} move", "in {count} moves");
  const made = mistakes ? tn(mistakes, "{count} mistake", "{count} mistakes") : t("no mistakes");
  const values = { player: name, mistakes: made, in_moves: inMoves };
  const parts = [game === "max" && worst !== null
    ? t("{player} made {mistakes} {in_moves}, {with_regret}.", { ...values, with_regret: tn(regret, "with a regret of {count} point", "with a regret of {count} points") })
    : t("{player} made {mistakes} {in_moves}.", values)];
  if (worst !== null) parts.push(mistakes > 1 || game === "max" ? t("The worst was move {move}.", { move: worst }) : t("It was move {move}.", { move: worst }));
  if (game === "classic" && detours)
    parts.push(tn(detours, "{count} other move only delayed a win or hastened a loss.", "{count} other moves only delayed a win or hastened a loss."));
  if (game === "max" && worst !== null) parts.push(tn(moves - forced, "{perfect} of {count} move with a choice was perfect.", "{perfect} of {count} moves with a choice were perfect.", { perfect }));
  return parts.join(" ");
}

// Search trees

/** The reason for the cut-off of a node. @param {Tree} tree @param {TreeNode} node @param {(value: number | null) => string} format */
export function cutoffText({ to_move }, node, format) {
  const { kind, cut } = node;
  if (!cut) return "";
  const limit = kind === "max" ? cut.beta : cut.alpha, opponent = to_move === 1 ? 2 : 1;
  const values = { value: format(node.value), limit: format(limit), source: (kind === "max" ? cut.beta_from : cut.alpha_from) ?? "",
    player: colourName(kind === "max" ? opponent : to_move) };
  const equal = node.value === limit;
  const reason = kind === "max"
    ? (equal ? t("Cut off: value {value} is at least beta {limit}, known from {source}: {player} already has an equal alternative.", values)
      : t("Cut off: value {value} is at least beta {limit}, known from {source}: {player} would avoid this position.", values))
    : (equal ? t("Cut off: value {value} is at most alpha {limit}, known from {source}: {player} already has an equal alternative.", values)
      : t("Cut off: value {value} is at most alpha {limit}, known from {source}: {player} would avoid this position.", values));
  const columns = tn(cut.columns.length, "column {columns}", "columns {columns}", { columns: formatList(cut.columns) });
  const nodes = tn(cut.spared, "{count} node", "{count} nodes");
  return `${reason} ${t("The search skips {columns} and saves {nodes}.", { columns, nodes })}`;
}

/** The result of the search. @param {Tree} tree @param {(value: number) => string} format */
export function treeText({ to_move, column, value, visited, without_pruning, with_pruning, pruning, pruned_share }, format) {
  const values = { player: playerName(to_move), column, value: format(value),
    visited, all: without_pruning, percent: Math.round(100 * pruned_share), pruned: with_pruning };
  return pruning ? t("{player} plays column {column}, value {value}: {visited} of {all} nodes visited, {percent} % pruned.", values)
    : t("{player} plays column {column}, value {value}: {visited} of {all} nodes visited, {pruned} with pruning.", values);
}
