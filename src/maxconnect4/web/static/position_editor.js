// The position editor: adds pieces to columns, or removes the top one.

import { fetchPosition, HttpError, ServerUnreachable } from "./api.js";
import { HEIGHT, pieceIcon, WIDTH } from "./board_drawing.js";
import { button, element, setEnabled, toSentence } from "./elements.js";
import { PLAYER_NAMES } from "./players.js";
import { boardStateAt } from "./position_state.js";
import { t } from "./translations.js";

/** @import { App } from "./app.js" */
/** @import { BoardState } from "./position_state.js" */
/** @import { GameName, Player, Position } from "./types.js" */

const ERASER = 0;
const TOOLS = /** @type {[string, 0 | Player, string][]} */ ([[t("Red"), 1, "r"], [t("Green"), 2, "g"], [t("Eraser"), ERASER, "e"]]);

export class PositionEditor {
  /** @param {App} app @param {(position: Position | null) => void} onClose called with the new position, or null if the user cancels */
  constructor(app, onClose) {
    this.app = app;
    this.onClose = onClose;
    /** The pieces of each column, from the bottom. @type {string[]} */
    this.stacks = [];
    /** @type {GameName} */
    this.game = "max";
    /** @type {0 | Player} */
    this.tool = 1;
    /** The position; null while the pieces do not form a valid one. @type {Position | null} */
    this.position = null;
    /** The player to move, the result or the error. */
    this.result = "";
    this.revision = 0;
    this.toolInputs = TOOLS.map(([, tool]) => element("input", { type: "radio", name: "tool", value: tool, onchange: () => this.selectTool(tool) }));
    this.status = element("p", { role: "status" });
    this.doneButton = button(t("Done"), () => this.position && this.onClose(this.position), { class: "primary" });
    this.element = element("form", { class: "analysis", onsubmit: (event) => event.preventDefault() },
      element("h2", {}, t("Set up a position")),
      element("fieldset", { class: "tools" }, element("legend", {}, t("Tool")), ...TOOLS.map(([name, tool], index) =>
        element("label", { class: "choice" }, this.toolInputs[index] ?? "", tool ? pieceIcon(tool) : "", name))),
      element("p", { class: "hint" }, t("Click a column or press its number. Press r for red, g for green, or e for the eraser.")),
      this.status,
      element("div", { class: "controls" }, this.doneButton, button(t("Clear"), () => this.clear(), { title: t("Clear the board") }),
        button(t("Cancel"), () => this.onClose(null), { title: t("Discard your changes (Esc)") })));
  }

  /** Start from the position on the board. @param {string[]} cells @param {GameName} game */
  open(cells, game) {
    this.game = game;
    this.stacks = Array.from({ length: WIDTH }, (_, column) => [...cells].reverse().map((row) => row[column]).join("").replaceAll("0", ""));
    this.position = null;
    this.toolInputs[0]?.focus();
    this.selectTool(1);
    return this.validate();
  }

  clear() {
    this.stacks = this.stacks.map(() => "");
    return this.validate(t("The board is empty."));
  }

  /** Add a piece on top of a column, or remove the top one. @param {number} column */
  edit(column) {
    const stack = this.stacks[column - 1] ?? "", erasing = this.tool === ERASER;
    if (stack.length === (erasing ? 0 : HEIGHT)) return this.showStatus(`${erasing ? t("Column {column} is empty.", { column }) : t("Column {column} is full.", { column })} ${this.result}`);
    this.stacks[column - 1] = erasing ? stack.slice(0, -1) : `${stack}${this.tool}`;
    const piece = PLAYER_NAMES[Number(erasing ? stack.at(-1) : this.tool) - 1] ?? "";
    return this.validate(erasing ? t("{piece} removed from column {column}, row {row}.", { piece, column, row: stack.length })
      : t("{piece} in column {column}, row {row}.", { piece, column, row: stack.length + 1 }));
  }

  /** @param {string} key */
  handleKey(key) {
    const tool = TOOLS.find(([, , letter]) => letter === key);
    if (tool) this.selectTool(tool[1]);
    else if (key === "Escape") this.onClose(null);
    else return false;
    return true;
  }

  /** @param {0 | Player} tool */
  selectTool(tool) {
    this.tool = tool;
    const focused = this.toolInputs.some((each) => each === document.activeElement);
    for (const each of this.toolInputs) each.checked = each.value === `${tool}`;
    if (focused) this.toolInputs.find((each) => each.checked)?.focus();
    this.app.render();
  }

  /** The rows of the board as digits, top row first. */
  get cells() {
    return Array.from({ length: HEIGHT }, (_, row) => this.stacks.map((stack) => stack[HEIGHT - 1 - row] ?? "0").join(""));
  }

  /** @returns {BoardState} */
  get boardState() {
    const columns = this.stacks.map((_, index) => index + 1).filter((column) => {
      const pieces = this.stacks[column - 1]?.length ?? 0;
      return this.tool === ERASER ? pieces > 0 : pieces < HEIGHT;
    });
    /** @type {Omit<BoardState, "columns" | "over" | "tool">} */
    const base = this.position ? boardStateAt(this.position, 0)
      : { cells: this.cells, toMove: 1, points: [0, 0], fours: [[], []], last: null, status: "" };
    return { ...base, columns, over: false, tool: this.tool };
  }

  /** Request the validation of the position and the player to move. @param {string} [change] description of the last change */
  async validate(change = "") {
    const revision = ++this.revision;
    this.position = null;
    setEnabled(this.doneButton, false);
    try {
      const position = await fetchPosition({ game: this.game, start: this.cells.join(""), moves: "" });
      if (revision !== this.revision) return;
      this.position = position;
      setEnabled(this.doneButton, true);
      this.result = position.status;
    } catch (error) {
      if (revision !== this.revision) return;
      this.result = toSentence(error instanceof HttpError || error instanceof ServerUnreachable ? error.message : t("The position could not be validated."));
    }
    this.showStatus(`${change} ${this.result}`);
    this.app.render();
  }

  /** @param {string} message */
  showStatus(message) {
    this.status.textContent = message.trim();
  }
}
