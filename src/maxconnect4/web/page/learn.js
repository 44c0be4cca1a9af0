// Learning: the search tree of the position on the board, and the search step by step.

import { ask, naming, Refused } from "./api.js";
import { button, element } from "./elements.js";
import { remember, remembered } from "./settings.js";
import { TreeView } from "./tree.js";
import { Visits } from "./visits.js";

/** @import { Desk, Panel } from "./desk.js" */

const DEPTHS = [1, 2, 3, 4];
const WHOLE = 60_000, SLOWEST = 900, QUICKEST = 60; // milliseconds for the whole search, and between steps
const LEGIBLE = 300; // a step that takes less is over before the board has shown it
const DEFAULTS = { max: "best", classic: "windows" };

/** @implements {Panel} */
export class LearnPanel {
  /** @param {Desk} desk */
  constructor(desk) {
    this.desk = desk;
    /** @type {Visits | null} */
    this.visits = null;
    this.moment = 0;
    this.asked = "";
    this.playing = 0;
    /** @type {AbortController | null} */
    this.asking = null;

    this.depth = this.choice("depth", "Depth", DEPTHS.map((depth) => [`${depth}`, depth === 1 ? "1 ply" : `${depth} plies`]), "2");
    this.evaluation = this.choice("evaluation", "Evaluation of the leaves", desk.about.evaluations.map(({ name }) => [name, name]), "");
    this.order = this.choice("order", "Columns", [["centre", "from the centre"], ["left", "from the left"]], "centre");
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
    this.words = element("p", { class: "step-words", role: "status" });
    this.detail = element("p", { class: "detail" });

    this.start = button("Start", () => this.go(0), { title: "Before the search" });
    this.back = button("Back", () => this.go(this.moment - 1), { title: "One step back (←)" });
    this.step = button("Step", () => this.go(this.moment + 1), { title: "One step forward (→)" });
    this.cut = button("Next cut", () => this.go(this.nextCut()), { title: "On to where branches are cut off" });
    this.end = button("End", () => this.go(Infinity), { title: "After the search" });
    this.play = button("Play", () => this.togglePlay(), { class: "primary" });
    this.slider = element("input", { type: "range", min: 0, "aria-label": "Step of the search", oninput: () => this.go(Number(this.slider.value)) });
    this.link = element("a", { class: "save", download: "tree.svg" }, "Save the whole tree as a picture");
    this.problem = element("p", { class: "problem", hidden: true });
    this.body = element("div", { class: "search" },
      this.counts, this.trail, this.view.element, this.detail,
      element("div", { class: "controls steps" }, this.play, this.start, this.back, this.step, this.cut, this.end),
      this.slider, this.words,
      element("p", { class: "hint" },
        "Triangles that point up are MAX, the side to move, who takes the largest value; those that point down are MIN, who takes the smallest. "
        + "Boxes are leaves. All values are in the view of MAX. Choose a node to see its moves on the board; choose it again to look below it."),
      this.link);
    this.element = element("section", { class: "learn" },
      element("form", { class: "settings", onsubmit: (/** @type {Event} */ event) => event.preventDefault() },
        this.depth.field, this.evaluation.field, this.order.field,
        element("label", { class: "choice" }, this.pruning, "Alpha-beta pruning")),
      this.about, this.problem, this.body);
    desk.showing.addEventListener("change", () => this.refresh());
  }

  // What the desk asks

  shown() {
    this.refresh();
    if (this.visits) this.follow();
  }

  hidden() {
    this.pause();
    this.desk.showing.preview("");
  }

  open() {
    return true;
  }

  /** @param {number} column */
  drop(column) {
    this.desk.showing.explore(column);
  }

  /** @param {string} key */
  key(key) {
    const showing = this.desk.showing;
    if (key === "ArrowLeft") this.back.click();
    else if (key === "ArrowRight") this.step.click();
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
    remember(`tree-${name}`, value);
    this.refresh();
  }

  /** What is asked of the server. */
  get wanted() {
    const game = this.desk.showing.position.game;
    if (!remembered("tree-evaluation", "")) this.evaluation.select.value = DEFAULTS[game];
    return naming(this.desk.showing.named, {
      depth: this.depth.select.value, evaluation: this.evaluation.select.value,
      order: this.order.select.value, pruning: this.pruning.checked,
    });
  }

  /** Have the position searched, unless that has been done. */
  async refresh() {
    if (this.desk.current !== "learn" || this.asked === this.wanted) return;
    const asked = (this.asked = this.wanted);
    this.pause();
    this.asking?.abort();
    if (this.desk.showing.state.over) return this.fail("The game is over: there is nothing to search.");
    this.asking = new AbortController();
    try {
      const tree = await ask(`/tree?${asked}`, { signal: this.asking.signal });
      if (asked !== this.asked) return;
      this.visits = new Visits(tree);
      this.moment = this.visits.length;
      this.show();
    } catch (error) {
      if (asked !== this.asked || this.asking.signal.aborted) return;
      this.asked = "";
      this.fail(error instanceof Refused ? `There is no tree: ${error.message}.` : "The server does not answer: try again.");
    }
  }

  /** There is no tree to show. @param {string} why */
  fail(why) {
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
    this.problem.hidden = true;
    this.body.hidden = false;
    this.about.textContent = `A leaf is worth ${tree.evaluation_in_words}.`;
    this.drawCounts();
    this.link.href = `/api/v1/tree.svg?${this.asked}`;
    this.slider.max = `${visits.length}`;
    this.view.chosen = "";
    this.desk.showing.preview("");
    this.view.draw(visits, "");
    this.go(visits.length);
    this.view.reveal("");
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

  // Going through the search

  /** Show the search at a moment. @param {number} moment */
  go(moment) {
    const visits = this.visits;
    if (!visits) return;
    this.moment = Math.max(0, Math.min(moment, visits.length));
    const visit = visits.at(this.moment);
    if (visit && this.moment < visits.length) {
      if (!this.view.has(visit.node.path)) this.turn(visit.node.path.slice(0, Math.max(0, visit.node.path.length - 2)));
      this.view.chosen = visit.node.path;
    }
    this.draw();
    this.follow();
    if (visit && this.moment < visits.length) this.view.reveal(visit.node.path);
  }

  draw() {
    const visits = this.visits;
    if (!visits) return;
    this.view.update(this.moment);
    this.slider.value = `${this.moment}`;
    this.slider.setAttribute("aria-valuetext", `Step ${this.moment} of ${visits.length}`);
    this.words.textContent = `Step ${this.moment} of ${visits.length}. ${visits.words(this.moment)}`;
    this.start.disabled = this.back.disabled = this.moment === 0;
    this.end.disabled = this.step.disabled = this.moment === visits.length;
    this.cut.disabled = this.nextCut() === Infinity;
    this.describe(null);
    this.drawTrail();
  }

  /** The next moment at which something is cut off. */
  nextCut() {
    const at = this.visits?.all.findIndex((visit, index) => index >= this.moment && visit.kind === "cut") ?? -1;
    return at < 0 ? Infinity : at + 1;
  }

  togglePlay() {
    if (this.playing) return this.pause();
    const visits = this.visits;
    if (!visits) return;
    if (this.moment === visits.length) {
      this.turn("");
      this.go(0);
    }
    const pace = Math.max(QUICKEST, Math.min(SLOWEST, WHOLE / visits.length));
    this.words.setAttribute("aria-live", "off"); // nobody can listen that fast
    this.play.textContent = "Pause";
    this.playing = setInterval(() => {
      this.go(this.moment + 1);
      if (this.moment === this.visits?.length) this.pause();
    }, pace);
  }

  pause() {
    clearInterval(this.playing);
    this.playing = 0;
    this.play.textContent = "Play";
    this.words.removeAttribute("aria-live");
  }

  // Going about in the tree

  /** Choose a node: its moves are hinted at on the board. @param {string} path */
  choose(path) {
    this.pause();
    if (!this.view.has(path)) this.turn(path.startsWith(this.view.front) ? path.slice(0, -1) : path);
    this.view.chosen = path;
    this.draw();
    this.follow();
  }

  /** Bring a node to the front. @param {string} path */
  bring(path) {
    this.pause();
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
    const pace = this.visits ? WHOLE / this.visits.length : 0;
    if (!this.playing || pace >= LEGIBLE) this.desk.showing.preview(this.view.chosen);
  }

  /** Say what there is to know of a node, or of the chosen one. @param {string | null} path */
  describe(path) {
    const node = this.visits?.nodes.get(path ?? this.view.chosen);
    this.detail.textContent = node && this.visits ? this.visits.described(node, this.moment, path !== null) : "";
  }

  drawTrail() {
    const front = this.view.front;
    const paths = Array.from({ length: front.length + 1 }, (_, length) => front.slice(0, length));
    this.trail.hidden = (this.visits?.tree.depth ?? 0) <= 2;
    this.trail.replaceChildren(...paths.map((path) =>
      button(path.at(-1) ?? "Root", () => this.bring(path), {
        "aria-label": path ? `After ${[...path].join(" ")}` : "The root", "aria-current": path === front ? "true" : null,
      })));
  }
}
