// The scoreboard: the players, their points, and the player to move.

import { pieceIcon, reducedMotion } from "./board_drawing.js";
import { colourName } from "./descriptions.js";
import { byId, element } from "./elements.js";
import { PLAYER_NAMES } from "./players.js";
import { t, tn } from "./translations.js";

/** @import { GameName, Player } from "./types.js" */
/** @import { BoardState } from "./position_state.js" */

export class Scoreboard {
  constructor() {
    this.cards = [0, 1].map((side) => {
      const count = element("b"), text = element("span", { class: "player-name" });
      const card = element("div", { role: "img" }, pieceIcon(/** @type {Player} */ (side + 1)), text, count);
      return { card, text, count };
    });
    byId("points").replaceChildren(...this.cards.map(({ card }) => card));
  }

  /**
   * Show the players.
   * @param {BoardState} state
   * @param {[string, string]} names
   * @param {[number, number]} points that are shown, which an animation may still count
   * @param {GameName} game
   * @param {Player | null} winner
   */
  update(state, names, points, game, winner) {
    this.cards.forEach(({ card, text, count }, side) => {
      const player = side + 1, toMove = !state.over && state.toMove === player, won = state.over && winner === player;
      const who = names[side] ?? "", colour = PLAYER_NAMES[side] ?? "", named = who !== colour, shown = points[side] ?? 0;
      const counted = game === "max"; // the classic game has no points
      const label = [colour, ...(named ? [who] : []), ...(counted ? [tn(shown, "{count} point", "{count} points")] : []), ...(toMove ? [t("to move")] : won ? [t("wins")] : [])];
      const suffix = toMove ? [element("span", { class: "waiting" }, t("to move")), element("span", { class: "computing" }, t("thinking …"))] : won ? [t("wins")] : [];
      card.className = `player ${side ? "green" : "red"}${toMove ? " to-move" : won ? " won" : ""}`;
      card.setAttribute("aria-label", label.join(", "));
      text.replaceChildren(element("span", {}, who), element("small", {},
        element("span", { class: "colour" }, named ? `${colourName(/** @type {Player} */ (player))}${suffix.length ? ", " : ""}` : ""), ...suffix));
      count.hidden = !counted;
      count.textContent = counted ? `${shown}` : "";
    });
  }

  /** Let the points of a player pop, with "+1". @param {Player} player */
  showGain(player) {
    const found = this.cards[player - 1];
    if (!found || reducedMotion.matches) return;
    const gain = element("span", { class: "gain", "aria-hidden": "true" }, "+1");
    found.card.append(gain);
    found.count.animate([{ transform: "none" }, { transform: "scale(1.45)", offset: 0.3 }, { transform: "none" }], { duration: 450 });
    gain.animate([{ opacity: 0, translate: "0 12px" }, { opacity: 1, translate: "0 0", offset: 0.25 }, { opacity: 0, translate: "0 -22px" }], { duration: 900, fill: "forwards" })
      .addEventListener("finish", () => gain.remove());
  }
}
