// The steps of a search through a tree, the state of every node after each step, and the controls to step through it.

import { COLOURS } from "./board_drawing.js";
import { button, element, plural, setEnabled, withMinusSigns } from "./elements.js";

/** @import { Tree, TreeNode, TreeWindow } from "./types.js" */

/**
 * A step of the search: a node is entered, a child returns its value, or the remaining children are cut off.
 * @typedef {object} TraceStep
 * @property {"enter" | "return" | "cutoff"} kind
 * @property {TreeNode} node
 * @property {number} child index of the child that returns
 */

/**
 * The state of a node after some step. `value` is null until its first child has returned.
 * @typedef {object} NodeState
 * @property {boolean} visited
 * @property {boolean} done
 * @property {boolean} cut
 * @property {number | null} value
 * @property {string | null} best path of the child with that value
 * @property {TreeWindow} window
 */

export class SearchTrace {
  /** @param {Tree} tree */
  constructor(tree) {
    this.tree = tree;
    this.nodes = new Map(tree.nodes.map((node) => [node.path, node]));
    /** @type {TraceStep[]} */
    this.steps = [];
    /** By path: the steps at which a node is entered, its children return, and it is cut off. @type {Map<string, number[]>} */
    this.stepsOf = new Map();
    const root = tree.nodes[0];
    if (root) this.walk(root);
  }

  /** @param {TreeNode} node */
  walk(node) {
    const steps = [this.add("enter", node)];
    this.stepsOf.set(node.path, steps);
    node.steps?.forEach((step, index) => {
      this.walk(this.node(step.path));
      steps.push(this.add("return", node, index));
    });
    if (node.cut) steps.push(this.add("cutoff", node));
  }

  /** @param {TraceStep["kind"]} kind @param {TreeNode} node */
  add(kind, node, child = 0) {
    return this.steps.push({ kind, node, child });
  }

  /** @param {string} path @returns {TreeNode} */
  node(path) {
    return /** @type {TreeNode} */ (this.nodes.get(path));
  }

  /** The number of steps. Step 0 is before the search. */
  get length() {
    return this.steps.length;
  }

  /** A step; null for step 0. @param {number} step */
  stepAt(step) {
    return this.steps[step - 1] ?? null;
  }

  /** @param {TreeNode} node @param {number} step @returns {NodeState} */
  nodeState(node, step) {
    const [entered = 0, ...later] = this.stepsOf.get(node.path) ?? [];
    const visited = step >= entered;
    const done = step >= (later.at(-1) ?? entered);
    const returned = later.slice(0, node.steps?.length ?? 0).filter((each) => each <= step).length;
    const steps = node.steps?.slice(0, returned) ?? [];
    const last = steps.at(-1);
    const value = node.kind === "leaf" ? (visited ? node.value : null) : last ? last.value : null;
    const best = steps.find((step) => step.value === value)?.path ?? null;
    return { visited, done, cut: done && Boolean(node.cut), value, best, window: last ?? node };
  }

  /** A value as text. @param {number | null} value */
  formatValue(value, none = "") {
    if (value === null) return none;
    return this.tree.labels[value] ?? `${value}`.replace("-", "−");
  }

  /** The sign before the value of a finished node: for a lower bound, an upper bound, or none for an exact value. @param {TreeNode} node */
  boundSign(node) {
    return { exact: "", "at least": "≥", "at most": "≤" }[node.bound] ?? "";
  }

  /** @param {TreeWindow} window */
  formatWindow({ alpha, beta }) {
    return `alpha ${this.formatValue(alpha, "−∞")} and beta ${this.formatValue(beta, "∞")}`;
  }

  /** @param {number} step */
  describeStep(step) {
    const last = this.stepAt(step);
    if (!last) return "The search has not started.";
    const { kind, node, child } = last;
    const description = kind === "enter" ? this.describeEnter(node) : kind === "return" ? this.describeReturn(node, child) : this.describeCutoff(node);
    return step === this.length ? `${description} ${withMinusSigns(this.tree.description)}` : description;
  }

  /** @param {TreeNode} node */
  describeEnter(node) {
    const place = node.path ? `Enter ${node.path}` : "Start at the root";
    if (node.over) return `${place}, where the game ends: ${this.formatValue(node.value)}.`;
    if (node.kind === "leaf") return `${place}, a leaf: evaluation ${this.tree.evaluation} is ${this.formatValue(node.value)}.`;
    const window = this.tree.pruning ? `, with ${this.formatWindow(node)}` : "";
    return `${place}: ${COLOURS[node.player - 1]} is ${node.kind.toUpperCase()}${window}.`;
  }

  /** @param {TreeNode} node @param {number} index of the child */
  describeReturn(node, index) {
    const [before, now] = [node.steps?.[index - 1], node.steps?.[index]];
    if (!now) return "";
    const child = this.node(now.path);
    const place = node.path ? `Return to ${node.path}` : "Return to the root";
    const bound = child.bound === "exact" ? "" : `${child.bound} `;
    const value = `${place}: column ${child.path.at(-1)} has value ${bound}${this.formatValue(child.value)}`;
    if (before && before.value === now.value) return `${value}, no better than ${this.formatValue(before.value)}.`;
    const most = node.kind === "max" ? "largest" : "smallest";
    const { alpha, beta } = before ?? node;
    const moved = now.alpha !== alpha ? `; alpha rises to ${this.formatValue(now.alpha)}`
      : now.beta !== beta ? `; beta falls to ${this.formatValue(now.beta)}` : "";
    return `${value}, the ${most} so far${moved}.`;
  }

  /** @param {TreeNode} node */
  describeCutoff(node) {
    if (!node.cut) return "";
    const { columns, spared, reason } = node.cut;
    const subject = `column${columns.length === 1 ? "" : "s"} ${columns.join(", ")}`;
    return `Cut off: ${withMinusSigns(reason)}. The search skips ${subject} and saves ${plural(spared, "node")}.`;
  }

  /**
   * Describe a node after a step. Unless `all` is set, the cut-off that `describeStep` describes is left out.
   * @param {TreeNode} node
   * @param {number} step
   */
  describeNode(node, step, all = true) {
    const state = this.nodeState(node, step);
    const place = node.path ? `After ${[...node.path].join(" ")}` : "The root";
    if (!state.visited) return `${place}: not visited yet.`;
    if (node.kind === "leaf") return `${place}: ${node.over ? "the game is over" : "a leaf"}, value ${this.formatValue(node.value)}.`;
    const parts = [`${place}: ${COLOURS[node.player - 1]} is ${node.kind.toUpperCase()}`];
    const bound = state.done && node.bound !== "exact" ? `${node.bound} ` : "";
    if (state.value !== null)
      parts.push(`value ${bound}${this.formatValue(state.value)}${state.done ? "" : " so far"}, from column ${state.best?.at(-1)}`);
    if (this.tree.pruning) {
      const [entered, now] = [this.formatWindow(node), this.formatWindow(state.window)];
      parts.push(`entered with ${entered}${now === entered ? "" : `, ${state.done ? "left" : "now"} with ${now}`}`);
    }
    const last = this.stepAt(step);
    const cut = state.cut && (all || last?.kind !== "cutoff" || last.node !== node);
    return `${parts.join(", ")}.${cut ? ` ${this.describeCutoff(node)}` : ""}`;
  }
}

const TOTAL = 60_000, LONGEST = 900, SHORTEST = 60; // milliseconds of a whole run, and the limits of the interval between steps
const READABLE = 300; // milliseconds for which a position has to stay on the board

/** Buttons and a slider to step through a search, and the description of the current step. */
export class TraceControls {
  /** @param {() => void} onStep called when another step is shown */
  constructor(onStep) {
    this.onStep = onStep;
    /** @type {SearchTrace | null} */
    this.trace = null;
    this.at = 0;
    this.timer = 0;
    this.firstButton = button("First", () => this.goTo(0), { title: "Go to the start of the search" });
    this.backButton = button("Back", () => this.goTo(this.at - 1), { title: "Go back one step (←)" });
    this.forwardButton = button("Forward", () => this.goTo(this.at + 1), { title: "Go forward one step (→)" });
    this.cutoffButton = button("Next cut-off", () => this.goTo(this.nextCutoff()), { title: "Go to the next cut-off" });
    this.lastButton = button("Last", () => this.goTo(Infinity), { title: "Go to the end of the search" });
    this.runButton = button("Run", () => this.toggleRun(), { class: "primary" });
    this.slider = element("input", { type: "range", min: 0, "aria-label": "Step of the search", oninput: () => this.goTo(Number(this.slider.value)) });
    this.description = element("p", { class: "step-description", role: "status" });
    this.element = element("div", { class: "trace-controls" },
      element("div", { class: "controls" }, this.runButton, this.firstButton, this.backButton, this.forwardButton, this.cutoffButton, this.lastButton),
      this.slider, this.description);
  }

  /** Show another search at its end, or none. @param {SearchTrace | null} trace */
  setTrace(trace) {
    this.pause();
    this.trace = trace;
    if (trace) this.slider.max = `${trace.length}`;
    this.goTo(Infinity);
  }

  get atEnd() {
    return this.at === this.trace?.length;
  }

  /** Whether the search runs too fast to show each step on the board. */
  get tooFast() {
    return this.timer !== 0 && this.interval < READABLE;
  }

  get interval() {
    return Math.max(SHORTEST, Math.min(LONGEST, TOTAL / (this.trace?.length ?? 1)));
  }

  /** Show the search at a step. @param {number} step */
  goTo(step) {
    const trace = this.trace;
    if (!trace) return;
    this.at = Math.max(0, Math.min(step, trace.length));
    this.slider.value = `${this.at}`;
    this.slider.setAttribute("aria-valuetext", `Step ${this.at} of ${trace.length}`);
    this.description.textContent = `Step ${this.at} of ${trace.length}. ${trace.describeStep(this.at)}`;
    for (const each of [this.firstButton, this.backButton]) setEnabled(each, this.at > 0);
    for (const each of [this.forwardButton, this.lastButton]) setEnabled(each, !this.atEnd);
    setEnabled(this.cutoffButton, this.nextCutoff() < Infinity);
    this.onStep();
  }

  /** The next cut-off. */
  nextCutoff() {
    const at = this.trace?.steps.findIndex((each, index) => index >= this.at && each.kind === "cutoff") ?? -1;
    return at < 0 ? Infinity : at + 1;
  }

  toggleRun() {
    if (this.timer) return this.pause();
    if (this.atEnd) this.goTo(0);
    this.description.setAttribute("aria-live", "off"); // the steps are too fast for a screen reader
    this.runButton.textContent = "Pause";
    this.timer = setInterval(() => {
      this.goTo(this.at + 1);
      if (this.atEnd) this.pause();
    }, this.interval);
  }

  pause() {
    clearInterval(this.timer);
    this.timer = 0;
    this.runButton.textContent = "Run";
    this.description.removeAttribute("aria-live");
  }
}
