// The margins under the columns: asked for whenever the board shows another position, if they are wanted.

import { listen, naming } from "./api.js";

/** @import { Analysis } from "./types.js" */
/** @import { BoardView } from "./board.js" */
/** @import { Showing } from "./showing.js" */

/** Events: `change` when there is news: `latest`, `finished` and `problem` say what. */
export class Analysing extends EventTarget {
  /**
   * @param {Showing} showing
   * @param {BoardView} view
   */
  constructor(showing, view) {
    super();
    this.showing = showing;
    this.view = view;
    /** Whether somebody wants it. */
    this.on = false;
    /** @type {Analysis | null} */
    this.latest = null;
    this.finished = false;
    this.problem = "";
    this.asked = "";
    /** @type {() => void} */
    this.stop = () => {};
    showing.addEventListener("change", () => this.refresh());
  }

  /** Begin or end, as is wanted. @param {boolean} on */
  turn(on) {
    this.on = on;
    this.refresh();
  }

  /** Ask about the position that is shown, unless that has been done; of a finished game there is nothing to ask. */
  refresh() {
    const wanted = this.on && !this.showing.state.over ? naming(this.showing.named) : "";
    if (wanted && wanted === this.asked && !this.problem) return;
    this.stop();
    this.stop = () => {};
    this.asked = wanted;
    this.tell(null, false);
    if (!wanted) return;
    this.stop = listen(`/analysis/events?${wanted}`, {
      progress: (analysis) => this.tell(analysis, false),
      done: (analysis) => this.tell(analysis, true),
      failed: (words) => this.tell(this.latest, false, words),
    });
  }

  /**
   * @param {Analysis | null} analysis
   * @param {boolean} finished
   * @param {string} [problem]
   */
  tell(analysis, finished, problem = "") {
    this.latest = analysis;
    this.finished = finished;
    this.problem = problem;
    this.view.showMargins(analysis?.columns ?? [], analysis?.best);
    this.dispatchEvent(new Event("change"));
  }
}
