// Minimax with a wrong sign: it adds the points of the opponent instead of subtracting them.
const fs = require("fs");
const { read, text, fours } = require("./board.js");

const search = (columns, player, depth) => {
  let best = { value: -1000, column: null };
  for (const c of [3, 2, 4, 1, 5, 0, 6]) {
    if (columns[c].length === 6 || depth === 0) continue;
    columns[c].push(player);
    const value = fours(columns, c) + search(columns, 3 - player, depth - 1).value;
    columns[c].pop();
    if (value > best.value) best = { value, column: c };
  }
  return best.column === null ? { value: 0, column: null } : best;
};

const [, , , input, output, depth] = process.argv;
const board = fs.existsSync(input) ? read(fs.readFileSync(input, "utf8")) : { columns: [[], [], [], [], [], [], []], player: 1 };
const { column } = search(board.columns, board.player, Math.max(1, +depth));
if (column === null) {
  console.log("The board is full.");
} else {
  board.columns[column].push(board.player);
  fs.writeFileSync(output, text({ columns: board.columns, player: 3 - board.player }));
  console.log(`column ${column + 1}`);
}
