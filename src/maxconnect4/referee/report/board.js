// The rules, as far as showing a game needs them, and the drawing of a board.
// Columns and rows count from 1, rows from the bottom. Red is 1, green is 2.

const WIDTH = 7, HEIGHT = 6, RED = 1, GREEN = 2;
const COLOURS = { [RED]: "red", [GREEN]: "green" };
const SHAPES = { [RED]: "●", [GREEN]: "✕" };
const CELL = 100; // in the units of the drawing

const LINES = [];
for (let column = 1; column <= WIDTH; column++)
  for (let row = 1; row <= HEIGHT; row++)
    for (const [right, up] of [[0, 1], [1, 0], [1, 1], [1, -1]]) {
      const ends = [column + 3 * right, row + 3 * up];
      if (ends[0] <= WIDTH && ends[1] >= 1 && ends[1] <= HEIGHT)
        LINES.push([0, 1, 2, 3].map((step) => (column + step * right) * 10 + row + step * up));
    }

// The drops of a move string: who, where, the fours that each drop makes, and the points after it.
function dropsOf(moves) {
  const owner = new Map(), filled = new Map(), points = { [RED]: 0, [GREEN]: 0 };
  return [...moves].map((digit, index) => {
    const column = Number(digit), player = index % 2 ? GREEN : RED;
    const row = (filled.get(column) ?? 0) + 1;
    const cell = column * 10 + row;
    filled.set(column, row);
    owner.set(cell, player);
    const fours = LINES.filter((line) => line.includes(cell) && line.every((each) => owner.get(each) === player));
    points[player] += fours.length;
    return { player, column, row, fours, points: { ...points } };
  });
}

function centre(cell) {
  return [(Math.floor(cell / 10) - 0.5) * CELL, (HEIGHT - (cell % 10) + 0.5) * CELL];
}

function piece(drop, kind) {
  const [x, y] = centre(drop.column * 10 + drop.row);
  const group = shape("g", { class: `piece ${COLOURS[drop.player]} ${kind}` });
  if (drop.player === RED) group.append(shape("circle", { cx: x, cy: y, r: 36 }));
  else {
    const d = `M${x - 27} ${y - 27}l54 54m0-54l-54 54`;
    group.append(shape("path", { d }));
    if (kind === "line") group.append(shape("path", { class: "inside", d }));
  }
  return group;
}

// The board after so many of the drops; kindOf says of an index whether its drop is of the opening or of the line.
function drawBoard(drops, count, kindOf) {
  const shown = drops.slice(0, count);
  const drawing = shape("svg", { class: "board", viewBox: `0 0 ${WIDTH * CELL} ${HEIGHT * CELL + 50}`, role: "img" });
  drawing.append(shape("rect", { class: "frame", width: WIDTH * CELL, height: HEIGHT * CELL, rx: 24 }));
  for (let column = 1; column <= WIDTH; column++) {
    for (let row = 1; row <= HEIGHT; row++) {
      const [x, y] = centre(column * 10 + row);
      drawing.append(shape("circle", { class: "hole", cx: x, cy: y, r: 43 }));
    }
    const place = { x: (column - 0.5) * CELL, y: HEIGHT * CELL + 38, "text-anchor": "middle" };
    drawing.append(shape("text", place, `${column}`));
  }
  shown.forEach((drop, index) => drawing.append(piece(drop, kindOf(index))));
  const fours = shown.flatMap((drop, index) => drop.fours.map((four) => ({ four, fresh: index === count - 1 })));
  const path = ({ four }) => `M${centre(four[0]).join(" ")}L${centre(four[3]).join(" ")}`;
  for (const each of fours) drawing.append(shape("path", { class: "four-edge", d: path(each) }));
  for (const each of fours) drawing.append(shape("path", { class: each.fresh ? "four fresh" : "four", d: path(each) }));
  const last = shown.at(-1);
  if (last) {
    const [x, y] = centre(last.column * 10 + last.row);
    drawing.append(shape("rect", { class: "last", x: x - 46, y: y - 46, width: 92, height: 92, rx: 12 }));
  }
  drawing.setAttribute("aria-label", boardInWords(shown));
  return drawing;
}

function boardInWords(shown) {
  if (!shown.length) return "The empty board";
  const columns = [];
  for (let column = 1; column <= WIDTH; column++) {
    const stack = shown.filter((drop) => drop.column === column).map((drop) => COLOURS[drop.player]);
    if (stack.length) columns.push(`column ${column} from the bottom: ${stack.join(", ")}`);
  }
  return `The board after ${plural(shown.length, "drop")}; ${columns.join("; ")}`;
}
