// The Learn panel: a first lesson, chapters with a tiny search tree, and the tree of any position, all step by step.

import { API_ROOT, fetchPosition, HttpError, positionQuery, request, ServerUnreachable, shownPositionQuery, withErrorHandling } from "./api.js";
import { button, element, toSentence } from "./elements.js";
import { Lesson } from "./lesson.js";
import { SearchTrace, TraceControls } from "./search_trace.js";
import { loadSetting, saveSetting } from "./settings.js";
import { formatNumber, t, tn } from "./translations.js";
import { TreeView } from "./tree_view.js";

/** @import { App, Panel } from "./app.js" */
/** @import { PlayPanel } from "./play_panel.js" */
/** @import { Position } from "./types.js" */

const DEPTHS = [1, 2, 3, 4];
const STEPS_BACK = 4; // moves that are taken back from a finished game
const TINY = { moves: "66166376423217711362375341737124", depth: "2", evaluation: "margin", order: "centre", pruning: true }; // three columns are open
/** Chapters with a search tree: its position and settings, and the setting that the user can change. */
const CHAPTERS = /** @type {Record<string, typeof TINY & { shown: string }>} */ ({
  minimax: { ...TINY, order: "left", pruning: false, shown: "" },
  pruning: { ...TINY, shown: "pruning" },
  ordering: { ...TINY, order: "left", shown: "order" },
  evaluation: { moves: "4453", depth: "1", evaluation: "margin", order: "centre", pruning: false, shown: "evaluation" },
});

/** The names of the chapters, in order. @returns {Record<string, string>} */
function chapterNames() {
  return { lesson: t("First lesson"), minimax: t("Minimax"), pruning: t("Pruning"), ordering: t("Ordering"), evaluation: t("Evaluation"), explore: t("Explore") };
}

/** @param {string} chapter */
function chapterText(chapter) {
  switch (chapter) {
    case "minimax": return t("Red looks two moves ahead. Three columns are open. Each box at the bottom shows red's points minus green's after both moves. Green chooses the smallest number of a group, and red the largest of those. Press Forward and watch the numbers rise.");
    case "pruning": return t("The same tree with pruning. Column 4 is worth 1. In each other group, one answer of green is enough to see that red would not do better there, so the search cuts off the rest. The move stays the same, with fewer nodes.");
    case "ordering": return t("Pruning works best if the good columns come first. Compare the number of nodes from left to right and from the centre.");
    case "evaluation": return t("A search rarely reaches the end of the game, so an evaluation estimates the positions at the bottom. “margin” only counts points and finds all columns equal here. “windows” also counts rows that can still become fours.");
  }
  return "";
}

/** @implements {Panel} */
export class LearnPanel {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** @type {SearchTrace | null} */
    this.trace = null;
    this.query = "";
    this.position = "";
    /** @type {AbortController | null} */
    this.abortController = null;

    this.depth = this.selectField("depth", t("Depth"), DEPTHS.map((depth) => [`${depth}`, tn(depth, "{count} ply", "{count} plies")]), "2");
    this.evaluation = this.selectField("evaluation", t("Evaluation"), app.capabilities.evaluations.map(({ name }) => [name, name]), "");
    /** The selected evaluation by game. The defaults differ, because a classic game ends before there are many points. */
    this.evaluations = Object.fromEntries(Object.entries(app.capabilities.default_evaluations).map(([game, evaluation]) =>
      [game, loadSetting(`tree-evaluation-${game}`, evaluation)]));
    this.order = this.selectField("order", t("Move ordering"), [["centre", t("Centre first")], ["left", t("Left to right")]], "centre");
    this.pruning = element("input", { type: "checkbox", role: "switch", id: "tree-pruning", onchange: () => this.change("pruning", this.pruning.checked ? "on" : "off") });
    this.pruning.checked = loadSetting("tree-pruning", "on") === "on";
    this.explanation = element("p", { class: "hint" });
    this.counts = element("dl", { class: "counts" });
    this.breadcrumb = element("nav", { class: "breadcrumb", "aria-label": t("Path in the tree") });
    this.treeView = new TreeView({
      select: (path) => this.selectNode(path),
      open: (path) => this.openNode(path),
      hover: (path) => this.describeNode(path),
    });
    this.controls = new TraceControls(() => this.stepChanged());
    this.detail = element("p", { class: "node-description" });

    this.link = element("a", { class: "save", download: "tree.svg" }, t("Save the whole tree as an SVG file"));
    this.error = element("p", { class: "error", role: "status", tabindex: -1, hidden: true });
    this.retryButton = button(t("Try again"), () => { this.error.focus(); if (CHAPTERS[this.chapter]) this.openChapter(this.chapter); else this.refresh(); }, { class: "retry", hidden: true });
    this.body = element("div", { class: "search-view" },
      this.counts, this.breadcrumb, this.treeView.element, this.detail,
      this.controls.element,
      element("p", { class: "hint", id: "about-tree" }, [
        t("MAX (triangle pointing up) is the player to move and takes the largest value; MIN (triangle pointing down) takes the smallest."),
        t("Boxes are leaves. All values are from the view of MAX. Next to each node are its alpha and beta: the current ones during the search, those on entry after it."),
        t("Select a node to see its moves on the board, and select it again to open the tree below it."),
        t("In the tree, the arrow keys move to the parent, the first child and the siblings; elsewhere, they step through the search."),
      ].join(" ")),
      this.link);
    /** The chapter that is shown; empty until the panel is opened. */
    this.chapter = "";
    /** What the board showed before the chapters. @type {{ position: Position, ply: number } | null} */
    this.before = null;
    this.opening = 0; // counts chapters, so that late responses are ignored
    this.lesson = new Lesson(app, (panel) => this.app.selectPanel(panel));
    this.chapterButtons = Object.entries(chapterNames()).map(([name, label]) => button(label, () => this.app.router.navigate(() => this.openChapter(name)), { "data-chapter": name }));
    this.introduction = element("p", { class: "introduction" });
    this.nextChapterButton = button(t("Next chapter"), () => this.openNextChapter());
    this.backFromEndButton = button(t("Take back some moves"), () => this.app.positionState.goTo(this.app.positionState.ply - STEPS_BACK), { hidden: true });
    this.pruningField = element("label", { class: "choice" }, this.pruning, t("Alpha-beta pruning"));
    this.settings = element("form", { class: "settings", onsubmit: (/** @type {Event} */ event) => event.preventDefault() },
      this.depth.field, this.evaluation.field, this.order.field, this.pruningField);
    this.treeSection = element("div", { class: "tree-section" }, this.introduction, this.settings, this.explanation, this.error,
      element("div", { class: "controls" }, this.retryButton, this.backFromEndButton), this.body, element("div", { class: "controls" }, this.nextChapterButton));
    this.element = element("section", { class: "learn" },
      element("div", { class: "chapters", role: "group", "aria-label": t("Chapters") }, ...this.chapterButtons), this.lesson.element, this.treeSection);
    app.positionState.addEventListener("change", () => this.positionChanged());
  }

  // Panel

  activate() {
    const { activeElement: focused } = document;
    if (focused instanceof HTMLElement && !focused.matches(":focus-visible")) focused.blur(); // so that the arrow keys step through the search
    const { position, ply } = this.app.positionState, played = /** @type {PlayPanel} */ (this.app.panels.play).position;
    const analysed = position !== played && (position.start || position.moves); // in another panel: its tree is shown
    this.before = { position, ply };
    this.openChapter(this.chapter || (analysed ? "explore" : loadSetting("learn-chapter", "minimax")));
    this.previewSelected();
  }

  deactivate() {
    this.controls.pause();
    this.preview("");
    this.opening++;
    const { before, chapter } = this;
    this.before = null;
    this.chapter = "";
    if (chapter === "lesson") saveSetting("lesson", "seen");
    if (chapter !== "explore" && before) this.app.positionState.show(before.position, before.ply);
  }

  canMove() {
    return this.chapter !== "lesson" || this.lesson.canMove();
  }

  // Chapters

  /** Show a chapter. @param {string} name */
  openChapter(name) {
    const chapter = CHAPTERS[name], opening = ++this.opening, previous = this.chapter;
    this.chapter = chapter || name === "lesson" ? name : "explore";
    if (this.app.currentPanel !== "learn") return;
    if (this.chapter !== "lesson") saveSetting("learn-chapter", this.chapter);
    for (const each of this.chapterButtons) each.setAttribute("aria-pressed", `${each.dataset.chapter === this.chapter}`);
    this.lesson.element.hidden = this.chapter !== "lesson";
    this.treeSection.hidden = this.chapter === "lesson";
    if (this.chapter === "lesson") return void this.lesson.start();
    this.introduction.textContent = chapterText(this.chapter);
    this.introduction.hidden = this.nextChapterButton.hidden = !chapter;
    for (const [setting, field] of Object.entries({ depth: this.depth.field, evaluation: this.evaluation.field, order: this.order.field, pruning: this.pruningField }))
      field.hidden = chapter !== undefined && chapter.shown !== setting;
    this.settings.hidden = chapter?.shown === "";
    this.counts.hidden = chapter !== undefined && !["pruning", "order"].includes(chapter.shown);
    this.explanation.hidden = chapter !== undefined && chapter.shown !== "evaluation";
    this.depth.select.value = chapter?.depth ?? loadSetting("tree-depth", "2");
    this.order.select.value = chapter?.order ?? loadSetting("tree-order", "centre");
    this.pruning.checked = chapter?.pruning ?? loadSetting("tree-pruning", "on") === "on";
    if (chapter) this.evaluation.select.value = chapter.evaluation;
    if (!chapter && previous && previous !== "explore" && this.before) this.app.positionState.show(this.before.position, this.before.ply);
    if (!chapter) return this.positionChanged();
    this.query = "";
    withErrorHandling(async () => {
      const position = await fetchPosition({ game: "max", start: null, moves: chapter.moves });
      if (opening === this.opening) this.app.positionState.show(position);
    }, (message) => opening === this.opening && this.showError(message, true));
  }

  openNextChapter() {
    const names = Object.keys(chapterNames()), next = names[names.indexOf(this.chapter) + 1] ?? "explore";
    this.app.router.navigate(() => this.openChapter(next));
    this.chapterButtons[names.indexOf(next)]?.focus({ preventScroll: true });
    this.element.scrollIntoView({ block: "nearest" });
  }

  /** @param {number} column */
  drop(column) {
    if (this.chapter === "lesson") this.lesson.drop(column);
    else withErrorHandling(() => this.app.positionState.tryMove(column), (message) => this.app.showStatus(message, "error"));
  }

  /** @param {string} key */
  handleKey(key) {
    const positionState = this.app.positionState;
    if (this.chapter === "lesson") return false;
    if (key === "ArrowLeft") this.controls.backButton.click();
    else if (key === "ArrowRight") this.controls.forwardButton.click();
    else if (key === "u") positionState.goTo(positionState.ply - 1);
    else if (key === "r") positionState.goTo(positionState.ply + 1);
    else return false;
    return true;
  }

  address() {
    const { position, ply } = this.app.positionState;
    return this.chapter === "explore" ? `/learn?${shownPositionQuery(position, ply)}` : `/learn/${this.chapter}`;
  }

  /** @param {string} item a chapter @param {URLSearchParams} query */
  async openAddress(item, query) {
    const known = item in chapterNames();
    if (known || query.has("game") || query.has("moves") || query.has("start")) this.chapter = known ? item : "explore";
    if (this.chapter === "explore") return this.app.openPosition("learn", query);
    if (this.app.currentPanel === "learn") this.openChapter(this.chapter);
    else this.app.selectPanel("learn");
  }

  // Search

  /**
   * Create a select field whose value is stored.
   * @param {string} name
   * @param {string} label
   * @param {string[][]} options
   * @param {string} fallback
   */
  selectField(name, label, options, fallback) {
    const id = `tree-${name}`, chosen = loadSetting(id, fallback);
    const select = element("select", { id, onchange: () => this.change(name, select.value) },
      ...options.map(([value, text]) => element("option", { value, selected: value === chosen }, text ?? "")));
    return { select, field: element("div", { class: "setting" }, element("label", { for: id }, label), select) };
  }

  /** @param {string} name @param {string} value */
  change(name, value) {
    if (this.chapter !== "explore") return void this.refresh(); // the settings of a chapter are not stored
    const { game } = this.app.positionState.position;
    if (name === "evaluation") this.evaluations[game] = value;
    saveSetting(name === "evaluation" ? `tree-evaluation-${game}` : `tree-${name}`, value);
    this.refresh();
  }

  /** The query of the shown position with these settings. */
  get wantedQuery() {
    if (this.chapter === "explore") this.evaluation.select.value = this.evaluations[this.app.positionState.position.game] ?? "";
    return positionQuery(this.app.positionState.spec, {
      depth: this.depth.select.value, evaluation: this.evaluation.select.value,
      order: this.order.select.value, pruning: this.pruning.checked,
    });
  }

  positionChanged() {
    if (this.app.currentPanel !== "learn" || !this.chapter || this.chapter === "lesson") return;
    this.app.showMoveStatus();
    this.refresh();
  }

  /** Request the tree of the shown position, unless that has been done. */
  async refresh() {
    if (this.app.currentPanel !== "learn" || this.query === this.wantedQuery) return;
    const query = (this.query = this.wantedQuery);
    this.abortController?.abort();
    this.trace = null; // the drawn tree belongs to another position
    this.controls.setTrace(null);
    this.treeView.selected = "";
    if (this.app.positionState.boardState.over) {
      this.showError(`${t("The game is over: there is nothing to search.")} ${t("Take back some moves, or open a chapter.")}`);
      this.backFromEndButton.hidden = this.app.positionState.ply === 0;
      return;
    }
    this.abortController = new AbortController();
    try {
      const tree = await request(`/tree?${query}`, { signal: this.abortController.signal });
      if (query !== this.query) return;
      this.trace = new SearchTrace(tree);
      this.render();
    } catch (error) {
      if (query !== this.query || this.abortController.signal.aborted) return;
      this.query = "";
      this.showError(error instanceof HttpError ? toSentence(t("The tree cannot be shown: {reason}", { reason: error.message })) : error instanceof ServerUnreachable ? error.message : t("The tree cannot be shown."), !(error instanceof HttpError));
    }
  }

  /** Show an error instead of the tree. @param {string} message @param {boolean} [canRetry] */
  showError(message, canRetry = false) {
    this.retryButton.hidden = !canRetry;
    this.backFromEndButton.hidden = true;
    this.trace = null;
    this.body.hidden = true;
    this.explanation.textContent = "";
    this.error.hidden = false;
    this.error.textContent = message;
  }

  render() {
    const trace = this.trace;
    if (!trace) return;
    const { tree } = trace;
    this.error.hidden = this.retryButton.hidden = this.backFromEndButton.hidden = true;
    this.body.hidden = false;
    this.explanation.textContent = [
      t("Value of a leaf: {evaluation}.", { evaluation: t(tree.evaluation_description) }),
      ...(tree.order === "left" ? [t("If columns have equal values, this search chooses the leftmost one; the computer players choose the one nearest the centre.")] : []),
    ].join(" ");
    this.renderCounts();
    this.link.href = `${API_ROOT}/tree.svg?${this.query}`;
    const position = positionQuery(this.app.positionState.spec);
    const root = position === this.position && trace.nodes.has(this.treeView.root) ? this.treeView.root : "";
    this.position = position;
    this.treeView.draw(trace, root);
    this.controls.setTrace(trace, this.chapter === "explore" ? Infinity : 1);
    this.treeView.reveal(root);
    if (tree.pv.startsWith(root)) this.treeView.reveal(tree.pv.slice(0, root.length + 1));
  }

  renderCounts() {
    const tree = this.trace?.tree;
    if (!tree) return;
    const counts = [[t("Nodes with pruning"), tree.with_pruning, tree.pruning], [t("Nodes without pruning"), tree.without_pruning, !tree.pruning]];
    this.counts.replaceChildren(...counts.flatMap(([name, count, chosen]) => {
      const bar = element("span", { class: "bar" });
      bar.style.width = `${(100 * Number(count)) / tree.without_pruning}%`;
      return [element("dt", {}, `${name}`), element("dd", { class: chosen ? "selected" : "" }, bar, element("b", {}, formatNumber(Number(count))))];
    }));
  }

  // Navigation

  /** Show the node of the current step of the search. */
  stepChanged() {
    const step = this.controls.atEnd ? null : this.trace?.stepAt(this.controls.at);
    if (step) {
      const { path } = step.node;
      if (!this.treeView.isShown(path)) this.setRoot(path.slice(0, Math.max(0, path.length - 2)));
      this.treeView.selected = path;
    }
    this.renderStep();
    if (!this.controls.tooFast) this.previewSelected();
    if (step) this.treeView.reveal(step.node.path);
  }

  renderStep() {
    this.treeView.update(this.controls.at);
    this.describeNode(null);
    this.renderBreadcrumb();
  }

  /** Select a node, and preview its moves on the board. @param {string} path */
  selectNode(path) {
    if (!this.trace) return;
    this.controls.pause();
    if (!this.treeView.isShown(path)) this.setRoot(path.startsWith(this.treeView.root) ? path.slice(0, -1) : path);
    this.treeView.selected = path;
    this.renderStep();
    this.previewSelected();
  }

  /** Show the tree from a node down. @param {string} path */
  openNode(path) {
    if (!this.trace) return;
    this.controls.pause();
    this.setRoot(path);
    this.treeView.selected = path;
    this.renderStep();
    this.previewSelected();
  }

  /** @param {string} root */
  setRoot(root) {
    if (!this.trace || root === this.treeView.root) return;
    this.treeView.draw(this.trace, root);
    this.treeView.reveal(root);
  }

  /** Preview the moves to the selected node on the board. */
  previewSelected() {
    this.preview(this.treeView.selected);
  }

  /** @param {string} path */
  preview(path) {
    this.app.positionState.preview(path).catch(() => {}); // the tree is also useful without the preview
  }

  /** Describe a node, or the selected one. @param {string | null} path */
  describeNode(path) {
    const node = this.trace?.nodes.get(path ?? this.treeView.selected);
    this.detail.textContent = node && this.trace ? this.trace.describeNode(node, this.controls.at, path !== null) : "";
  }

  renderBreadcrumb() {
    const root = this.treeView.root;
    const paths = Array.from({ length: root.length + 1 }, (_, length) => root.slice(0, length));
    const within = this.breadcrumb.contains(document.activeElement);
    this.breadcrumb.hidden = (this.trace?.tree.depth ?? 0) <= 2;
    this.breadcrumb.replaceChildren(...paths.map((path) =>
      button(path.at(-1) ?? t("Root"), () => this.openNode(path), {
        "aria-label": path ? t("After {path}", { path: [...path].join(" ") }) : t("The root"), "aria-current": path === root ? "true" : null,
      })));
    if (within) this.breadcrumb.querySelectorAll("button").item(root.length).focus();
  }
}
