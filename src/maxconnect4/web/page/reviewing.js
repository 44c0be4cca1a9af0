// The review of a game: asked for once, and told about when there is news.

import { listen, naming } from "./api.js";

/** @import { Position, Review } from "./types.js" */

/** What has been reviewed since the page was opened. @type {Map<string, Review>} */
const known = new Map();

/** Events: `change` when there is news: a `review`, how many moves are `done` of a `total`, or a `problem`. */
export class Reviewing extends EventTarget {
  /** @type {Review | null} */
  review = null;
  done = 0;
  total = 0; // none if nothing is under way
  problem = "";
  stop = () => {};

  /** Review a game, as far as there is something to review. @param {Position} position */
  begin(position) {
    this.stop();
    const asked = naming(position), review = known.get(asked);
    if (review || !position.drops.length) return this.tell({ review });
    this.tell({ total: position.drops.length });
    this.stop = listen(`/review/events?${asked}`, {
      progress: (news) => this.tell(news),
      done: (review) => {
        known.set(asked, review);
        this.tell({ review });
      },
      failed: (problem) => this.tell({ problem }),
    });
  }

  /** @param {{ review?: Review, done?: number, total?: number, problem?: string }} news */
  tell({ review = undefined, done = 0, total = 0, problem = "" }) {
    Object.assign(this, { review: review ?? null, done, total, problem });
    this.dispatchEvent(new Event("change"));
  }
}
