// Learning: the search tree of the position on the board, and the search step by step.

import { ask, carefully, naming, Refused, Unreachable } from "./api.js";
import { button, element, sentence } from "./elements.js";
import { remember, remembered } from "./settings.js";
import { Stepping } from "./stepping.js";
import { TreeView } from "./tree.js";
import { Visits } from "./visits.js";

/** @import { Desk, Panel } from "./desk.js" */

const DEPTHS = [1, 2, 3, 4];
const FIRST_OF_EQUALS = " Of columns with equal values the first from the left is chosen, as a first program does it; ours takes the one nearest the centre.";
const DEFAULTS = { max: "best", classic: "windows" };

/** @implements {Panel} */
export class LearnPanel {
  /** @param {Desk} desk */
  constructor(desk) {
    this.desk = desk;
    /** @type {Visits | null} */
    this.visits = null;
    this.asked = "";
    this.searched = "";
    /** @type {AbortController | null} */
    this.asking = null;

    this.depth = this.choice("depth", "Depth", DEPTHS.map((depth) => [`${depth}`, depth === 1 ? "1 ply" : `${depth} plies`]), "2");
    this.evaluation = this.choice("evaluation", "Evaluation", desk.about.evaluations.map(({ name }) => [name, name]), "");
    /** Each game has its own: the classic one ends before there are many points. */
    this.evaluations = {
      max: remembered("tree-evaluation-max", DEFAULTS.max),
      classic: remembered("tree-evaluation-classic", DEFAULTS.classic),
    };
    this.order = this.choice("order", "Columns", [["centre", "centre first"], ["left", "left first"]], "centre");
    this.pruning = element("input", { type: "checkbox", role: "switch", id: "tree-pruning", onchange: () => this.set("pruning", this.pruning.checked ? "on" : "off") });
    this.pruning.checked = remembered("tree-pruning", "on") === "on";
    this.about = element("p", { class: "hint" });
    this.counts = element("dl", { class: "counts" });
    this.trail = element("nav", { class: "trail", "aria-label": "Where in the tree" });
    this.view = new TreeView({
      choose: (path) => this.choose(path),
      open: (path) => this.bring(path),
      hover: (path) => this.describe(path),
    });
    this.stepping = new Stepping(() => this.moved());
    this.detail = element("p", { class: "detail" });

    this.link = element("a", { class: "save", download: "tree.svg" }, "Save the whole tree as a picture");
    this.problem = element("p", { class: "problem", role: "status", tabindex: -1, hidden: true });
    this.again = button("Try again", () => { this.problem.focus(); this.refresh(); }, { class: "again", hidden: true });
    this.body = element("div", { class: "search" },
      this.counts, this.trail, this.view.element, this.detail,
      this.stepping.element,
      element("p", { class: "hint", id: "about-tree" }, "Triangles that point up are MAX, the side to move, who takes the largest value; those that point down are MIN, who takes the smallest. "
        + "Boxes are leaves. All values are in the view of MAX. Beside a node stand the alpha and beta that it was entered with, and while one steps "
        + "those that it has by then. Choose a node to see its moves on the board; choose it again to look below it. "
        + "In the tree the arrow keys go up to the parent, down to the first child, and left and right to its neighbours; elsewhere they step."),
      this.link);
    this.element = element("section", { class: "learn" },
      element("form", { class: "settings", onsubmit: (/** @type {Event} */ event) => event.preventDefault() },
        this.depth.field, this.evaluation.field, this.order.field,
        element("label", { class: "choice" }, this.pruning, "Alpha-beta pruning")),
      this.about, this.problem, this.again, this.body);
    desk.showing.addEventListener("change", () => this.changed());
  }

  // What the desk asks

  shown() {
    this.changed();
    this.follow();
  }

  hidden() {
    this.stepping.pause();
    this.preview("");
  }

  open() {
    return true;
  }

  /** @param {number} column */
  drop(column) {
    carefully(() => this.desk.showing.explore(column), (words) => this.desk.say(words, "problem"));
  }

  /** @param {string} key */
  key(key) {
    const showing = this.desk.showing;
    if (key === "ArrowLeft") this.stepping.back.click();
    else if (key === "ArrowRight") this.stepping.step.click();
    else if (key === "u") showing.goto(showing.at - 1);
    else if (key === "r") showing.goto(showing.at + 1);
    else return false;
    return true;
  }

  // What is searched

  /**
   * A setting with some options, which is remembered.
   * @param {string} name
   * @param {string} label
   * @param {string[][]} options
   * @param {string} otherwise
   */
  choice(name, label, options, otherwise) {
    const id = `tree-${name}`, chosen = remembered(id, otherwise);
    const select = element("select", { id, onchange: () => this.set(name, select.value) },
      ...options.map(([value, words]) => element("option", { value, selected: value === chosen }, words ?? "")));
    return { select, field: element("div", { class: "setting" }, element("label", { for: id }, label), select) };
  }

  /**
   * @param {string} name
   * @param {string} value
   */
  set(name, value) {
    const { game } = this.desk.showing.position;
    if (name === "evaluation") this.evaluations[game] = value;
    remember(name === "evaluation" ? `tree-evaluation-${game}` : `tree-${name}`, value);
    this.refresh();
  }

  /** What is asked of the server. */
  get wanted() {
    this.evaluation.select.value = this.evaluations[this.desk.showing.position.game];
    return naming(this.desk.showing.named, {
      depth: this.depth.select.value, evaluation: this.evaluation.select.value,
      order: this.order.select.value, pruning: this.pruning.checked,
    });
  }

  /** Another position is on the board. */
  changed() {
    if (this.desk.current !== "learn") return;
    this.desk.sayShown();
    this.refresh();
  }

  /** Have the position searched, unless that has been done. */
  async refresh() {
    if (this.desk.current !== "learn" || this.asked === this.wanted) return;
    const asked = (this.asked = this.wanted);
    this.asking?.abort();
    this.visits = null; // what is still drawn is of another position
    this.stepping.take(null);
    this.view.chosen = "";
    if (this.desk.showing.state.over) return this.fail("The game is over: there is nothing to search.");
    this.asking = new AbortController();
    try {
      const tree = await ask(`/tree?${asked}`, { signal: this.asking.signal });
      if (asked !== this.asked) return;
      this.visits = new Visits(tree);
      this.show();
    } catch (error) {
      if (asked !== this.asked || this.asking.signal.aborted) return;
      this.asked = "";
      this.fail(error instanceof Refused ? sentence(`There is no tree: ${error.message}`) : error instanceof Unreachable ? error.message : "The tree could not be shown.", !(error instanceof Refused));
    }
  }

  /** There is no tree to show. @param {string} why @param {boolean} [again] whether there may be one next time */
  fail(why, again = false) {
    this.again.hidden = !again;
    this.visits = null;
    this.body.hidden = true;
    this.about.textContent = "";
    this.problem.hidden = false;
    this.problem.textContent = why;
  }

  /** A new tree. */
  show() {
    const visits = this.visits;
    if (!visits) return;
    const { tree } = visits;
    this.problem.hidden = this.again.hidden = true;
    this.body.hidden = false;
    this.about.textContent = `A leaf is worth ${tree.evaluation_in_words}.${tree.order === "left" ? FIRST_OF_EQUALS : ""}`;
    this.drawCounts();
    this.link.href = `/api/v1/tree.svg?${this.asked}`;
    const position = naming(this.desk.showing.named);
    const front = position === this.searched && visits.nodes.has(this.view.front) ? this.view.front : "";
    this.searched = position;
    this.view.draw(visits, front);
    this.stepping.take(visits);
    this.view.reveal(front);
    if (tree.line.startsWith(front)) this.view.reveal(tree.line.slice(0, front.length + 1)); // what came of it
  }

  drawCounts() {
    const tree = this.visits?.tree;
    if (!tree) return;
    const counts = [["with pruning", tree.with_pruning, tree.pruning], ["without pruning", tree.without_pruning, !tree.pruning]];
    this.counts.replaceChildren(...counts.flatMap(([name, count, chosen]) => {
      const bar = element("span", { class: "bar" });
      bar.style.width = `${(100 * Number(count)) / tree.without_pruning}%`;
      return [element("dt", {}, `Nodes ${name}`), element("dd", { class: chosen ? "chosen" : "" }, bar, element("b", {}, Number(count).toLocaleString("en")))];
    }));
  }

  // Going about in the tree

  /** The search is at another moment: what happens is to be seen. */
  moved() {
    const visit = this.stepping.over ? null : this.visits?.at(this.stepping.moment);
    if (visit) {
      const { path } = visit.node;
      if (!this.view.has(path)) this.turn(path.slice(0, Math.max(0, path.length - 2)));
      this.view.chosen = path;
    }
    this.draw();
    if (!this.stepping.hurried) this.follow();
    if (visit) this.view.reveal(visit.node.path);
  }

  draw() {
    this.view.update(this.stepping.moment);
    this.describe(null);
    this.drawTrail();
  }

  /** Choose a node: its moves are hinted at on the board. @param {string} path */
  choose(path) {
    if (!this.visits) return;
    this.stepping.pause();
    if (!this.view.has(path)) this.turn(path.startsWith(this.view.front) ? path.slice(0, -1) : path);
    this.view.chosen = path;
    this.draw();
    this.follow();
  }

  /** Bring a node to the front. @param {string} path */
  bring(path) {
    if (!this.visits) return;
    this.stepping.pause();
    this.turn(path);
    this.view.chosen = path;
    this.draw();
    this.follow();
  }

  /** @param {string} front */
  turn(front) {
    if (!this.visits || front === this.view.front) return;
    this.view.draw(this.visits, front);
    this.view.reveal(front);
  }

  /** Show on the board where the chosen node is. */
  follow() {
    this.preview(this.view.chosen);
  }

  /** @param {string} path */
  preview(path) {
    this.desk.showing.preview(path).catch(() => {}); // the tree is worth something without the board, too
  }

  /** Say what there is to know of a node, or of the chosen one. @param {string | null} path */
  describe(path) {
    const node = this.visits?.nodes.get(path ?? this.view.chosen);
    this.detail.textContent = node && this.visits ? this.visits.described(node, this.stepping.moment, path !== null) : "";
  }

  drawTrail() {
    const front = this.view.front;
    const paths = Array.from({ length: front.length + 1 }, (_, length) => front.slice(0, length));
    const within = this.trail.contains(document.activeElement);
    this.trail.hidden = (this.visits?.tree.depth ?? 0) <= 2;
    this.trail.replaceChildren(...paths.map((path) =>
      button(path.at(-1) ?? "Root", () => this.bring(path), {
        "aria-label": path ? `After ${[...path].join(" ")}` : "The root", "aria-current": path === front ? "true" : null,
      })));
    if (within) this.trail.querySelectorAll("button").item(front.length).focus();
  }
}
