// To come.

import { element } from "./elements.js";

/** @import { Desk, Panel } from "./desk.js" */

/** @implements {Panel} */
export class ReviewPanel {
  /** @param {Desk} desk @param {...unknown} more */
  constructor(desk, ...more) {
    this.desk = desk;
    this.more = more;
    this.element = element("section");
  }

  open() {
    return true;
  }

  /** @param {number} column */
  drop(column) {
    this.desk.showing.explore(column);
  }
}
