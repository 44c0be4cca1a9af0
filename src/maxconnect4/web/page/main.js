// Where it all begins.

import { AnalysePanel } from "./analyse.js";
import { ask, describe, named, Refused } from "./api.js";
import { Desk } from "./desk.js";
import { byId } from "./elements.js";
import { LearnPanel } from "./learn.js";
import { PlayPanel } from "./play.js";
import { ReviewPanel } from "./review.js";
import { remember, remembered } from "./settings.js";

async function begin() {
  const link = named(location.search);
  const linked = new URLSearchParams(location.search).has("game") || Boolean(link.start || link.moves);
  const nothing = describe({ game: "max", start: null, moves: "" });
  const [about, position] = await Promise.all([ask("/"), linked ? describe(link).catch(refusal) : nothing]);
  const desk = new Desk(about, position ?? (await nothing));
  const play = new PlayPanel(desk);
  Object.assign(desk.panels, {
    play,
    analyse: new AnalysePanel(desk, play),
    review: new ReviewPanel(desk, play),
    learn: new LearnPanel(desk),
  });
  for (const [name, panel] of Object.entries(desk.panels)) byId(`panel-${name}`).replaceChildren(panel.element);
  bindTabs(desk);
  bindKeys(desk);
  if (linked) desk.open("analyse");
  else await play.resumeOrBegin();
  if (linked && !position) desk.say(problem, "problem");
}

let problem = "";

/** @param {unknown} error */
function refusal(error) {
  problem = `The link holds no position: ${error instanceof Refused ? error.message : "the server does not answer"}`;
  return null;
}

/** @param {Desk} desk */
function bindTabs(desk) {
  const tabs = /** @type {HTMLElement[]} */ ([...byId("tabs").children]);
  for (const tab of tabs) tab.addEventListener("click", () => desk.open(tab.id.slice("tab-".length)));
  byId("tabs").addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const at = tabs.findIndex((tab) => tab === event.target);
    const next = step && tabs[(at + step + tabs.length) % tabs.length];
    if (!next) return;
    event.preventDefault();
    event.stopPropagation();
    next.click();
    next.focus();
  });
}

/** @param {Desk} desk */
function bindKeys(desk) {
  const help = /** @type {HTMLDialogElement} */ (byId("help"));
  byId("open-help").addEventListener("click", () => help.showModal());
  help.addEventListener("click", (event) => event.target === help && help.close());
  document.addEventListener("keydown", (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.ctrlKey || event.altKey || event.metaKey || document.querySelector("dialog[open]")) return;
    if (target.closest("input:not([type=radio], [type=checkbox]), textarea, select")) return;
    const column = Number(event.key);
    if (event.key === "?") help.showModal();
    else if (column >= 1 && column <= 7) event.repeat || desk.drop(column);
    else if (desk.panel?.key?.(event.key.length === 1 ? event.key.toLowerCase() : event.key)) event.preventDefault();
    else if (event.key.startsWith("Arrow") && target === document.body) desk.view.focus(4);
    else return;
    event.preventDefault();
  });
}

/** Light, dark, or as the system has it. */
function bindTheme() {
  const themes = ["auto", "light", "dark"];
  const choose = (/** @type {string} */ theme) => {
    document.documentElement.dataset.theme = theme;
    byId("theme-name").textContent = theme;
    remember("theme", theme);
  };
  const before = remembered("theme", "auto");
  choose(themes.includes(before) ? before : "auto");
  byId("theme").addEventListener("click", () => {
    const at = themes.indexOf(document.documentElement.dataset.theme ?? "auto");
    choose(themes[(at + 1) % themes.length] ?? "auto");
  });
}

bindTheme();
begin().catch((error) => {
  byId("status").textContent = `The page could not be opened: ${error.message} Reload it to try again.`;
  byId("status").className = "problem";
});
