// Translations of the page's texts. The English text is the key of a translation, as in gettext.

/** The language of the page, which the server chooses from the languages of the browser. */
export const LANGUAGE = document.documentElement.lang || "en";
/** For numbers and dates. */
export const LOCALE = LANGUAGE === "en" ? "en-GB" : LANGUAGE;

/** A text, or by plural category of the language its forms. @type {Record<string, string | Record<string, string>>} */
const CATALOGUE = JSON.parse(document.getElementById("catalogue")?.textContent || "{}");
const PLURALS = new Intl.PluralRules(LANGUAGE);
const NUMBERS = new Intl.NumberFormat(LOCALE);
const LISTS = new Intl.ListFormat(LOCALE, { type: "conjunction" });

/** @param {string} text @param {Record<string, string | number>} values */
function fill(text, values) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => {
    const value = values[name] ?? whole;
    return typeof value === "number" ? formatNumber(value) : value;
  });
}

/**
 * Translate a text. Call it when the text is rendered, with a literal: a test collects them.
 * @param {string} text such as "Column {column} is full."
 * @param {Record<string, string | number>} [values] those of the placeholders; numbers are formatted
 */
export function t(text, values = {}) {
  const found = CATALOGUE[text];
  return fill(typeof found === "string" ? found : text, values);
}

/**
 * Translate a text that depends on a number, in the plural form of the language.
 * @param {number} count the value of `{count}`
 * @param {string} one such as "{count} point"; the key of the translation
 * @param {string} other such as "{count} points"
 * @param {Record<string, string | number>} [values]
 */
export function tn(count, one, other, values = {}) {
  const found = CATALOGUE[one], category = PLURALS.select(count);
  const text = typeof found === "object" ? found[category] ?? found.other : undefined;
  return fill(text ?? (count === 1 ? one : other), { count, ...values });
}

/** Format a number, with a minus sign instead of a hyphen. @param {number} value */
export function formatNumber(value) {
  return NUMBERS.format(value).replace("-", "−");
}

/** Format a list, such as "1, 2 and 3". @param {(string | number)[]} items */
export function formatList(items) {
  return LISTS.format(items.map(String));
}
