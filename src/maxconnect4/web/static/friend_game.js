// A game between two people in two browsers or tabs: the seat of this one, the link for the other, and the stream of changes.

import { API_ROOT, HttpError, inLanguageOfPage, request } from "./api.js";
import { button, element } from "./elements.js";
import { loadSetting, saveSetting } from "./settings.js";
import { t } from "./translations.js";

/** @import { Game, Player, SharedGame } from "./types.js" */

const RETRY_INTERVAL = 2000; // milliseconds
const CONFLICT = 409;

/** Events: `change` when the other person has moved, joined, left, returned or started a rematch. */
export class FriendGame extends EventTarget {
  /** @param {string} id of the game */
  constructor(id) {
    super();
    this.id = id;
    this.secret = secretOfTab(id) || loadSetting(`seat.${id}`, "");
    /** The colour of this browser; 0 for a spectator. @type {0 | Player} */
    this.player = 0;
    /** The address of the server for other machines. @type {string | null} */
    this.address = null;
    /** @type {SharedGame | null} */
    this.latest = null;
    /** @type {EventSource | null} */
    this.source = null;
    this.timer = 0;
    this.note = element("p");
    this.linkField = element("input", { type: "text", readonly: true, "aria-label": t("Link for your friend") });
    this.copyButton = button(t("Copy link"), () => this.copyLink());
    this.invitation = element("div", { class: "field wrap" }, this.linkField, this.copyButton);
    this.element = element("div", { class: "friend-game", role: "status" }, this.note, this.invitation);
  }

  /** The link that lets another person join. */
  get link() {
    const base = isLoopback() && this.address ? this.address : `${location.origin}/`;
    return `${base}play/${this.id}?join`;
  }

  /** Take a free colour, or find the one that has been taken. If there is none, this browser is a spectator. */
  async takeSeat() {
    // Two tabs of a browser are two people: a tab that joins has a secret of its own, unless both colours are taken.
    for (const secret of [secretOfTab(this.id) || randomSecret(), this.secret]) {
      try {
        if (secret) return await this.takeSeatWith(secret);
      } catch (error) {
        if (!(error instanceof HttpError) || error.status !== CONFLICT) throw error;
      }
    }
    this.secret = randomSecret();
  }

  /** Find the seat of this tab, or of an earlier one. */
  async findSeat() {
    if (this.secret) await this.takeSeatWith(this.secret);
  }

  /** @param {string} secret */
  async takeSeatWith(secret) {
    const { player, address } = await request(`/games/${this.id}/seats`, { body: { seat: secret } });
    this.player = player;
    this.address = address;
    this.secret = secret;
    keepSecret(this.id, secret);
  }

  /** Follow the game. The browser reconnects when the server is reachable again. */
  watch() {
    clearTimeout(this.timer);
    this.source?.close();
    this.source = new EventSource(`${API_ROOT}/games/${this.id}/events?seat=${this.secret}`);
    this.source.addEventListener("game", (event) => {
      const state = JSON.parse(event.data);
      this.latest = { ...state, game: inLanguageOfPage(state.game) };
      this.render();
      this.dispatchEvent(new Event("change"));
    });
    this.source.addEventListener("failed", () => this.close()); // the game has been deleted
    this.source.onerror = () => {
      if (this.source?.readyState === EventSource.CLOSED) this.timer = setTimeout(() => this.watch(), RETRY_INTERVAL);
    };
  }

  close() {
    clearTimeout(this.timer);
    this.source?.close();
    this.source = null;
  }

  /** @returns {Promise<Game>} */
  async startRematch() {
    const game = await request(`/games/${this.id}/rematch`, { body: { seat: this.secret } });
    keepSecret(game.id, this.secret);
    return game;
  }

  render() {
    const { latest, player } = this, waiting = player !== 0 && latest !== null && latest.taken.includes(false);
    this.linkField.value = this.link;
    this.invitation.hidden = !waiting;
    this.note.textContent = this.describe(waiting);
  }

  /** @param {boolean} waiting */
  describe(waiting) {
    const { latest, player } = this;
    if (waiting) return isLoopback() && !this.address ? t("Open this link in another tab to play against yourself or the person next to you. Start maxconnect4 play with --host to play from other machines.")
      : t("Send this link to your friend. The game begins when it is opened.");
    if (!player) return t("You are watching this game.");
    const present = latest?.present[2 - player] ?? true;
    if (player === 1) return present ? t("You play red against your friend.") : t("You play red. Your friend is not connected.");
    return present ? t("You play green against your friend.") : t("You play green. Your friend is not connected.");
  }

  async copyLink() {
    try {
      await navigator.clipboard.writeText(this.link);
      this.copyButton.textContent = t("Link copied.");
    } catch { // no permission, or not a secure context
      this.linkField.select();
    }
  }
}

/** Whether the page was opened on the machine of the server. */
function isLoopback() {
  return ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
}

/** The secret of this tab for a game; empty if it has none. @param {string} id */
function secretOfTab(id) {
  try {
    return sessionStorage.getItem(`maxconnect4.seat.${id}`) ?? "";
  } catch {
    return "";
  }
}

/** Keep a secret for this tab, and for a later one if it is closed. @param {string} id @param {string} secret */
function keepSecret(id, secret) {
  try {
    sessionStorage.setItem(`maxconnect4.seat.${id}`, secret);
  } catch {
    // not available: the seat is that of the last tab
  }
  saveSetting(`seat.${id}`, secret);
}

function randomSecret() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
