// Import and export of positions: links, files, copy and paste, drag and drop.

import { fetchPosition, HttpError, parsePosition, parsePositionQuery, positionQuery, withErrorHandling } from "./api.js";
import { button, byId, element, toSentence } from "./elements.js";
import { t } from "./translations.js";

/** @import { PositionState } from "./position_state.js" */
/** @import { GameName, Position } from "./types.js" */

const MAX_FILE_SIZE = 64_000; // bytes; a position file has 57
const TEXT_FIELDS = "input:not([type=radio], [type=checkbox]), textarea";

export class ImportExport {
  /**
   * @param {PositionState} positionState
   * @param {() => void} onImport called before a pasted or dragged position is shown
   * @param {(message: string) => void} showError shows an error about a pasted or dragged position
   */
  constructor(positionState, onImport, showError) {
    this.positionState = positionState;
    this.movesText = element("p", { class: "moves" });
    this.fileInput = element("input", { type: "file", hidden: true, "aria-label": t("Position file"), onchange: () => this.loadChosen() });
    this.fileButtons = [
      button(t("Load"), () => this.fileInput.click(), { title: t("Load a position file") }),
      button(t("Save"), () => this.saveFile(), { title: t("Save as a position file") }),
    ];
    this.linkField = element("input", { type: "text", readonly: true, hidden: true, "aria-label": t("Link to the position") });
    this.textField = element("textarea", { id: "position-text", rows: 1, spellcheck: "false", autocomplete: "off", placeholder: "4453",
      onkeydown: (event) => this.handleKey(event) });
    this.note = element("p", { role: "status" });
    this.element = element("form", { class: "setting", onsubmit: (event) => { event.preventDefault(); this.showText(); } },
      element("label", { for: "position-text" }, t("Enter moves, a position file or a link")),
      element("div", { class: "field" }, this.textField, element("button", {}, t("Show"))),
      element("p", { class: "hint mouse-only" }, t("You can also paste anywhere on the page or drag a file onto the board.")),
      this.note, this.linkField, this.fileInput);
    this.copyButton = button(t("Copy link"), () => this.copyLink(), { title: t("Copy a link to this position") });
    onPasteOrDrop((name, text) => {
      onImport();
      this.withErrorHandling(async () => this.show(await text()), (message) => showError(errorAbout(name, message)));
    });
  }

  render() {
    const { position, moves } = this.positionState;
    this.movesText.replaceChildren(element("b", {}, moves), position.moves.slice(moves.length));
    this.linkField.hidden = true;
    this.showNote("");
  }

  /** @param {string} text */
  async show(text) {
    this.positionState.show(await positionFromText(text, this.positionState.position.game));
  }

  async loadChosen() {
    const file = this.fileInput.files?.[0];
    if (!file) return;
    await this.withErrorHandling(async () => this.show(await readFile(file)), (message) => this.showNote(errorAbout(file.name, message), "error"));
    this.fileInput.value = ""; // allows choosing the same file again
  }

  /** Enter shows the position; Shift+Enter adds a line. @param {KeyboardEvent} event */
  handleKey(event) {
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    this.showText();
  }

  async showText() {
    await this.withErrorHandling(async () => {
      await this.show(this.textField.value);
      this.textField.value = "";
    });
  }

  saveFile() {
    return this.withErrorHandling(async () => downloadFile("position.txt", (await fetchPosition(this.positionState.spec)).text));
  }

  async copyLink() {
    const link = positionLink(this.positionState.spec);
    try {
      await navigator.clipboard.writeText(link);
      this.showNote(t("Link copied."));
    } catch { // no permission, or not a secure context
      this.linkField.value = link;
      this.linkField.hidden = false;
      this.linkField.select();
      this.showNote(t("Your browser does not allow copying. Copy this link yourself:"));
    }
  }

  /** @param {string} message @param {"hint" | "error"} [kind] */
  showNote(message, kind = "hint") {
    this.note.className = kind;
    this.note.textContent = toSentence(message);
  }

  /** Run an action and show its errors. @param {() => unknown} action @param {(message: string) => void} [showError] */
  async withErrorHandling(action, showError = (message) => this.showNote(message, "error")) {
    this.showNote("");
    await withErrorHandling(action, showError);
  }
}

/** The link to a position. @param {{ game: GameName, start: string | null, moves: string }} spec */
export function positionLink(spec) {
  return `${location.origin}/analyse?${positionQuery(spec)}`;
}

/** Offer a text as a download. @param {string} name @param {string} text */
function downloadFile(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  element("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/**
 * Read a position from a text: a position file, a move string or a link.
 * @param {string} text
 * @param {GameName} game the game, unless the text is a link
 * @param {(text: string, game: GameName) => Promise<Position>} [readText] reads a text that is not a link
 * @returns {Promise<Position>}
 */
export function positionFromText(text, game, readText = parsePosition) {
  const link = /^\s*https?:\/\/\S+\?(\S+)\s*$/.exec(text);
  if (!link) return readText(text, game);
  return fetchPosition(parsePositionQuery(link[1]));
}

/** An error message with the name of the import; the server calls it `the position`. @param {string} name @param {string} message */
function errorAbout(name, message) {
  return message.startsWith("the position") ? message.replace("the position", name) : `${name}: ${message}`;
}

/** @param {File} file */
async function readFile(file) {
  if (file.size > MAX_FILE_SIZE) throw new HttpError(413, { error: t("the file is too large for a position file") });
  try {
    return await file.text();
  } catch {
    throw new HttpError(400, { error: t("the file cannot be read") }); // it may be a folder
  }
}

/**
 * Handle texts and files that are pasted outside text fields or dragged onto the page.
 * @param {(name: string, text: () => Promise<string>) => void} onText
 */
function onPasteOrDrop(onText) {
  /** @param {string} name @param {DataTransfer | null} data */
  const take = (name, data) => {
    const file = data?.files[0], text = data?.getData("text/plain");
    if (file) onText(file.name, () => readFile(file));
    else if (text) onText(name, async () => text);
  };
  /** @param {Event} event */
  const elsewhere = ({ target }) => (target instanceof Element && target.closest(TEXT_FIELDS)) || document.querySelector("dialog[open]");
  document.addEventListener("paste", (event) => {
    if (elsewhere(event)) return;
    event.preventDefault();
    take(t("Pasted text"), event.clipboardData);
  });
  const board = byId("board");
  /** @param {DragEvent} event */
  const over = (event) => {
    if (elsewhere(event)) return;
    event.preventDefault(); // by default the browser leaves the page to show the file
    board.classList.toggle("drop-target", event.type === "dragover");
  };
  document.addEventListener("dragover", over);
  document.addEventListener("dragleave", over);
  document.addEventListener("drop", (event) => {
    over(event);
    if (event.defaultPrevented) take(t("Dropped text"), event.dataTransfer);
  });
}
