// Positions that come from elsewhere and go elsewhere: links, files, and what is copied and pasted.

import { carefully, describe, named, naming, read, Refused } from "./api.js";
import { button, byId, element, sentence } from "./elements.js";

/** @import { GameName, Position } from "./types.js" */
/** @import { Showing } from "./showing.js" */

const LARGEST = 64_000; // bytes; a position file has 57
const FIELDS = "input:not([type=radio], [type=checkbox]), textarea";

/** The moves that are shown, and the ways in and out. */
export class Sharing {
  /**
   * @param {Showing} showing
   * @param {() => void} ready is called before something from outside the panel is shown in it
   * @param {(words: string) => void} complain of something from outside the panel
   */
  constructor(showing, ready, complain) {
    this.showing = showing;
    this.moves = element("p", { class: "moves" });
    this.file = element("input", { type: "file", hidden: true, "aria-label": "A position file", onchange: () => this.loadChosen() });
    this.buttons = [
      button("Load", () => this.file.click(), { title: "A position file" }),
      button("Save", () => this.save(), { title: "As the assignment's position file" }),
    ];
    this.link = element("input", { type: "text", readonly: true, hidden: true, "aria-label": "Link to the position" });
    this.text = element("textarea", { id: "position-text", rows: 1, spellcheck: "false", autocomplete: "off", placeholder: "4453",
      onkeydown: (event) => this.typed(event) });
    this.note = element("p", { role: "status" });
    this.element = element("form", { class: "setting", onsubmit: (event) => { event.preventDefault(); this.showText(); } },
      element("label", { for: "position-text" }, "Moves, a position file or a link"),
      element("div", { class: "field" }, this.text, element("button", {}, "Show")),
      element("p", { class: "hint with-mouse" }, "Ctrl-V works all over the page, and files can be dragged onto the board."),
      this.note, this.link, this.file);
    this.copy = button("Copy link", () => this.copyLink(), { title: "Copy a link that shows this position" });
    receive((name, text) => {
      ready();
      this.carefully(async () => this.show(await text()), (words) => complain(about(name, words)));
    });
  }

  /** Another position is shown. */
  draw() {
    const { position, moves } = this.showing;
    this.moves.replaceChildren(element("b", {}, moves), position.moves.slice(moves.length));
    this.link.hidden = true;
    this.tell("");
  }

  /** @param {string} text */
  async show(text) {
    this.showing.show(await positionIn(text, this.showing.position.game));
  }

  async loadChosen() {
    const file = this.file.files?.[0];
    if (!file) return;
    await this.carefully(async () => this.show(await textOf(file)), (words) => this.tell(about(file.name, words), "problem"));
    this.file.value = ""; // so that the same file can be chosen again
  }

  /** Enter shows what is typed; a new line takes Shift, as only few type a position file. @param {KeyboardEvent} event */
  typed(event) {
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    this.showText();
  }

  async showText() {
    await this.carefully(async () => {
      await this.show(this.text.value);
      this.text.value = "";
    });
  }

  save() {
    return this.carefully(async () => saveFile("position.txt", (await describe(this.showing.named)).text));
  }

  async copyLink() {
    const link = linkTo(this.showing.named);
    try {
      await navigator.clipboard.writeText(link);
      this.tell("The link is copied.");
    } catch { // no permission, or an address that the browser does not trust
      this.link.value = link;
      this.link.hidden = false;
      this.link.select();
      this.tell("The browser does not let the page copy. Here is the link:");
    }
  }

  /** @param {string} words @param {"hint" | "problem"} [kind] */
  tell(words, kind = "hint") {
    this.note.className = kind;
    this.note.textContent = sentence(words);
  }

  /**
   * Do something that the server may refuse, and say so then.
   * @param {() => unknown} what
   * @param {(words: string) => void} [complain]
   */
  async carefully(what, complain = (words) => this.tell(words, "problem")) {
    this.tell("");
    await carefully(what, complain);
  }
}

/** The address of the page that shows a position. @param {{ game: GameName, start: string | null, moves: string }} named */
export function linkTo(named) {
  return `${location.origin}/?${naming(named)}`;
}

/** Save a file where the browser puts those. @param {string} name @param {string} text */
export function saveFile(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  element("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/**
 * The position that a text holds: a position file, a move string, or a link to a position.
 * @param {string} text
 * @param {GameName} game what it is a position of, unless it says so itself
 * @param {(text: string, game: GameName) => Promise<Position>} [otherwise] how to read what is no link
 * @returns {Promise<Position>}
 */
export function positionIn(text, game, otherwise = read) {
  const link = /^\s*https?:\/\/\S+\?(\S+)\s*$/.exec(text);
  if (!link) return otherwise(text, game);
  return describe(named(link[1]));
}

/**
 * What is wrong, with the name of what it is wrong with: the server calls it `the position`.
 * @param {string} name
 * @param {string} words
 */
function about(name, words) {
  return words.startsWith("the position") ? words.replace("the position", name) : `${name}: ${words}`;
}

/** @param {File} file */
async function textOf(file) {
  if (file.size > LARGEST) throw new Refused(413, { error: "it is too large for a position file" });
  try {
    return await file.text();
  } catch {
    throw new Refused(400, { error: "it cannot be read" }); // a folder, perhaps
  }
}

/**
 * Take what is pasted anywhere but into a field, and what is dragged onto the page.
 * @param {(name: string, text: () => Promise<string>) => void} taken
 */
function receive(taken) {
  /** @param {string} name @param {DataTransfer | null} data */
  const take = (name, data) => {
    const file = data?.files[0], text = data?.getData("text/plain");
    if (file) taken(file.name, () => textOf(file));
    else if (text) taken(name, async () => text);
  };
  /** @param {Event} event */
  const elsewhere = ({ target }) => (target instanceof Element && target.closest(FIELDS)) || document.querySelector("dialog[open]");
  document.addEventListener("paste", (event) => {
    if (elsewhere(event)) return;
    event.preventDefault();
    take("What was pasted", event.clipboardData);
  });
  const board = byId("board");
  /** @param {DragEvent} event */
  const over = (event) => {
    if (elsewhere(event)) return;
    event.preventDefault(); // or the browser would leave the page to show the file
    board.classList.toggle("awaiting", event.type === "dragover");
  };
  document.addEventListener("dragover", over);
  document.addEventListener("dragleave", over);
  document.addEventListener("drop", (event) => {
    over(event);
    if (event.defaultPrevented) take("What was dropped", event.dataTransfer);
  });
}
