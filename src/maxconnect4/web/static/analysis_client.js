// Clients of the server's event streams: the analysis of the shown position, and the review of a game.

import { positionQuery, subscribe } from "./api.js";
import { describeAnalysis } from "./descriptions.js";

/** @import { BoardView } from "./board_view.js" */
/** @import { PositionState } from "./position_state.js" */
/** @import { Analysis, Position, Review } from "./types.js" */

/** While enabled, requests the analysis of each position that is shown. Events: `change` when `latest`, `finished` or `error` has changed. */
export class AnalysisClient extends EventTarget {
  /** @param {PositionState} positionState @param {BoardView} boardView */
  constructor(positionState, boardView) {
    super();
    this.positionState = positionState;
    this.boardView = boardView;
    this.enabled = false;
    /** @type {Analysis | null} */
    this.latest = null;
    this.finished = false;
    this.error = "";
    this.query = "";
    /** @type {() => void} */
    this.cancel = () => {};
    positionState.addEventListener("change", () => this.refresh());
  }

  /** @param {boolean} enabled */
  setEnabled(enabled) {
    this.enabled = enabled;
    this.refresh();
  }

  /** Request the analysis of the shown position, unless that has been done or the game is over. */
  refresh() {
    const wanted = this.enabled && !this.positionState.boardState.over ? positionQuery(this.positionState.spec) : "";
    if (wanted && wanted === this.query && !this.error) return;
    this.cancel();
    this.cancel = () => {};
    this.query = wanted;
    this.update(null, false);
    if (!wanted) return;
    this.cancel = subscribe(`/analysis/events?${wanted}`, {
      progress: (analysis) => this.update(analysis, false),
      done: (analysis) => this.update(analysis, true),
      failed: (message) => this.update(this.latest, false, message),
    });
  }

  /** @param {Analysis | null} analysis @param {boolean} finished @param {string} [error] */
  update(analysis, finished, error = "") {
    const { position: { game }, boardState } = this.positionState;
    this.latest = analysis && describeAnalysis({ game, ...boardState }, analysis, finished);
    this.finished = finished;
    this.error = error;
    this.boardView.showValues(this.latest?.columns ?? [], this.latest?.best);
    this.dispatchEvent(new Event("change"));
  }
}

/** Reviews since the page was opened. @type {Map<string, Review>} */
const reviewCache = new Map();

/** Events: `change` when `review`, `done` (of a `total` of moves) or `error` has changed. */
export class ReviewClient extends EventTarget {
  /** @type {Review | null} */
  review = null;
  done = 0;
  total = 0; // 0 if no review is running
  error = "";
  cancel = () => {};

  /** Request the review of a game. @param {Position} position */
  load(position) {
    this.cancel();
    const query = positionQuery(position), review = reviewCache.get(query);
    if (review || !position.history.length) return this.update({ review });
    this.update({ total: position.history.length });
    this.cancel = subscribe(`/review/events?${query}`, {
      progress: (progress) => this.update(progress),
      done: (review) => {
        reviewCache.set(query, review);
        this.update({ review });
      },
      failed: (error) => this.update({ error }),
    });
  }

  /** @param {{ review?: Review, done?: number, total?: number, error?: string }} progress */
  update({ review = undefined, done = 0, total = 0, error = "" }) {
    Object.assign(this, { review: review ?? null, done, total, error });
    this.dispatchEvent(new Event("change"));
  }
}
