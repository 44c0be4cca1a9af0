// Asking the server.

/** @import { Position, GameName } from "./types.js" */

const ROOT = "/api/v1";

/** The server said no; `body` has why, and in a conflict the game as it is. */
export class Refused extends Error {
  /**
   * @param {number} status
   * @param {any} body
   */
  constructor(status, body) {
    super(typeof body?.error === "string" ? body.error : `The server answered with an error (${status}).`);
    this.status = status;
    this.body = body;
  }
}

/** The server does not answer at all. */
export class Unreachable extends Error {}

/**
 * Ask, with a body if something is to be changed.
 * @param {string} path below /api/v1
 * @param {{ method?: string, body?: object, signal?: AbortSignal }} [options]
 * @returns {Promise<any>}
 */
export async function ask(path, { method, body, signal } = {}) {
  const headers = body ? { "Content-Type": "application/json" } : undefined;
  let response, answer;
  try {
    response = await fetch(ROOT + path, {
      method: method ?? (body ? "POST" : "GET"),
      headers,
      body: body && JSON.stringify(body),
      signal,
    });
    answer = await response.json();
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Unreachable("The server does not answer: is maxconnect4 play still running?");
  }
  if (!response.ok) throw new Refused(response.status, answer);
  return answer;
}

/**
 * Do something with the server, and complain if it cannot be done.
 * @template T
 * @param {() => T | Promise<T>} what
 * @param {(words: string) => void} complain
 * @returns {Promise<T | undefined>}
 */
export async function carefully(what, complain) {
  try {
    return await what();
  } catch (error) {
    if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
    complain(error.message);
    return undefined;
  }
}

/**
 * Listen to what the server tells while it works. Ends by itself with `done` or `failed`; the answer ends it before that.
 * @param {string} path
 * @param {{ progress?: (data: any) => void, done: (data: any) => void, failed: (words: string) => void }} listener
 * @returns {() => void}
 */
export function listen(path, { progress, done, failed }) {
  const source = new EventSource(ROOT + path);
  let closed = false;
  const close = () => {
    closed = true;
    source.close();
  };
  /** @param {(data: any) => void} listener */
  const last = (listener) => (/** @type {MessageEvent} */ event) => {
    close();
    listener(JSON.parse(event.data));
  };
  source.addEventListener("progress", (event) => progress?.(JSON.parse(event.data)));
  source.addEventListener("done", last(done));
  source.addEventListener("failed", last((data) => failed(data.error)));
  source.onerror = async () => {
    source.close();
    let words = "The server does not answer, or has too much to do: try again.";
    try {
      await ask("/"); // an EventSource hides why it was refused, such as for the token of an earlier server
    } catch (error) {
      if (error instanceof Refused) words = error.message;
    }
    if (!closed) failed(words);
  };
  return close;
}

/**
 * The words of an address that name a position.
 * @param {{ game: GameName, start: string | null, moves: string }} position
 * @param {Record<string, string | number | boolean>} [more]
 */
export function naming({ game, start, moves }, more = {}) {
  const words = new URLSearchParams({ game });
  if (start) words.set("start", start);
  if (moves) words.set("moves", moves);
  for (const [name, value] of Object.entries(more)) words.set(name, `${value}`);
  return words.toString();
}

/**
 * The position that the words of an address name.
 * @param {string | undefined} query
 * @returns {{ game: GameName, start: string | null, moves: string }}
 */
export function named(query) {
  const words = new URLSearchParams(query);
  return { game: /** @type {GameName} */ (words.get("game") ?? "max"), start: words.get("start"), moves: words.get("moves") ?? "" };
}

/** @type {Map<string, Promise<Position>>} */
const described = new Map();
const MOST_DESCRIBED = 200;

/**
 * What the server says of a position; it is asked only once.
 * @param {{ game: GameName, start: string | null, moves: string }} position
 * @returns {Promise<Position>}
 */
export function describe(position) {
  const words = naming(position);
  let answer = described.get(words);
  if (!answer) {
    answer = ask(`/position?${words}`);
    answer.catch(() => described.delete(words));
    described.set(words, answer);
    const oldest = described.keys().next().value;
    if (described.size > MOST_DESCRIBED && oldest !== undefined) described.delete(oldest);
  }
  return answer;
}

/**
 * A position from what somebody has pasted or loaded.
 * @param {string} text
 * @param {GameName} game
 * @returns {Promise<Position>}
 */
export function read(text, game) {
  return ask("/position", { body: { text, game } });
}
