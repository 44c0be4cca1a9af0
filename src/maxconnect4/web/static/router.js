// The address of the page: every panel, position, game and review has one, so that Back, reload and links work.

import { t } from "./translations.js";

/** @import { App } from "./app.js" */

const DELAY = 100; // milliseconds until the position in the address is replaced: browsers limit the rate

export class Router {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.suspended = 0; // while the page changes to what an address or a new entry of the history will name
    this.revision = 0;
    /** The address that will replace the current one. */
    this.pending = "";
    this.timer = 0;
    addEventListener("popstate", () => this.open());
  }

  /** Show what the address of the page names: a panel, and in it a position or a game. */
  async open() {
    const [name = "", item = ""] = location.pathname.split("/").slice(1).map(decodeURIComponent), query = new URLSearchParams(location.search);
    const linked = ["game", "moves", "start"].some((key) => query.has(key)); // the address of a position may lack the panel
    const panel = this.app.panels[name] ? name : linked ? "analyse" : "play", revision = ++this.revision;
    this.cancel();
    this.suspended++;
    try {
      const { openAddress } = this.app.panels[panel] ?? {};
      await (openAddress ? openAddress.call(this.app.panels[panel], item, query) : this.app.selectPanel(panel));
    } finally {
      this.suspended--;
    }
    if (revision === this.revision) this.update();
  }

  /** Run an action that shows something else, and make it a new entry of the browser's history. @param {() => void} action */
  navigate(action) {
    if (!this.suspended) this.replace();
    this.suspended++;
    try {
      action();
    } finally {
      this.suspended--;
    }
    const address = this.address();
    if (this.suspended || address === location.pathname + location.search) return;
    history.pushState(null, "", address);
    this.showTitle();
  }

  /** Let the address follow what is shown, in the same entry of the browser's history. */
  update() {
    if (this.suspended) return;
    this.cancel();
    this.pending = this.address();
    if (this.pending.split("?")[0] !== location.pathname) this.replace();
    else this.timer = setTimeout(() => this.replace(), DELAY);
  }

  cancel() {
    clearTimeout(this.timer);
    this.pending = "";
  }

  replace() {
    const address = this.pending;
    this.cancel();
    if (address && address !== location.pathname + location.search) history.replaceState(null, "", address);
    this.showTitle();
  }

  address() {
    const { activePanel, currentPanel } = this.app;
    return activePanel?.address?.() ?? `/${currentPanel}`;
  }

  showTitle() {
    const panel = document.getElementById(`tab-${this.app.currentPanel}`)?.textContent;
    document.title = panel && this.app.currentPanel !== "play" ? t("{panel} – Max-Connect4", { panel }) : "Max-Connect4";
  }
}
