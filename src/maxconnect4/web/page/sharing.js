// Positions that come from elsewhere and go elsewhere: links, files, and what is copied and pasted.

import { describe, naming, read, Refused } from "./api.js";
import { byId, element } from "./elements.js";

/** @import { GameName, Position } from "./types.js" */

const LARGEST = 64_000; // bytes; a position file has 57

/** The address of the page that shows a position. @param {{ game: GameName, start: string | null, moves: string }} named */
export function linkTo(named) {
  return `${location.origin}/?${naming(named)}`;
}

/** Put words on the clipboard. False if the browser does not let us. @param {string} words */
export async function copy(words) {
  try {
    await navigator.clipboard.writeText(words);
    return true;
  } catch {
    return false; // no permission, or an address that the browser does not trust
  }
}

/** Save a file where the browser puts those. @param {string} name @param {string} text */
export function save(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  element("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/**
 * The position that a text holds: a position file, a move string, or a link to a position.
 * @param {string} text
 * @param {GameName} game what it is a position of, unless it says so itself
 * @returns {Promise<Position>}
 */
export function positionIn(text, game) {
  const link = /^\s*https?:\/\/\S+\?(\S+)\s*$/.exec(text);
  if (!link) return read(text, game);
  const words = new URLSearchParams(link[1]);
  return describe({ game: /** @type {GameName} */ (words.get("game") ?? "max"), start: words.get("start"), moves: words.get("moves") ?? "" });
}

/** The text of a file. @param {File} file */
export async function textOf(file) {
  if (file.size > LARGEST) throw new Refused(413, { error: "it is too large for a position file" });
  try {
    return await file.text();
  } catch {
    throw new Refused(400, { error: "it cannot be read" }); // a folder, perhaps
  }
}

/**
 * Take what is pasted anywhere but into a field, and files that are dragged onto the page.
 * @param {(text: string) => void} onText
 * @param {(file: File) => void} onFile
 */
export function receive(onText, onFile) {
  /** @param {DataTransfer | null} data */
  const take = (data) => {
    const file = data?.files[0], text = data?.getData("text/plain");
    if (file) onFile(file);
    else if (text) onText(text);
  };
  document.addEventListener("paste", (event) => {
    const target = /** @type {Element | null} */ (event.target instanceof Element ? event.target : null);
    if (target?.closest("input:not([type=radio], [type=checkbox]), textarea") || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    take(event.clipboardData);
  });
  const board = byId("board");
  /** @param {boolean} over */
  const dragged = (over) => (/** @type {DragEvent} */ event) => {
    if (event.target instanceof Element && event.target.closest("textarea, input")) return;
    event.preventDefault(); // or the browser would leave the page to show the file
    board.classList.toggle("awaiting", over);
  };
  document.addEventListener("dragover", dragged(true));
  document.addEventListener("dragleave", dragged(false));
  document.addEventListener("drop", (event) => {
    dragged(false)(event);
    if (event.defaultPrevented) take(event.dataTransfer);
  });
}
