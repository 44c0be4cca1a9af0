// Translations of the page's texts. The English text is the key of a translation, as in gettext.

/** Translate a text. @param {string} text such as "Column {column} is full." @param {Record<string, string | number>} [values] */
export function t(text, values = {}) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => `${values[name] ?? whole}`);
}

/**
 * Translate a text that depends on a number, in the plural form of the language.
 * @param {number} count the value of `{count}`
 * @param {string} one such as "{count} point"
 * @param {string} other such as "{count} points"
 * @param {Record<string, string | number>} [values]
 */
export function tn(count, one, other, values = {}) {
  return t(count === 1 ? one : other, { count, ...values });
}
