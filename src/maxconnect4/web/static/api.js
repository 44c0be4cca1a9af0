// Requests to the server's HTTP API, and its event streams.

import { describePosition } from "./descriptions.js";
import { LANGUAGE, t } from "./translations.js";

/** @import { Position, GameName } from "./types.js" */

export const API_ROOT = "/api/v2";

/** An error response of the server. `body` has the reason, and after a conflict the current game. */
export class HttpError extends Error {
  /** @param {number} status @param {any} body */
  constructor(status, body) {
    super(typeof body?.error === "string" ? errorText(status, body.error) : t("The server answered with an error ({status}).", { status }));
    this.status = status;
    this.body = body;
  }
}

/** The server's message is English: in other languages the usual ones are replaced. @param {number} status @param {string} message */
function errorText(status, message) {
  const full = /column (\d) is full/.exec(message);
  if (LANGUAGE === "en") return message;
  if (full) return t("Column {column} is full.", { column: full[1] ?? "" });
  if (status === 404) return t("This game does not exist. It may have been deleted.");
  return status === 503 ? t("The server does not answer or is too busy. Try again in a moment.") : message;
}

export class ServerUnreachable extends Error {}

/**
 * Send a request and return the JSON of the response.
 * @param {string} path below the root of the API
 * @param {{ method?: string, body?: object, signal?: AbortSignal }} [options]
 * @returns {Promise<any>}
 */
export async function request(path, { method, body, signal } = {}) {
  const headers = body ? { "Content-Type": "application/json" } : undefined;
  let response, json;
  try {
    response = await fetch(API_ROOT + path, {
      method: method ?? (body ? "POST" : "GET"),
      headers,
      body: body && JSON.stringify(body),
      signal,
    });
    json = inLanguageOfPage(await response.json());
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ServerUnreachable(t("The server does not answer. Is maxconnect4 play still running?"));
  }
  if (!response.ok) throw new HttpError(response.status, json);
  return json;
}

/** A response in which the texts of the positions are in the language of the page. @param {any} json @returns {any} */
export function inLanguageOfPage(json) {
  if (json.history) return describePosition(json);
  if (json.position) return { ...json, position: describePosition(json.position) };
  return json.game?.position ? { ...json, game: inLanguageOfPage(json.game) } : json;
}

/**
 * Run an action, and show the server's errors instead of throwing them.
 * @template T
 * @param {() => T | Promise<T>} action
 * @param {(message: string) => void} showError
 * @returns {Promise<T | undefined>}
 */
export async function withErrorHandling(action, showError) {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof HttpError || error instanceof ServerUnreachable)) throw error;
    showError(error.message);
    return undefined;
  }
}

/**
 * Subscribe to an event stream, which ends with `done` or `failed`. Returns a function that closes it earlier.
 * @param {string} path
 * @param {{ progress?: (data: any) => void, done: (data: any) => void, failed: (message: string) => void }} listener
 * @returns {() => void}
 */
export function subscribe(path, { progress, done, failed }) {
  const source = new EventSource(API_ROOT + path);
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
    let message = t("The server does not answer or is too busy. Try again in a moment.");
    try {
      await request("/"); // an EventSource does not reveal the reason of an error, such as an old token
    } catch (error) {
      if (error instanceof HttpError) message = error.message;
    }
    if (!closed) failed(message);
  };
  return close;
}

/**
 * The query string of a position.
 * @param {{ game: GameName, start: string | null, moves: string }} position
 * @param {Record<string, string | number | boolean>} [more]
 */
export function positionQuery({ game, start, moves }, more = {}) {
  const query = new URLSearchParams({ game });
  if (start) query.set("start", start);
  if (moves) query.set("moves", moves);
  for (const [name, value] of Object.entries(more)) query.set(name, `${value}`);
  return query.toString();
}

/** The position of a query string. @param {string | undefined} query @returns {{ game: GameName, start: string | null, moves: string }} */
export function parsePositionQuery(query) {
  const values = new URLSearchParams(query);
  return { game: /** @type {GameName} */ (values.get("game") ?? "max"), start: values.get("start"), moves: values.get("moves") ?? "" };
}

/**
 * The query string of a position of which the moves up to a ply are shown.
 * @param {Position} position
 * @param {number} ply
 */
export function shownPositionQuery(position, ply) {
  return positionQuery(position, ply < position.history.length ? { at: ply } : {});
}

/** @type {Map<string, Promise<Position>>} */
const positionCache = new Map();
const POSITION_CACHE_SIZE = 200;

/**
 * Request the description of a position. Responses are cached.
 * @param {{ game: GameName, start: string | null, moves: string }} position
 * @returns {Promise<Position>}
 */
export function fetchPosition(position) {
  const query = positionQuery(position);
  let response = positionCache.get(query);
  if (!response) {
    response = request(`/position?${query}`);
    response.catch(() => positionCache.delete(query));
    rememberPosition(position, response);
  }
  return response;
}

/** @param {{ game: GameName, start: string | null, moves: string }} position @param {Position | Promise<Position>} described */
export function rememberPosition(position, described) {
  positionCache.set(positionQuery(position), Promise.resolve(described));
  const oldest = positionCache.keys().next().value;
  if (positionCache.size > POSITION_CACHE_SIZE && oldest !== undefined) positionCache.delete(oldest);
}

/** The position of a text: moves or a position file. @param {string} text @param {GameName} game @returns {Promise<Position>} */
export function parsePosition(text, game) {
  return request("/position", { body: { text, game } });
}
