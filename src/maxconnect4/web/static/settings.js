// Settings in the browser's local storage. If that is not available, the defaults apply.

const PREFIX = "maxconnect4.";

/** @param {string} name @param {string} fallback */
export function loadSetting(name, fallback) {
  try {
    return localStorage.getItem(PREFIX + name) ?? fallback;
  } catch {
    return fallback;
  }
}

/** @param {string} name @param {string} value */
export function saveSetting(name, value) {
  try {
    localStorage.setItem(PREFIX + name, value);
  } catch {
    // not available in a private window, or the disk is full
  }
}
