// The board: seven columns of pieces.
exports.read = (text) => {
  const lines = text.split(/\s+/).filter(Boolean);
  if (lines.length !== 7 || !lines.slice(0, 6).every((line) => /^[012]{7}$/.test(line))) throw new Error("not a position");
  const columns = [0, 1, 2, 3, 4, 5, 6].map((c) => lines.slice(0, 6).reverse().map((row) => +row[c]).filter(Boolean));
  return { columns, player: +lines[6] };
};

exports.text = ({ columns, player }) =>
  [5, 4, 3, 2, 1, 0].map((r) => columns.map((column) => column[r] || 0).join("")).join("\n") + `\n${player}\n`;

const run = (columns, c, dc, dr, player) => {
  let r = columns[c].length - 1;
  let length = 0;
  for (; length < 3; length++) {
    c += dc;
    r += dr;
    if (!columns[c] || columns[c][r] !== player) break;
  }
  return length;
};

exports.fours = (columns, c) => {
  const player = columns[c][columns[c].length - 1];
  return [[1, 0], [0, 1], [1, 1], [1, -1]]
    .map(([dc, dr]) => Math.max(0, run(columns, c, dc, dr, player) + run(columns, c, -dc, -dr, player) - 2))
    .reduce((a, b) => a + b);
};
