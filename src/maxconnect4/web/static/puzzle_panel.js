// The Puzzles panel: positions in which only one column is best. A daily one, an endless streak, and the user's own mistakes.

import { fetchPosition, positionQuery, request, withErrorHandling } from "./api.js";
import { gameTitle, reasonText } from "./descriptions.js";
import { button, element } from "./elements.js";
import { loadSetting, saveSetting } from "./settings.js";
import { t, tn } from "./translations.js";

/** @import { App, Panel } from "./app.js" */
/** @import { GameName, Position, PuzzleInfo, Puzzles, Reason, Review } from "./types.js" */

/** @typedef {"daily" | "streak" | "mistakes"} Mode */
/** A puzzle that is shown: its game, its place in the list of the game, and for a mistake the position where its game began. @typedef {Omit<PuzzleInfo, "tempting" | "depth" | "grade"> & Partial<PuzzleInfo> & { game: GameName, index?: number, start?: string | null }} Puzzle */

const STORED_MISTAKES = 60;
const GRADE_STARTS = [0, 3, 8]; // the length of a streak at which puzzles of grade 1, 2 and 3 begin

/** @implements {Panel} */
export class PuzzlePanel {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** @type {Mode} */
    this.mode = "daily";
    /** @type {GameName} */
    this.game = "max";
    /** @type {Puzzle | null} */
    this.puzzle = null;
    /** @type {Position | null} */
    this.position = null;
    /** The column that the user has chosen. @type {number | null} */
    this.answer = null;
    /** Fulfilled when the reason of the answer is known. @type {Promise<unknown>} */
    this.explained = Promise.resolve();
    /** Why the answer is wrong. @type {Reason | null} */
    this.wrong = null;
    this.revision = 0; // counts puzzles and answers, so that late responses are ignored
    /** @type {Map<GameName, Promise<Puzzles>>} */
    this.lists = new Map();
    const modes = /** @type {[Mode, string][]} */ ([["daily", t("Daily puzzle")], ["streak", t("Streak")], ["mistakes", t("My mistakes")]]);
    this.modeInputs = modes.map(([mode]) => element("input", { type: "radio", name: "puzzles", value: mode, onchange: () => this.choose(mode, this.game) }));
    this.gameInputs = app.capabilities.games.map((game) => element("input", { type: "radio", name: "puzzle-game", value: game, onchange: () => this.choose(this.mode, game) }));
    this.title = element("h2", { tabindex: -1 });
    this.task = element("p", { class: "task" });
    this.verdict = element("p", { class: "verdict", role: "status" });
    this.nextButton = button(t("Next puzzle"), () => this.next(), { class: "primary", title: t("Next puzzle (n)") });
    this.againButton = button(t("Try again"), () => this.show());
    this.solutionButton = button(t("Show the solution"), () => this.showSolution());
    this.analyseButton = button(t("Analyse"), () => this.app.selectPanel("analyse"));
    this.progress = element("p", { class: "hint" });
    this.element = element("section", { class: "puzzles" },
      this.title, this.task, this.verdict,
      element("div", { class: "controls" }, this.nextButton, this.againButton, this.solutionButton, this.analyseButton),
      this.progress,
      element("fieldset", {}, element("legend", {}, t("Puzzles")), ...modes.map(([, label], index) => element("label", { class: "choice" }, this.modeInputs[index] ?? "", label))),
      element("fieldset", {}, element("legend", {}, t("Game")), ...this.gameInputs.map((input) => element("label", { class: "choice" }, input, gameTitle(/** @type {GameName} */ (input.value))))));
  }

  // Panel

  activate() {
    if (this.puzzle || this.position) this.show(this.answer !== null);
    else this.load();
  }

  deactivate() {
    this.app.boardView.showReason(null);
  }

  canMove() {
    return this.puzzle !== null && this.position !== null && this.answer === null;
  }

  address() {
    const { index } = this.puzzle ?? {};
    return this.mode === "streak" && index !== undefined ? `/puzzles/${this.game}-${index + 1}` : `/puzzles/${this.mode}?game=${this.game}`;
  }

  /** @param {string} item such as `daily`, or `max-17` for a puzzle @param {URLSearchParams} query */
  async openAddress(item, query) {
    const [game, number] = item.split("-"), numbered = number !== undefined;
    const wanted = numbered ? game : query.get("game");
    this.game = wanted === "classic" ? "classic" : "max";
    this.mode = numbered ? "streak" : item === "streak" || item === "mistakes" ? item : "daily";
    this.puzzle = this.position = null;
    if (this.app.currentPanel === "puzzles") await this.load(numbered ? Number(number) - 1 : undefined);
    else {
      this.position = this.app.positionState.position; // so that `activate` does not load another puzzle
      this.app.selectPanel("puzzles");
      await this.load(numbered ? Number(number) - 1 : undefined);
    }
  }

  /** @param {string} key */
  handleKey(key) {
    if (key !== "n" || this.nextButton.hidden) return false;
    this.next();
    return true;
  }

  /** @param {number} column */
  drop(column) {
    const { puzzle, position } = this;
    if (!puzzle || !position || this.answer !== null) return;
    this.answer = column;
    const right = column === puzzle.column, revision = ++this.revision;
    this.record(right);
    this.render();
    this.setVerdict(right ? t("Right!") : t("Not the best move."));
    this.verdict.classList.toggle("right", right);
    this.explained = this.withErrorHandling(async () => {
      await this.app.positionState.tryMove(column);
      /** @type {{ reasons: (Reason | null)[] }} */
      const { reasons } = await request(`/analysis/reasons?${positionQuery(position)}`);
      if (revision !== this.revision) return;
      const reason = reasons[column - 1] ?? null, tempting = (right && puzzle.tempting && reasons[puzzle.tempting - 1]) || null;
      if (right) this.showReasons(t("Right!"), [reason, tempting]);
      else {
        this.wrong = reason;
        if (reason?.line[0] === column) this.showReasons(t("Not the best move."), [reason]); // otherwise it names the solution
      }
    });
  }

  /** Show reasons in the verdict, and the first of them on the board. @param {string} verdict @param {(Reason | null)[]} reasons */
  showReasons(verdict, reasons) {
    const shown = reasons.filter((reason) => reason !== null).filter(({ four }) => four.length);
    this.app.boardView.showReason(shown[0] ?? null, shown[0]?.column === this.answer);
    this.setVerdict(verdict, shown.map(reasonText).join(" "));
  }

  /** @param {string} verdict @param {string} [explanation] */
  setVerdict(verdict, explanation = "") {
    this.verdict.replaceChildren(element("b", {}, verdict), " ", explanation);
  }

  // Puzzles

  /** @param {Mode} mode @param {GameName} game */
  choose(mode, game) {
    this.app.router.navigate(() => {
      this.mode = mode;
      this.game = game;
    });
    return this.load();
  }

  /** Load another puzzle; after the daily one, those of the streak. */
  next() {
    return this.mode === "daily" ? this.choose("streak", this.game) : this.load();
  }

  /** Load a puzzle of this mode. @param {number} [index] in the list of the game */
  async load(index) {
    const revision = ++this.revision;
    this.puzzle = this.position = this.answer = null;
    const puzzle = this.mode === "mistakes" ? this.storedMistake() : await this.withErrorHandling(() => this.pick(index));
    if (revision !== this.revision) return;
    const position = puzzle && (await this.withErrorHandling(() => fetchPosition({ game: puzzle.game, start: puzzle.start ?? null, moves: puzzle.moves })));
    if (revision !== this.revision) return;
    this.puzzle = puzzle ?? null;
    this.position = position ?? null;
    this.show();
  }

  /** @param {number} [index] @returns {Promise<Puzzle | undefined>} */
  async pick(index) {
    const { game } = this, list = await this.list(game);
    const at = list.puzzles[index ?? -1] ? Number(index) : this.mode === "daily" ? list.daily : this.randomIndex(list.puzzles), puzzle = list.puzzles[at];
    return puzzle && { ...puzzle, game, index: at };
  }

  /** @param {GameName} game */
  list(game) {
    const list = this.lists.get(game) ?? request(`/puzzles?game=${game}&date=${today()}`);
    list.catch(() => this.lists.delete(game));
    this.lists.set(game, list);
    return list;
  }

  /** A puzzle that has not been solved, of the grade that the streak has reached. @param {PuzzleInfo[]} puzzles */
  randomIndex(puzzles) {
    const grade = GRADE_STARTS.findLastIndex((start) => start <= this.streak) + 1, solved = this.solved;
    const all = puzzles.map((_, index) => index);
    const fitting = all.filter((index) => puzzles[index]?.grade === grade), fresh = fitting.filter((index) => !solved.has(index));
    const chosen = fresh.length ? fresh : fitting.length ? fitting : all;
    return chosen[Math.floor(Math.random() * chosen.length)] ?? 0;
  }

  storedMistake() {
    const all = loadMistakes().filter(({ game }) => game === this.game);
    return all[Math.floor(Math.random() * all.length)] ?? null;
  }

  // Progress

  /** The puzzles of the game that the user has solved. */
  get solved() {
    return new Set(loadSetting(`puzzles-solved-${this.game}`, "").split(",").filter(Boolean).map(Number));
  }

  get streak() {
    return Number(loadSetting(`puzzles-streak-${this.game}`, "0"));
  }

  get bestStreak() {
    return Number(loadSetting(`puzzles-best-streak-${this.game}`, "0"));
  }

  /** Store an answer. @param {boolean} right */
  record(right) {
    const { puzzle, mode, game } = this;
    if (mode === "mistakes" && right && puzzle) saveMistakes(loadMistakes().filter((each) => mistakeKey(each) !== mistakeKey(puzzle)));
    if (right && puzzle?.index !== undefined) saveSetting(`puzzles-solved-${game}`, [...this.solved.add(puzzle.index)].join(","));
    if (mode !== "streak") return;
    saveSetting(`puzzles-streak-${game}`, `${right ? this.streak + 1 : 0}`);
    saveSetting(`puzzles-best-streak-${game}`, `${Math.max(this.bestStreak, this.streak)}`);
  }

  // Rendering

  /** Show the position of the puzzle. @param {boolean} [answered] whether to show the answer that has been given */
  show(answered = false) {
    const { position } = this;
    if (!answered) {
      this.answer = null;
      this.wrong = null;
      this.revision++;
      this.verdict.textContent = "";
    }
    if (this.app.currentPanel !== "puzzles") return;
    if (position) this.app.positionState.show(position);
    this.app.boardView.showReason(null);
    this.render();
    this.app.showStatus(this.puzzle ? this.taskText(this.puzzle) : "");
    this.app.router.update();
  }

  async showSolution() {
    const { puzzle, position, revision } = this;
    await this.explained;
    if (!puzzle || !position || revision !== this.revision) return;
    this.app.positionState.show(position);
    this.app.boardView.showHint(puzzle.column);
    if (this.wrong?.line[0] === puzzle.column) this.app.boardView.showReason(this.wrong);
    this.setVerdict(t("The best move is column {column}.", { column: puzzle.column }), this.wrong ? reasonText(this.wrong) : "");
  }

  render() {
    const { puzzle, answer, mode, game } = this, wrong = puzzle !== null && answer !== null && answer !== puzzle.column;
    for (const input of this.modeInputs) input.checked = input.value === mode;
    for (const input of this.gameInputs) input.checked = input.value === game;
    this.title.textContent = puzzle ? titleOf(puzzle, mode) : t("No puzzles");
    this.task.textContent = puzzle ? this.taskText(puzzle) : t("Review your games: mistakes with one better move become puzzles here.");
    this.nextButton.hidden = !puzzle || answer === null;
    this.nextButton.textContent = mode === "daily" ? t("More puzzles") : t("Next puzzle");
    this.againButton.hidden = this.solutionButton.hidden = !wrong;
    this.analyseButton.hidden = answer === null;
    const solved = tn(this.solved.size, "{count} puzzle solved", "{count} puzzles solved");
    const streak = t("streak {streak}, best {best}", { streak: this.streak, best: this.bestStreak });
    const mistakes = loadMistakes().filter((each) => each.game === game).length;
    this.progress.textContent = mode === "mistakes" ? tn(mistakes, "{count} mistake left", "{count} mistakes left") : mode === "streak" ? `${solved}, ${streak}` : solved;
    this.app.render();
  }

  /** @param {Puzzle} puzzle */
  taskText({ value, goal, column }) {
    const player = this.position?.to_move ?? 1, values = { points: Math.abs(value), column };
    if (goal === "win") return player === 1 ? t("Red to move: find the only move that wins.") : t("Green to move: find the only move that wins.");
    if (goal === "draw") return player === 1 ? t("Red to move: find the only move that keeps the draw.") : t("Green to move: find the only move that keeps the draw.");
    if (value > 0) return player === 1 ? t("Red to move: find the only move that wins by {points}.", values) : t("Green to move: find the only move that wins by {points}.", values);
    return player === 1 ? t("Red to move: find the only move that loses by only {points}.", values) : t("Green to move: find the only move that loses by only {points}.", values);
  }

  /**
   * @template T
   * @param {() => Promise<T>} action
   */
  withErrorHandling(action) {
    return withErrorHandling(action, (message) => this.app.showStatus(message, "error"));
  }
}

/** The date of the user, such as 2026-11-20. */
function today() {
  const now = new Date();
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => `${part}`.padStart(2, "0")).join("-");
}

/** @param {Puzzle} puzzle @param {Mode} mode */
function titleOf({ index = 0, grade = 1 }, mode) {
  if (mode === "mistakes") return t("A mistake of yours");
  const stars = "★".repeat(grade) + "☆".repeat(3 - grade);
  return mode === "daily" ? t("Puzzle of the day {stars}", { stars }) : t("Puzzle {number} {stars}", { number: index + 1, stars });
}

/** @param {Puzzle} puzzle */
function mistakeKey({ game, start, moves }) {
  return `${game} ${start ?? ""} ${moves}`;
}

/** @returns {Puzzle[]} */
function loadMistakes() {
  try {
    return JSON.parse(loadSetting("puzzles-mistakes", "[]"));
  } catch {
    return []; // damaged
  }
}

/** @param {Puzzle[]} puzzles */
function saveMistakes(puzzles) {
  saveSetting("puzzles-mistakes", JSON.stringify(puzzles.slice(-STORED_MISTAKES)));
}

/**
 * Store the mistakes of people in a reviewed game as puzzles, if only one move was better.
 * @param {Position} position
 * @param {Review} review
 * @param {[string, string]} players
 */
export function storeMistakes({ game, start, moves }, review, players) {
  const known = loadMistakes(), keys = new Set(known.map(mistakeKey));
  const found = review.review.flatMap((move, index) => {
    const [column] = move.best, view = move.player === 1 ? 1 : -1;
    if (!move.mistake || move.best.length > 1 || !column || players[move.player - 1] !== "person") return [];
    const value = view * move.before, second = view * move.after, same = Math.sign(value) === Math.sign(second);
    /** @type {Puzzle} */
    const puzzle = { game, start, moves: moves.slice(0, index), column, value, second, tempting: move.column, goal: same ? "points" : value > 0 ? "win" : "draw" };
    return keys.has(mistakeKey(puzzle)) ? [] : [puzzle];
  });
  if (found.length) saveMistakes([...known, ...found]);
}
