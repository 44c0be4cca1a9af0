// Put the parts together, and follow links such as #game-17.

const data = JSON.parse(document.getElementById("data").textContent);
const games = data.games.map((row) => Object.fromEntries(data.fields.map((name, index) => [name, row[index]])));
const byNumber = new Map(games.map((game) => [game.number, game]));

document.body.classList.add("scripted");
document.querySelectorAll("table.sortable").forEach(makeSortable);

const classic = data.variant === "classic";
const viewer = new Viewer(data.names, classic);
const list = new Games(games, data.names, classic, (game) => see(game));
document.getElementById("games-here").append(list.root, viewer.root);
makeCrossTable(document.getElementById("cross-table"), (player, opponent) => {
  list.show(player, opponent);
  document.getElementById("games").scrollIntoView();
  if (list.found.length) show(list.found[0]);
});

function show(game) {
  viewer.open(game);
  list.choose(game);
}

// Show a game that somebody chose, with the board in sight, and name it in the address so that a link can be kept.
function see(game) {
  show(game);
  const place = viewer.root.getBoundingClientRect();
  if (place.top < 0 || place.top > window.innerHeight / 3) viewer.root.scrollIntoView({ block: "start" });
  history.replaceState(null, "", `#game-${game.number}`);
}

function follow() {
  const link = /^#game-(\d+)$/.exec(location.hash);
  const game = link && byNumber.get(Number(link[1]));
  const target = document.getElementById(location.hash.slice(1));
  if (game) see(game);
  else if (target?.classList.contains("fault")) {
    for (const folded of [target.closest("details"), target.querySelector("details")]) folded?.setAttribute("open", "");
    target.scrollIntoView();
  }
  return Boolean(game);
}

window.addEventListener("hashchange", follow);
document.addEventListener("click", (event) => {
  // A second click on the link that is in the address already changes nothing there.
  if (event.target.closest("a")?.hash === location.hash) follow();
});
if (!follow() && games.length) show(games[0]);
