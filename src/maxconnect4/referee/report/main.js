// The script of the report: creates the tables and the game viewer, and follows links such as #game-17.

import { byId } from "../../web/static/elements.js";
import { GameViewer } from "./game_viewer.js";
import { GameTable, makeCrossTable, makeSortable } from "./tables.js";

const data = JSON.parse(byId("data").textContent);
const games = data.games.map((row) => Object.fromEntries(data.fields.map((name, index) => [name, row[index]])));
const byNumber = new Map(games.map((game) => [game.number, game]));

document.body.classList.add("scripted");
document.querySelectorAll("table.sortable").forEach(makeSortable);

const classic = data.game === "classic";
const viewer = new GameViewer(data.names, classic);
const gameTable = new GameTable(games, data.names, classic, (game) => openGame(game));
byId("game-section").append(gameTable.root, viewer.root);
makeCrossTable(byId("cross-table"), (player, opponent) => {
  gameTable.show(player, opponent);
  byId("games").scrollIntoView();
  if (gameTable.filtered.length) show(gameTable.filtered[0]);
});

function show(game) {
  viewer.open(game);
  gameTable.select(game);
}

// Open a game that the user has chosen: scroll to the board, and change the address to a link to the game.
function openGame(game) {
  show(game);
  const box = viewer.root.getBoundingClientRect();
  if (box.top < 0 || box.top > window.innerHeight / 3) viewer.root.scrollIntoView({ block: "start" });
  history.replaceState(null, "", `#game-${game.number}`);
}

function followLink() {
  const link = /^#game-(\d+)$/.exec(location.hash);
  const game = link && byNumber.get(Number(link[1]));
  const target = document.getElementById(location.hash.slice(1));
  if (game) openGame(game);
  else if (target?.classList.contains("fault")) {
    for (const details of [target.closest("details"), target.querySelector("details")]) details?.setAttribute("open", "");
    target.scrollIntoView();
  }
  return Boolean(game);
}

window.addEventListener("hashchange", followLink);
document.addEventListener("click", (event) => {
  // A second click on the same link does not cause a hashchange event.
  if (event.target instanceof Element && event.target.closest("a")?.hash === location.hash) followLink();
});
if (!followLink() && games.length) show(games[0]);
