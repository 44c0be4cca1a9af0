// The embeddable view: one game on a board, with buttons to step through it. It computes the positions itself, so that other sites
// may show it in a frame without access to the server's API.

import { BoardDrawing, pieceIcon } from "./board_drawing.js";
import { describePosition, playerName } from "./descriptions.js";
import { button, byId, element, setEnabled } from "./elements.js";
import { positionsOf } from "./rules.js";
import { t, tn } from "./translations.js";

/** @import { Player, Position } from "./types.js" */

const STEP_INTERVAL = 1200; // milliseconds between the moves of a game that plays by itself

class EmbeddedGame {
  /** @param {Position[]} positions @param {number} at the ply that is shown first */
  constructor(positions, at) {
    this.positions = positions;
    this.at = Math.max(0, Math.min(at, positions.length - 1));
    this.timer = 0;
    this.drawing = new BoardDrawing();
    this.drawing.showHeadroom(false);
    this.points = element("div", { class: "embedded-points" });
    this.status = element("p", { role: "status" });
    const last = positions.length - 1;
    this.backButtons = [button("«", () => this.step(0), { "aria-label": t("First") }), button("‹", () => this.step(this.at - 1), { "aria-label": t("Back") })];
    this.playButton = button("", () => this.togglePlaying(), { class: "primary" });
    this.forwardButtons = [button("›", () => this.step(this.at + 1), { "aria-label": t("Forward") }), button("»", () => this.step(last), { "aria-label": t("Last") })];
    const link = element("a", { href: `/analyse${location.search}`, target: "_blank", rel: "noopener" }, "Max-Connect4");
    byId("embedded").replaceChildren(element("h1", { class: "visually-hidden" }, "Max-Connect4"), this.points, this.drawing.svg,
      element("div", { class: "controls" }, ...this.backButtons, this.playButton, ...this.forwardButtons, link), this.status);
    addEventListener("keydown", (event) => this.handleKey(event));
    this.render();
  }

  /** Show another ply. @param {number} at */
  step(at) {
    this.pause();
    this.goTo(at);
  }

  /** @param {number} at */
  goTo(at) {
    if (at < 0 || at >= this.positions.length) return;
    const forward = at === this.at + 1;
    this.at = at;
    this.render(forward);
  }

  pause() {
    clearInterval(this.timer);
    this.timer = 0;
    this.render();
  }

  togglePlaying() {
    if (this.timer) return this.pause();
    this.goTo(this.at === this.positions.length - 1 ? 0 : this.at + 1);
    this.timer = setInterval(() => (this.at < this.positions.length - 1 ? this.goTo(this.at + 1) : this.pause()), STEP_INTERVAL);
    this.render();
  }

  /** @param {KeyboardEvent} event */
  handleKey(event) {
    const to = { ArrowLeft: this.at - 1, ArrowRight: this.at + 1, Home: 0, End: this.positions.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.step(to);
  }

  /** @param {boolean} [forward] whether to animate the last move */
  render(forward = false) {
    const position = /** @type {Position} */ (this.positions[this.at]), last = position.history.at(-1) ?? null;
    this.drawing.update({ cells: position.cells, fours: position.fours, last }, forward ? last : null);
    this.points.replaceChildren(...position.points.map((points, side) => {
      const player = /** @type {Player} */ (side + 1);
      return element("span", {}, pieceIcon(player), playerName(player), position.game === "max" ? element("b", { "aria-label": tn(points, "{count} point", "{count} points") }, `${points}`) : "");
    }));
    this.status.textContent = describePosition(position).description;
    this.playButton.textContent = this.timer ? t("Pause") : t("Play");
    for (const each of this.backButtons) setEnabled(each, this.at > 0);
    for (const each of this.forwardButtons) setEnabled(each, this.at < this.positions.length - 1);
  }
}

const query = new URLSearchParams(location.search), game = query.get("game") === "classic" ? "classic" : "max";
const positions = positionsOf(game, query.get("start"), query.get("moves") ?? "");
if (positions) new EmbeddedGame(positions, Number(query.get("at") ?? positions.length - 1));
else byId("embedded").replaceChildren(element("p", { class: "error", role: "alert" }, t("The link does not contain a valid position.")));
