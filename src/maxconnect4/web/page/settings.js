// What the browser remembers from one visit to the next; where it may not, everything works all the same.

const PREFIX = "maxconnect4.";

/**
 * @param {string} name
 * @param {string} otherwise
 */
export function remembered(name, otherwise) {
  try {
    return localStorage.getItem(PREFIX + name) ?? otherwise;
  } catch {
    return otherwise;
  }
}

/**
 * @param {string} name
 * @param {string} value
 */
export function remember(name, value) {
  try {
    localStorage.setItem(PREFIX + name, value);
  } catch {
    // a private window, or a full disk
  }
}
