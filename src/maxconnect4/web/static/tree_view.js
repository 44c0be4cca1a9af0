// The drawing of a search tree: a node, its children, and its grandchildren as lists.

import { COLOURS } from "./board_drawing.js";
import { element, svgElement } from "./elements.js";
import { t } from "./translations.js";

/** @import { SearchTrace } from "./search_trace.js" */
/** @import { TreeNode } from "./types.js" */

/**
 * @typedef {object} NodeLayout
 * @property {TreeNode} node
 * @property {number} x the centre
 * @property {number} y
 * @property {number} width
 * @property {number} height
 * @property {boolean} listed
 *
 * @typedef {NodeLayout & { group: SVGElement, item: SVGElement, value: SVGElement, edge: SVGElement | null, edgePaths: string[], windows: SVGElement[], cut: SVGElement | null }} DrawnNode
 */

const CHARACTER = 7.6, LEVEL = 96, FIRST = 34, GAP = 10;
const LIST = 44, ROW = 28, LISTED = 22; // a list's offset below its node, height of its rows, and offset to the right
const BELOW = 2; // levels that are drawn below the root of the drawing
const SCISSORS = "M-6-4L5 3M-6 4L5-3M5 3a2.4 2.4 0 1 0 4 1.8a2.4 2.4 0 1 0-4-1.8M5-3a2.4 2.4 0 1 1 4-1.8a2.4 2.4 0 1 1-4 1.8";

export class TreeView {
  /** @param {{ select: (path: string) => void, open: (path: string) => void, hover: (path: string | null) => void }} listener */
  constructor(listener) {
    this.listener = listener;
    /** @type {SearchTrace | null} */
    this.trace = null;
    this.root = "";
    this.selected = "";
    /** @type {Map<string, DrawnNode>} */
    this.nodes = new Map();
    this.sizes = { window: 0, triangle: 0, box: 0, group: 0 };
    this.canvas = svgElement("svg", { role: "tree", "aria-label": t("Search tree"), "aria-describedby": "about-tree", class: "search-tree" });
    this.canvas.addEventListener("keydown", (event) => this.handleKey(event));
    this.canvas.addEventListener("pointerleave", () => listener.hover(null));
    this.element = element("div", { class: "tree-box" }, this.canvas);
  }

  /** Draw the tree from a node down. @param {SearchTrace} trace @param {string} root path of the topmost node that is drawn */
  draw(trace, root) {
    this.trace = trace;
    this.root = root;
    this.sizes = measure(trace);
    this.nodes.clear();
    const edges = svgElement("g", { "aria-hidden": "true" }), nodes = svgElement("g", { role: "presentation" });
    const { places, width } = this.layout(trace.node(root));
    for (const place of places.values()) {
      const parent = places.get(place.node.path.slice(0, -1));
      const drawn = this.drawNode(place, place.node.path === root ? null : parent ?? null, width);
      if (drawn.edge) edges.append(drawn.edge);
      if (drawn.cut) edges.append(drawn.cut);
      nodes.append(drawn.group);
      this.nodes.set(place.node.path, drawn);
    }
    const height = Math.max(...[...places.values()].map((place) => this.bottom(place))) + 12;
    this.canvas.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.canvas.style.setProperty("--natural", `${width}px`);
    const within = this.canvas.contains(document.activeElement);
    this.canvas.replaceChildren(edges, nodes);
    if (within) this.nodes.get(this.focusable())?.item.focus({ preventScroll: true });
  }

  // Layout

  /** @param {TreeNode} root */
  layout(root) {
    /** @type {Map<string, NodeLayout>} */
    const places = new Map();
    const { sizes } = this;
    const children = this.children(root);
    let left = GAP;
    for (const child of children) {
      const width = child.steps ? sizes.group : sizes.box + GAP;
      const [x, y] = [left + (child.steps ? sizes.triangle : width) / 2, FIRST + LEVEL];
      places.set(child.path, { node: child, x, y, ...this.nodeSize(child, false), listed: false });
      let below = y + LIST;
      for (const each of this.children(child)) {
        const size = this.nodeSize(each, true);
        places.set(each.path, { node: each, x: left + LISTED + size.width / 2, y: below, ...size, listed: true });
        below += ROW;
      }
      left += width;
    }
    const ends = children.map((child) => places.get(child.path)?.x ?? 0);
    const width = Math.max(left + (root.cut ? sizes.group : 0), sizes.triangle + sizes.window * 2 + 2 * GAP);
    const x = children.length ? (Math.min(...ends) + Math.max(...ends)) / 2 : width / 2;
    /** @type {Map<string, NodeLayout>} */
    const all = new Map([[root.path, { node: root, x: Math.max(x, sizes.triangle / 2 + GAP), y: FIRST, ...this.nodeSize(root, false), listed: false }]]);
    for (const [path, place] of places) all.set(path, place);
    return { places: all, width };
  }

  /** @param {TreeNode} node @param {boolean} listed */
  nodeSize(node, listed) {
    const { sizes } = this;
    if (node.kind === "leaf") return { width: sizes.box, height: 24 };
    return listed ? { width: sizes.triangle - 6, height: 26 } : { width: sizes.triangle, height: 38 };
  }

  /** @param {TreeNode} node */
  children(node) {
    return (node.steps ?? []).map((step) => /** @type {SearchTrace} */ (this.trace).node(step.path));
  }

  /** The bottom of a node and its list. @param {NodeLayout} place */
  bottom({ node, y, height, listed }) {
    const rows = this.children(node).length;
    return listed || !rows || node.path === this.root ? y + height / 2 : y + LIST + ROW * (rows - 1) + (node.cut ? 50 : 14);
  }

  // Drawing

  /** @param {NodeLayout} place @param {NodeLayout | null} parent @param {number} width of the drawing @returns {DrawnNode} */
  drawNode(place, parent, width) {
    const { node, x, y, listed } = place;
    const value = svgElement("text", { class: "value", x, y: y + baseline(place) });
    const windows = node.kind === "leaf" || listed || !this.trace?.tree.pruning ? [] : [0, 1].map((line) =>
      svgElement("text", { class: "window", x: x + place.width / 2 + 1, y: y - 3 + 15 * line }));
    const item = svgElement("g", {
      role: "treeitem",
      tabindex: -1,
      "aria-level": node.path.length + 1,
      "data-path": node.path,
      onclick: () => this.handleClick(node.path),
      onpointerenter: () => this.listener.hover(node.path),
    }, outline(place));
    const texts = svgElement("g", { class: "labels", "aria-hidden": "true" }, value, ...windows); // the item has a label with more detail
    const group = svgElement("g", { role: "presentation" }, item, texts);
    const column = node.path.at(-1);
    if (parent && column)
      texts.append(svgElement("text", { class: "column-label", x: listed ? x - place.width / 2 - 9 : x, y: listed ? y + 4 : y - place.height / 2 - 6 }, column));
    if (listed && node.steps) texts.append(svgElement("text", { class: "more", x: x + place.width / 2 + 3, y: y + 3 }, "⋯"));
    const edge = parent ? svgElement("path", { class: "edge" }) : null;
    const edgePaths = parent ? [edgePath(parent, place, true), edgePath(parent, place, parent.node.steps?.[0]?.path === node.path)] : [];
    const cut = node.cut ? this.drawCut(place, width) : null;
    cut?.addEventListener("pointerenter", () => this.listener.hover(node.path));
    return { ...place, group, item, value, edge, edgePaths, windows, cut };
  }

  /** Draw a cut-off: a dashed edge with its columns and the reason. @param {NodeLayout} place @param {number} width */
  drawCut(place, width) {
    const { node, x, y, height } = place;
    const trace = /** @type {SearchTrace} */ (this.trace);
    const cut = node.cut;
    if (!cut) return null;
    const names = cut.columns.join(" ");
    const reason = node.kind === "max"
      ? `${trace.formatValue(node.value)} ≥ β ${trace.formatValue(cut.beta)}` : `${trace.formatValue(node.value)} ≤ α ${trace.formatValue(cut.alpha)}`;
    if (place.listed)
      return svgElement("g", { class: "cut" }, svgElement("path", { d: SCISSORS, transform: `translate(${x + place.width / 2 + 8} ${y - 7}) scale(.8)` }));
    if (node.path === this.root) {
      const left = width - this.sizes.group + 8, end = y + LEVEL - 34;
      return svgElement("g", { class: "cut" },
        svgElement("path", { class: "stub", d: `M${x} ${y + height / 2}L${left + 20} ${end}` }),
        svgElement("path", { d: SCISSORS, transform: `translate(${left + 20} ${end}) scale(1.3)` }),
        svgElement("text", { x: left, y: end + 22 }, names), svgElement("text", { x: left, y: end + 37 }, reason));
    }
    const left = x - place.width / 2 + 1, start = y + LIST + ROW * (this.children(node).length - 1), end = start + ROW;
    return svgElement("g", { class: "cut" },
      svgElement("path", { class: "stub", d: `M${left} ${start}V${end}H${left + 10}` }),
      svgElement("path", { d: SCISSORS, transform: `translate(${left} ${end - ROW / 2}) rotate(90)` }),
      svgElement("text", { x: left + 14, y: end + 4 }, names), svgElement("text", { x: left + 14, y: end + 19 }, reason));
  }

  /** Show the search after a step. @param {number} step */
  update(step) {
    const trace = this.trace;
    if (!trace) return;
    const now = trace.stepAt(step), finished = step === trace.length;
    const returning = now?.kind === "return" && !finished ? now.node.steps?.[now.child]?.path : undefined;
    const selected = trace.nodes.get(this.selected);
    const source = selected?.cut && trace.nodeState(selected, step).cut
      ? (selected.kind === "max" ? selected.cut.beta_from : selected.cut.alpha_from) : null;
    for (const [path, { node, group, item, value, edge, edgePaths, windows, cut }] of this.nodes) {
      const state = trace.nodeState(node, step);
      const parent = path ? trace.nodeState(trace.node(path.slice(0, -1)), step) : null;
      const on = finished && trace.tree.pv.startsWith(path);
      const classes = {
        node: true, [node.kind]: true, [COLOURS[node.player - 1] ?? ""]: true, unvisited: !state.visited, open: state.visited && !state.done,
        current: !finished && now?.node === node, best: parent?.best === path, "principal-variation": on, selected: path === this.selected,
        "bound-source": path === source,
      };
      group.setAttribute("class", Object.entries(classes).filter(([, is]) => is).map(([name]) => name).join(" "));
      item.setAttribute("aria-label", trace.describeNode(node, step));
      item.setAttribute("aria-selected", `${path === this.selected}`);
      item.setAttribute("tabindex", path === this.focusable() ? "0" : "-1");
      if (node.steps) item.setAttribute("aria-expanded", `${this.nodes.has(node.steps[0]?.path ?? "")}`);
      value.textContent = (state.done ? trace.boundSign(node) : "") + trace.formatValue(state.value);
      const { alpha, beta } = finished ? node : state.window; // at the end the ones on entry, as in the SVG file
      windows.forEach((line, index) => (line.textContent = !state.visited ? "" : index ? `β ${trace.formatValue(beta, "∞")}` : `α ${trace.formatValue(alpha, "−∞")}`));
      edge?.setAttribute("d", edgePaths[on || path === returning ? 0 : 1] ?? "");
      edge?.setAttribute("class", `edge${state.visited ? "" : " unvisited"}${on ? " principal-variation" : ""}${path === returning ? " returning" : ""}`);
      cut?.toggleAttribute("hidden", !state.cut);
      cut?.setAttribute("class", `cut${now?.kind === "cutoff" && now.node === node && !finished ? " current" : ""}`);
    }
  }

  // Navigation

  /** The node in the tab order. */
  focusable() {
    return this.nodes.has(this.selected) ? this.selected : this.root;
  }

  /** Whether a node is drawn when this node is the root. @param {string} path @param {string} [root] */
  isShown(path, root = this.root) {
    return path.startsWith(root) && path.length <= root.length + BELOW;
  }

  /** Scroll to a node. @param {string} path @param {boolean} focus */
  reveal(path, focus = false) {
    const item = this.nodes.get(path)?.item;
    if (focus) item?.focus({ preventScroll: true });
    if (!item) return;
    const [inner, outer] = [item.getBoundingClientRect(), this.element.getBoundingClientRect()];
    if (inner.left < outer.left + 20) this.element.scrollLeft -= outer.left + 60 - inner.left;
    else if (inner.right > outer.right - 20) this.element.scrollLeft += inner.right - outer.right + 60;
  }

  /** @param {string} path */
  handleClick(path) {
    const hidden = this.trace?.node(path).steps && !this.nodes.has(this.trace.node(path).steps?.[0]?.path ?? "");
    if (path === this.selected && hidden) this.listener.open(path);
    else this.listener.select(path);
    this.reveal(this.focusable(), true);
  }

  /** @param {KeyboardEvent} event */
  handleKey(event) {
    const trace = this.trace;
    const path = /** @type {Element} */ (event.target).closest("[data-path]")?.getAttribute("data-path");
    if (!trace || typeof path !== "string" || event.ctrlKey || event.altKey || event.metaKey) return;
    const siblings = path ? this.children(trace.node(path.slice(0, -1))).map((node) => node.path) : [path];
    const at = siblings.indexOf(path), first = trace.node(path).steps?.[0]?.path;
    /** @type {Record<string, string | undefined>} */
    const targets = { ArrowUp: path.slice(0, -1), ArrowDown: first, ArrowLeft: siblings[at - 1], ArrowRight: siblings[at + 1], Home: "" };
    if (event.key === "Enter" || event.key === " ") this.handleClick(path);
    else if (event.key in targets) {
      const to = targets[event.key];
      if (to !== undefined) this.listener.select(to);
      this.reveal(this.focusable(), true);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

/** Compute the widths for the longest value of the tree. @param {SearchTrace} trace */
function measure(trace) {
  const longest = Math.max(...trace.tree.nodes.map((node) => trace.formatValue(node.value).length + trace.boundSign(node).length));
  const text = CHARACTER * Math.max(longest, 2);
  const window = trace.tree.pruning ? CHARACTER * 0.85 * (longest + 2) + 8 : 0;
  const triangle = text * 1.5 + 20, box = text + 14;
  const row = LISTED + (trace.tree.depth > BELOW ? triangle + 20 : box);
  return { window, triangle, box, group: Math.max(triangle + window, row) + GAP };
}

/** @param {NodeLayout} place */
function baseline({ node, listed }) {
  if (node.kind === "leaf") return 4.5;
  return node.kind === "max" ? (listed ? 10 : 14) : listed ? -2 : -4;
}

/** A box for a leaf, a triangle that points up for MAX and down for MIN. @param {NodeLayout} place */
function outline({ node, x, y, width, height }) {
  const [left, right, top, bottom] = [x - width / 2, x + width / 2, y - height / 2, y + height / 2];
  if (node.kind === "leaf") return svgElement("rect", { class: "outline", x: left, y: top, width, height, rx: 4 });
  const [base, tip] = node.kind === "max" ? [bottom, top] : [top, bottom];
  return svgElement("path", { class: "outline", d: `M${left} ${base}H${right}L${x} ${tip}Z` });
}

/**
 * The edge from a node to its child; in a list without the part that it shares with the previous child, unless `whole`.
 * @param {NodeLayout} parent
 * @param {NodeLayout} child
 * @param {boolean} whole
 */
function edgePath(parent, child, whole) {
  const bottom = parent.y + parent.height / 2;
  if (!child.listed) return `M${parent.x} ${bottom}L${child.x} ${child.y - child.height / 2}`;
  const spine = parent.x - parent.width / 2 + 1;
  return `${whole ? `M${parent.x} ${bottom}L${spine} ${bottom + 9}` : `M${spine} ${child.y - ROW}`}V${child.y}h5`;
}
