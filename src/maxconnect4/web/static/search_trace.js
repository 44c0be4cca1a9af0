// The steps of a search through a tree, the state of every node after each step, and the controls to step through it.

import { colourName, cutoffText, labelText, treeText } from "./descriptions.js";
import { button, element, setEnabled } from "./elements.js";
import { t } from "./translations.js";

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
    const label = this.tree.labels[value];
    return label ? labelText(label) : `${value}`.replace("-", "−");
  }

  /** The sign before the value of a finished node: for a lower bound, an upper bound, or none for an exact value. @param {TreeNode} node */
  boundSign(node) {
    return { exact: "", "at least": "≥", "at most": "≤" }[node.bound] ?? "";
  }

  /** @param {TreeWindow} window */
  formatWindow({ alpha, beta }) {
    return t("alpha {alpha} and beta {beta}", { alpha: this.formatValue(alpha, "−∞"), beta: this.formatValue(beta, "∞") });
  }

  /** @param {number} step */
  describeStep(step) {
    const last = this.stepAt(step);
    if (!last) return t("The search has not started.");
    const { kind, node, child } = last;
    const description = kind === "enter" ? this.describeEnter(node) : kind === "return" ? this.describeReturn(node, child) : this.describeCutoff(node);
    return step === this.length ? `${description} ${treeText(this.tree, (value) => this.formatValue(value))}` : description;
  }

  /** @param {TreeNode} node */
  describeEnter(node) {
    const place = node.path ? t("Enter {path}", { path: node.path }) : t("Start at the root");
    const values = { place, value: this.formatValue(node.value), evaluation: this.tree.evaluation, window: this.formatWindow(node), ...this.roleOf(node) };
    if (node.over) return t("{place}, where the game ends: {value}.", values);
    if (node.kind === "leaf") return t("{place}, a leaf: evaluation {evaluation} is {value}.", values);
    return this.tree.pruning ? t("{place}: {player} is {role}, with {window}.", values) : t("{place}: {player} is {role}.", values);
  }

  /** @param {TreeNode} node */
  roleOf(node) {
    return { player: colourName(node.player), role: node.kind.toUpperCase() };
  }

  /** A value with the kind of its bound. @param {TreeNode["bound"]} bound @param {number} value */
  formatBound(bound, value) {
    const formatted = this.formatValue(value);
    return bound === "exact" ? formatted : bound === "at least" ? t("at least {value}", { value: formatted }) : t("at most {value}", { value: formatted });
  }

  /** @param {TreeNode} node @param {number} index of the child */
  describeReturn(node, index) {
    const [before, now] = [node.steps?.[index - 1], node.steps?.[index]];
    if (!now) return "";
    const child = this.node(now.path);
    const place = node.path ? t("Return to {path}", { path: node.path }) : t("Return to the root");
    const values = { place, column: child.path.at(-1) ?? "", value: this.formatBound(child.bound, child.value), before: this.formatValue(before?.value ?? null) };
    if (before && before.value === now.value) return t("{place}: column {column} has value {value}, no better than {before}.", values);
    const { alpha, beta } = before ?? node;
    if (now.alpha !== alpha) return t("{place}: column {column} has value {value}, the largest so far; alpha rises to {alpha}.", { ...values, alpha: this.formatValue(now.alpha) });
    if (now.beta !== beta) return t("{place}: column {column} has value {value}, the smallest so far; beta falls to {beta}.", { ...values, beta: this.formatValue(now.beta) });
    return node.kind === "max" ? t("{place}: column {column} has value {value}, the largest so far.", values)
      : t("{place}: column {column} has value {value}, the smallest so far.", values);
  }

  /** @param {TreeNode} node */
  describeCutoff(node) {
    return cutoffText(this.tree, node, (value) => this.formatValue(value));
  }

  /**
   * Describe a node after a step. Unless `all` is set, the cut-off that `describeStep` describes is left out.
   * @param {TreeNode} node
   * @param {number} step
   */
  describeNode(node, step, all = true) {
    const state = this.nodeState(node, step);
    const place = node.path ? t("After {path}", { path: [...node.path].join(" ") }) : t("The root");
    if (!state.visited) return t("{place}: not visited yet.", { place });
    const leaf = { place, value: this.formatValue(node.value) };
    if (node.kind === "leaf") return node.over ? t("{place}: the game is over, value {value}.", leaf) : t("{place}: a leaf, value {value}.", leaf);
    const parts = [t("{place}: {player} is {role}", { place, ...this.roleOf(node) })];
    if (state.value !== null) {
      const values = { value: this.formatBound(state.done ? node.bound : "exact", state.value), column: state.best?.at(-1) ?? "" };
      parts.push(state.done ? t("value {value}, from column {column}", values) : t("value {value} so far, from column {column}", values));
    }
    if (this.tree.pruning) {
      const [entered, now] = [this.formatWindow(node), this.formatWindow(state.window)];
      parts.push(t("entered with {window}", { window: entered }));
      if (now !== entered) parts.push(state.done ? t("left with {window}", { window: now }) : t("now with {window}", { window: now }));
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
    this.firstButton = button(t("First"), () => this.goTo(0), { title: t("Go to the start of the search") });
    this.backButton = button(t("Back"), () => this.goTo(this.at - 1), { title: t("Go back one step (←)") });
    this.forwardButton = button(t("Forward"), () => this.goTo(this.at + 1), { title: t("Go forward one step (→)") });
    this.cutoffButton = button(t("Next cut-off"), () => this.goTo(this.nextCutoff()), { title: t("Go to the next cut-off") });
    this.lastButton = button(t("Last"), () => this.goTo(Infinity), { title: t("Go to the end of the search") });
    this.runButton = button(t("Run"), () => this.toggleRun(), { class: "primary" });
    this.slider = element("input", { type: "range", min: 0, "aria-label": t("Step of the search"), oninput: () => this.goTo(Number(this.slider.value)) });
    this.description = element("p", { class: "step-description", role: "status" });
    this.element = element("div", { class: "trace-controls" },
      element("div", { class: "controls" }, this.runButton, this.firstButton, this.backButton, this.forwardButton, this.cutoffButton, this.lastButton),
      this.slider, this.description);
  }

  /** Show another search, or none. @param {SearchTrace | null} trace @param {number} [step] the end by default */
  setTrace(trace, step = Infinity) {
    this.pause();
    this.trace = trace;
    if (trace) this.slider.max = `${trace.length}`;
    this.goTo(step);
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
    this.slider.setAttribute("aria-valuetext", t("Step {step} of {all}", { step: this.at, all: trace.length }));
    this.description.textContent = `${t("Step {step} of {all}.", { step: this.at, all: trace.length })} ${trace.describeStep(this.at)}`;
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
    this.runButton.textContent = t("Pause");
    this.timer = setInterval(() => {
      this.goTo(this.at + 1);
      if (this.atEnd) this.pause();
    }, this.interval);
  }

  pause() {
    clearInterval(this.timer);
    this.timer = 0;
    this.runButton.textContent = t("Run");
    this.description.removeAttribute("aria-live");
  }
}
