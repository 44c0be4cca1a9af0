// The drawing of a search tree: a node, its children, and theirs as lists. What is deeper is a click away.

import { element, shape } from "./elements.js";

/** @import { TreeNode } from "./types.js" */
/** @import { Visits } from "./visits.js" */

/**
 * @typedef {object} Place
 * @property {TreeNode} node
 * @property {number} x the centre
 * @property {number} y
 * @property {number} width
 * @property {number} height
 * @property {boolean} listed
 *
 * @typedef {Place & { group: SVGElement, item: SVGElement, value: SVGElement, edge: SVGElement | null, ways: string[], windows: SVGElement[], cut: SVGElement | null }} Drawn
 */

const CHARACTER = 7.6, LEVEL = 96, FIRST = 34, GAP = 10;
const LIST = 44, ROW = 28, LISTED = 22; // a list begins so far below its node, and so far to the right
const BELOW = 2; // how many levels are drawn below the node in front
const COLOURS = ["red", "green"];
const SCISSORS = "M-6-4L5 3M-6 4L5-3M5 3a2.4 2.4 0 1 0 4 1.8a2.4 2.4 0 1 0-4-1.8M5-3a2.4 2.4 0 1 1 4-1.8a2.4 2.4 0 1 1-4 1.8";

export class TreeView {
  /** @param {{ choose: (path: string) => void, open: (path: string) => void, hover: (path: string | null) => void }} listener */
  constructor(listener) {
    this.listener = listener;
    /** @type {Visits | null} */
    this.visits = null;
    this.front = "";
    this.chosen = "";
    /** @type {Map<string, Drawn>} */
    this.drawn = new Map();
    this.canvas = shape("svg", { role: "tree", "aria-label": "The search tree", "aria-describedby": "about-tree", class: "search-tree" });
    this.canvas.addEventListener("keydown", (event) => this.key(event));
    this.canvas.addEventListener("pointerleave", () => listener.hover(null));
    this.element = element("div", { class: "tree-box" }, this.canvas);
  }

  /**
   * Draw the tree from a node down.
   * @param {Visits} visits
   * @param {string} front the node in front
   */
  draw(visits, front) {
    this.visits = visits;
    this.front = front;
    this.drawn.clear();
    const edges = shape("g", { "aria-hidden": "true" }), nodes = shape("g", { role: "presentation" });
    const root = visits.node(front);
    const { places, width } = this.layOut(root);
    for (const place of places.values()) {
      const parent = places.get(place.node.path.slice(0, -1));
      const drawn = this.drawNode(place, place.node.path === front ? null : parent ?? null, width);
      if (drawn.edge) edges.append(drawn.edge);
      if (drawn.cut) edges.append(drawn.cut);
      nodes.append(drawn.group);
      this.drawn.set(place.node.path, drawn);
    }
    const height = Math.max(...[...places.values()].map((place) => this.bottom(place))) + 12;
    this.canvas.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.canvas.style.setProperty("--natural", `${width}px`);
    const within = this.canvas.contains(document.activeElement);
    this.canvas.replaceChildren(edges, nodes);
    if (within) this.drawn.get(this.focusable())?.item.focus({ preventScroll: true });
  }

  // Where everything goes

  /** @param {TreeNode} root */
  layOut(root) {
    /** @type {Map<string, Place>} */
    const places = new Map();
    const sizes = this.sizes();
    const children = this.children(root);
    let left = GAP;
    for (const child of children) {
      const width = child.steps ? sizes.group : sizes.box + GAP;
      const [x, y] = [left + (child.steps ? sizes.triangle : width) / 2, FIRST + LEVEL];
      places.set(child.path, { node: child, x, y, ...this.size(child, false), listed: false });
      let below = y + LIST;
      for (const each of this.children(child)) {
        const size = this.size(each, true);
        places.set(each.path, { node: each, x: left + LISTED + size.width / 2, y: below, ...size, listed: true });
        below += ROW;
      }
      left += width;
    }
    const ends = children.map((child) => places.get(child.path)?.x ?? 0);
    const width = Math.max(left + (root.cut ? sizes.group : 0), sizes.triangle + sizes.window * 2 + 2 * GAP);
    const x = children.length ? (Math.min(...ends) + Math.max(...ends)) / 2 : width / 2;
    /** @type {Map<string, Place>} */
    const all = new Map([[root.path, { node: root, x: Math.max(x, sizes.triangle / 2 + GAP), y: FIRST, ...this.size(root, false), listed: false }]]);
    for (const [path, place] of places) all.set(path, place);
    return { places: all, width };
  }

  /** The sizes that fit the longest value of the tree. */
  sizes() {
    const visits = /** @type {Visits} */ (this.visits);
    const longest = Math.max(...visits.tree.nodes.map((node) => visits.label(node.value).length + visits.sign(node).length));
    const text = CHARACTER * Math.max(longest, 2);
    const window = visits.tree.pruning ? CHARACTER * 0.85 * (longest + 2) + 8 : 0;
    const triangle = text * 1.5 + 20, box = text + 14;
    const row = LISTED + (visits.tree.depth > BELOW ? triangle + 20 : box);
    return { window, triangle, box, group: Math.max(triangle + window, row) + GAP };
  }

  /** @param {TreeNode} node @param {boolean} listed */
  size(node, listed) {
    const sizes = this.sizes();
    if (node.kind === "leaf") return { width: sizes.box, height: 24 };
    return listed ? { width: sizes.triangle - 6, height: 26 } : { width: sizes.triangle, height: 38 };
  }

  /** @param {TreeNode} node */
  children(node) {
    return (node.steps ?? []).map((step) => /** @type {Visits} */ (this.visits).node(step.path));
  }

  /** How far down a node and its list reach. @param {Place} place */
  bottom({ node, y, height, listed }) {
    const rows = this.children(node).length;
    return listed || !rows || node.path === this.front ? y + height / 2 : y + LIST + ROW * (rows - 1) + (node.cut ? 50 : 14);
  }

  // Drawing

  /**
   * @param {Place} place
   * @param {Place | null} parent
   * @param {number} width of the drawing
   * @returns {Drawn}
   */
  drawNode(place, parent, width) {
    const { node, x, y, listed } = place;
    const value = shape("text", { class: "value", x, y: y + baseline(place) });
    const windows = node.kind === "leaf" || listed || !this.visits?.tree.pruning ? [] : [0, 1].map((line) =>
      shape("text", { class: "window", x: x + place.width / 2 + 1, y: y - 3 + 15 * line }));
    const item = shape("g", {
      role: "treeitem",
      tabindex: -1,
      "aria-level": node.path.length + 1,
      "data-path": node.path,
      onclick: () => this.click(node.path),
      onpointerenter: () => this.listener.hover(node.path),
    }, outline(place));
    const texts = shape("g", { class: "texts", "aria-hidden": "true" }, value, ...windows); // the item says more
    const group = shape("g", { role: "presentation" }, item, texts);
    const column = node.path.at(-1);
    if (parent && column)
      texts.append(shape("text", { class: "column-name", x: listed ? x - place.width / 2 - 9 : x, y: listed ? y + 4 : y - place.height / 2 - 6 }, column));
    if (listed && node.steps) texts.append(shape("text", { class: "more", x: x + place.width / 2 + 3, y: y + 3 }, "⋯"));
    const edge = parent ? shape("path", { class: "edge" }) : null;
    const ways = parent ? [way(parent, place, true), way(parent, place, parent.node.steps?.[0]?.path === node.path)] : [];
    const cut = node.cut ? this.drawCut(place, width) : null;
    cut?.addEventListener("pointerenter", () => this.listener.hover(node.path));
    return { ...place, group, item, value, edge, ways, windows, cut };
  }

  /** What was cut off: dashed, with the columns and the reason. @param {Place} place @param {number} width */
  drawCut(place, width) {
    const { node, x, y, height } = place;
    const visits = /** @type {Visits} */ (this.visits);
    const cut = node.cut;
    if (!cut) return null;
    const names = cut.columns.join(" ");
    const reason = node.kind === "max"
      ? `${visits.label(node.value)} ≥ β ${visits.label(cut.beta)}` : `${visits.label(node.value)} ≤ α ${visits.label(cut.alpha)}`;
    if (place.listed)
      return shape("g", { class: "cut" }, shape("path", { d: SCISSORS, transform: `translate(${x + place.width / 2 + 8} ${y - 7}) scale(.8)` }));
    if (node.path === this.front) {
      const left = width - this.sizes().group + 8, end = y + LEVEL - 34;
      return shape("g", { class: "cut" },
        shape("path", { class: "stub", d: `M${x} ${y + height / 2}L${left + 20} ${end}` }),
        shape("path", { d: SCISSORS, transform: `translate(${left + 20} ${end}) scale(1.3)` }),
        shape("text", { x: left, y: end + 22 }, names), shape("text", { x: left, y: end + 37 }, reason));
    }
    const left = x - place.width / 2 + 1, start = y + LIST + ROW * (this.children(node).length - 1), end = start + ROW;
    return shape("g", { class: "cut" },
      shape("path", { class: "stub", d: `M${left} ${start}V${end}H${left + 10}` }),
      shape("path", { d: SCISSORS, transform: `translate(${left} ${end - ROW / 2}) rotate(90)` }),
      shape("text", { x: left + 14, y: end + 4 }, names), shape("text", { x: left + 14, y: end + 19 }, reason));
  }

  /**
   * Show how far the search is.
   * @param {number} moment
   */
  update(moment) {
    const visits = this.visits;
    if (!visits) return;
    const now = visits.at(moment), finished = moment === visits.length;
    const coming = now?.kind === "back" && !finished ? now.node.steps?.[now.step]?.path : undefined;
    const chosen = visits.nodes.get(this.chosen);
    const source = chosen?.cut && visits.known(chosen, moment).cut
      ? (chosen.kind === "max" ? chosen.cut.beta_from : chosen.cut.alpha_from) : null;
    for (const [path, { node, group, item, value, edge, ways, windows, cut }] of this.drawn) {
      const known = visits.known(node, moment);
      const parent = path ? visits.known(visits.node(path.slice(0, -1)), moment) : null;
      const on = finished && visits.tree.line.startsWith(path);
      const classes = {
        node: true, [node.kind]: true, [COLOURS[node.player - 1] ?? ""]: true, unseen: !known.seen, open: known.seen && !known.done,
        now: !finished && now?.node === node, best: parent?.best === path, line: on, chosen: path === this.chosen,
        source: path === source,
      };
      group.setAttribute("class", Object.entries(classes).filter(([, is]) => is).map(([name]) => name).join(" "));
      item.setAttribute("aria-label", visits.described(node, moment));
      item.setAttribute("aria-selected", `${path === this.chosen}`);
      item.setAttribute("tabindex", path === this.focusable() ? "0" : "-1");
      if (node.steps) item.setAttribute("aria-expanded", `${this.drawn.has(node.steps[0]?.path ?? "")}`);
      value.textContent = (known.done ? visits.sign(node) : "") + visits.label(known.value);
      const { alpha, beta } = finished ? node : known.window; // in the end those that it was entered with, as in the picture
      windows.forEach((line, index) => (line.textContent = !known.seen ? "" : index ? `β ${visits.label(beta, "∞")}` : `α ${visits.label(alpha, "−∞")}`));
      edge?.setAttribute("d", ways[on || path === coming ? 0 : 1] ?? "");
      edge?.setAttribute("class", `edge${known.seen ? "" : " unseen"}${on ? " line" : ""}${path === coming ? " flow" : ""}`);
      cut?.toggleAttribute("hidden", !known.cut);
      cut?.setAttribute("class", `cut${now?.kind === "cut" && now.node === node && !finished ? " now" : ""}`);
    }
  }

  // Going about in it

  /** The node that the Tab key leads to. */
  focusable() {
    return this.drawn.has(this.chosen) ? this.chosen : this.front;
  }

  /** Whether a node is drawn, or would be once another is in front. @param {string} path @param {string} [front] */
  has(path, front = this.front) {
    return path.startsWith(front) && path.length <= front.length + BELOW;
  }

  /** Bring a node into view. @param {string} path @param {boolean} focus give it the keyboard, too */
  reveal(path, focus = false) {
    const item = this.drawn.get(path)?.item;
    if (focus) item?.focus({ preventScroll: true });
    if (!item) return;
    const [inner, outer] = [item.getBoundingClientRect(), this.element.getBoundingClientRect()];
    if (inner.left < outer.left + 20) this.element.scrollLeft -= outer.left + 60 - inner.left;
    else if (inner.right > outer.right - 20) this.element.scrollLeft += inner.right - outer.right + 60;
  }

  /** @param {string} path */
  click(path) {
    const hidden = this.visits?.node(path).steps && !this.drawn.has(this.visits.node(path).steps?.[0]?.path ?? "");
    if (path === this.chosen && hidden) this.listener.open(path);
    else this.listener.choose(path);
    this.reveal(this.focusable(), true);
  }

  /** Up to the parent, down to the first child, left and right to its neighbours. @param {KeyboardEvent} event */
  key(event) {
    const visits = this.visits;
    const path = /** @type {Element} */ (event.target).closest("[data-path]")?.getAttribute("data-path");
    if (!visits || typeof path !== "string" || event.ctrlKey || event.altKey || event.metaKey) return;
    const siblings = path ? this.children(visits.node(path.slice(0, -1))).map((node) => node.path) : [path];
    const at = siblings.indexOf(path), first = visits.node(path).steps?.[0]?.path;
    /** @type {Record<string, string | undefined>} */
    const ways = { ArrowUp: path.slice(0, -1), ArrowDown: first, ArrowLeft: siblings[at - 1], ArrowRight: siblings[at + 1], Home: "" };
    if (event.key === "Enter" || event.key === " ") this.click(path);
    else if (event.key in ways) {
      const to = ways[event.key];
      if (to !== undefined) this.listener.choose(to);
      this.reveal(this.focusable(), true);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

/** @param {Place} place */
function baseline({ node, listed }) {
  if (node.kind === "leaf") return 4.5;
  return node.kind === "max" ? (listed ? 10 : 14) : listed ? -2 : -4;
}

/** A box for a leaf, a triangle that points up for MAX and down for MIN. @param {Place} place */
function outline({ node, x, y, width, height }) {
  const [left, right, top, bottom] = [x - width / 2, x + width / 2, y - height / 2, y + height / 2];
  if (node.kind === "leaf") return shape("rect", { class: "outline", x: left, y: top, width, height, rx: 4 });
  const [base, tip] = node.kind === "max" ? [bottom, top] : [top, bottom];
  return shape("path", { class: "outline", d: `M${left} ${base}H${right}L${x} ${tip}Z` });
}

/**
 * The way from a node to its child: the whole of it, or in a list what it does not share with the child before.
 * @param {Place} parent
 * @param {Place} child
 * @param {boolean} whole
 */
function way(parent, child, whole) {
  const bottom = parent.y + parent.height / 2;
  if (!child.listed) return `M${parent.x} ${bottom}L${child.x} ${child.y - child.height / 2}`;
  const spine = parent.x - parent.width / 2 + 1;
  return `${whole ? `M${parent.x} ${bottom}L${spine} ${bottom + 9}` : `M${spine} ${child.y - ROW}`}V${child.y}h5`;
}
