// Making elements. Text is only ever set as text, so nothing that a name holds can become markup.

const SVG = "http://www.w3.org/2000/svg";

function element(name, settings = {}, ...inside) {
  return fill(document.createElement(name), settings, inside);
}

function shape(name, settings = {}, ...inside) {
  return fill(document.createElementNS(SVG, name), settings, inside);
}

function fill(made, settings, inside) {
  for (const [name, value] of Object.entries(settings)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null) made.setAttribute(name, value);
  }
  made.append(...inside);
  return made;
}

function button(text, label, act) {
  return element("button", { type: "button", title: label, onclick: act }, text);
}

function plural(count, word) {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}

// As times.time_in_words does.
function timeInWords(milliseconds) {
  const seconds = milliseconds / 1000;
  if (seconds < 0.001) return `${Math.round(1000 * milliseconds)} µs`;
  if (seconds < 1) return `${milliseconds.toFixed(seconds >= 0.1 ? 0 : seconds >= 0.01 ? 1 : 2)} ms`;
  return `${seconds.toFixed(seconds < 10 ? 2 : seconds < 100 ? 1 : 0)} s`;
}
