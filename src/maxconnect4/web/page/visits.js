// A search step by step: which node is visited when, and what it knows by then.

import { minus } from "./elements.js";

/** @import { TreeFacts, TreeNode, TreeWindow } from "./types.js" */

/**
 * Down to a node; a value comes back from a child; the rest of a node is cut off.
 * @typedef {object} Visit
 * @property {"down" | "back" | "cut"} kind
 * @property {TreeNode} node where the search is now
 * @property {number} step of the node, for `back`: which child has come back
 */

/**
 * What a node knows at some moment. `value` is null before the first child has come back.
 * @typedef {object} Known
 * @property {boolean} seen
 * @property {boolean} done
 * @property {boolean} cut
 * @property {number | null} value
 * @property {string | null} best the path of the child that the value comes from
 * @property {TreeWindow} window
 */

const NAMES = ["red", "green"];

export class Visits {
  /** @param {TreeFacts} tree */
  constructor(tree) {
    this.tree = tree;
    this.nodes = new Map(tree.nodes.map((node) => [node.path, node]));
    /** @type {Visit[]} */
    this.all = [];
    /** The moment at which a node is reached, when each child has come back, and when it is done. @type {Map<string, number[]>} */
    this.moments = new Map();
    const root = tree.nodes[0];
    if (root) this.visit(root);
  }

  /** @param {TreeNode} node */
  visit(node) {
    const moments = [this.add("down", node)];
    this.moments.set(node.path, moments);
    node.steps?.forEach((step, index) => {
      this.visit(this.node(step.path));
      moments.push(this.add("back", node, index));
    });
    if (node.cut) moments.push(this.add("cut", node));
  }

  /**
   * @param {Visit["kind"]} kind
   * @param {TreeNode} node
   */
  add(kind, node, step = 0) {
    return this.all.push({ kind, node, step });
  }

  /** @param {string} path @returns {TreeNode} */
  node(path) {
    return /** @type {TreeNode} */ (this.nodes.get(path));
  }

  /** How many moments there are. At moment 0 nothing has happened, at the last one all. */
  get length() {
    return this.all.length;
  }

  /** The last thing that has happened. @param {number} moment */
  at(moment) {
    return this.all[moment - 1] ?? null;
  }

  /**
   * @param {TreeNode} node
   * @param {number} moment
   * @returns {Known}
   */
  known(node, moment) {
    const [reached = 0, ...later] = this.moments.get(node.path) ?? [];
    const seen = moment >= reached;
    const done = moment >= (later.at(-1) ?? reached);
    const back = later.slice(0, node.steps?.length ?? 0).filter((each) => each <= moment).length;
    const steps = node.steps?.slice(0, back) ?? [];
    const last = steps.at(-1);
    const value = node.kind === "leaf" ? (seen ? node.value : null) : last ? last.value : null;
    const best = steps.find((step) => step.value === value)?.path ?? null;
    return { seen, done, cut: done && Boolean(node.cut), value, best, window: last ?? node };
  }

  /** A value as people should see it. @param {number | null} value */
  label(value, none = "") {
    if (value === null) return none;
    return this.tree.labels[value] ?? `${value}`.replace("-", "−");
  }

  /** What a value says once a node is done: at least so much, at most, or exactly. @param {TreeNode} node */
  sign(node) {
    return { exact: "", "at least": "≥", "at most": "≤" }[node.bound] ?? "";
  }

  /** @param {TreeWindow} window */
  window({ alpha, beta }) {
    return `alpha ${this.label(alpha, "−∞")} and beta ${this.label(beta, "∞")}`;
  }

  /** What happens at a moment, in words. @param {number} moment */
  words(moment) {
    const visit = this.at(moment);
    if (!visit) return "Nothing has been looked at yet.";
    const { kind, node, step } = visit;
    const words = kind === "down" ? this.down(node) : kind === "back" ? this.back(node, step) : this.cut(node);
    return moment === this.length ? `${words} ${minus(this.tree.words)}` : words;
  }

  /** @param {TreeNode} node */
  down(node) {
    const place = node.path ? `Down to ${node.path}` : "The search begins at the root";
    if (node.over) return `${place}, where the game ends: ${this.label(node.value)}.`;
    if (node.kind === "leaf") return `${place}, a leaf: ${this.tree.evaluation} gives ${this.label(node.value)}.`;
    const window = this.tree.pruning ? `, with ${this.window(node)}` : "";
    return `${place}: ${NAMES[node.player - 1]} is ${node.kind.toUpperCase()}${window}.`;
  }

  /**
   * @param {TreeNode} node
   * @param {number} step
   */
  back(node, step) {
    const [before, now] = [node.steps?.[step - 1], node.steps?.[step]];
    if (!now) return "";
    const child = this.node(now.path);
    const place = node.path ? `Back in ${node.path}` : "Back at the root";
    const bound = child.bound === "exact" ? "" : `${child.bound} `;
    const value = `${place}: column ${child.path.at(-1)} is worth ${bound}${this.label(child.value)}`;
    if (before && before.value === now.value) return `${value}, no better than ${this.label(before.value)}.`;
    const most = node.kind === "max" ? "largest" : "smallest";
    const { alpha, beta } = before ?? node;
    const moved = now.alpha !== alpha ? `; alpha rises to ${this.label(now.alpha)}`
      : now.beta !== beta ? `; beta falls to ${this.label(now.beta)}` : "";
    return `${value}, the ${most} so far${moved}.`;
  }

  /** @param {TreeNode} node */
  cut(node) {
    if (!node.cut) return "";
    const { columns, spared, reason } = node.cut;
    const what = columns.length === 1 ? `column ${columns[0]} is` : `columns ${columns.join(", ")} are`;
    return `Cut off: ${minus(reason)}. So ${what} not looked at: ${spared} node${spared === 1 ? "" : "s"} spared.`;
  }

  /**
   * A node as it stands at a moment, in words. A cut that is just happening is told by `words`, and here only if all is wanted.
   * @param {TreeNode} node
   * @param {number} moment
   */
  described(node, moment, all = true) {
    const known = this.known(node, moment);
    const place = node.path ? `After ${[...node.path].join(" ")}` : "The root";
    if (!known.seen) return `${place}: not looked at yet.`;
    if (node.kind === "leaf") return `${place}: ${node.over ? "the game is over" : "a leaf"}, value ${this.label(node.value)}.`;
    const parts = [`${place}: ${NAMES[node.player - 1]} is ${node.kind.toUpperCase()}`];
    const bound = known.done && node.bound !== "exact" ? `${node.bound} ` : "";
    if (known.value !== null)
      parts.push(`value ${bound}${this.label(known.value)}${known.done ? "" : " so far"}, from column ${known.best?.at(-1)}`);
    if (this.tree.pruning) {
      const [entered, now] = [this.window(node), this.window(known.window)];
      parts.push(`entered with ${entered}${now === entered ? "" : `, ${known.done ? "left" : "now"} with ${now}`}`);
    }
    const visit = this.at(moment);
    const cut = known.cut && (all || visit?.kind !== "cut" || visit.node !== node);
    return `${parts.join(", ")}.${cut ? ` ${this.cut(node)}` : ""}`;
  }
}
