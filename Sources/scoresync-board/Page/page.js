// Common to both pages: elements, live regions, and the event stream.

import { apply } from "./sheet.js";

export const at = (id) => document.getElementById(id);

/** Creates an element; strings become text nodes, so that a name is never markup. */
export function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) node.setAttribute(key, value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

/** A name, isolated from the writing direction of the text around it. */
export const person = (text) => element("bdi", {}, text);

/** A row of a table, and its head. */
export const tableRow = (label, cells) => element("tr", {},
  element("th", { scope: "row" }, person(label)), ...cells);
export const tableHead = (columns, kinds = []) => element("thead", {}, element("tr", {}, element("td"),
  ...columns.map((column, index) =>
    element("th", { scope: "col", class: kinds[index] }, person(column)))));

/** A list in a sentence: `Ann, Bob and Carla`. */
export const list = (items, word = "and") => items.flatMap((item, index) =>
  index === 0 ? [item] : [index === items.length - 1 ? ` ${word} ` : ", ", item]);

/** Patches a node in place, so that focus and animations survive. */
function patch(old, now) {
  if (old.isEqualNode(now)) return;
  if (old.nodeName !== now.nodeName) return old.replaceWith(now);
  if (old.nodeType === Node.TEXT_NODE) {
    old.data = now.data;
    return;
  }
  for (const { name } of [...old.attributes]) {
    if (!now.hasAttribute(name)) old.removeAttribute(name);
  }
  for (const { name, value } of [...now.attributes]) {
    // The content security policy forbids style attributes, but allows setting `cssText`.
    if (name === "style") old.style.cssText = now.style.cssText;
    else if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  patchChildren(old, [...now.childNodes]);
}

function patchChildren(parent, children) {
  const old = [...parent.childNodes];
  children.forEach((child, index) => {
    if (index < old.length) patch(old[index], child);
    else parent.append(child);
  });
  for (const child of old.slice(children.length)) child.remove();
}

/** Replaces the children of an element, and hides it if there are none. */
export function setChildren(id, children) {
  patchChildren(at(id), children);
  hide(id, children.length === 0);
}

/** Sets the text of an element if it differs. */
export function setText(id, ...parts) {
  const text = element("span", {}, ...parts);
  if (text.textContent !== at(id).textContent) at(id).replaceChildren(text);
}

export function hide(id, isHidden) { at(id).hidden = isHidden; }

const pending = {};

/** Announces texts in a live region; empties it before, so that a repeated text is read again. */
export function announce(id, text, maxTexts = 4) {
  if (!text) return;
  if (!pending[id]) {
    pending[id] = [];
    setText(id);
    setTimeout(() => {
      setText(id, pending[id].slice(-maxTexts).join(". "));
      delete pending[id];
    }, 100);
  }
  pending[id].push(text);
}

/** Returns a function that tells, by the number of the next turn, whether a note about a move is of
 * the past: the turns after it have come, or its own again. */
export function noteOnTurn(turn, answers = 0) {
  let first = turn;
  const last = turn + 1 + answers;
  return (next) => {
    if (next === last) first = last;
    return Boolean(next) && (next < first || next > last);
  };
}

let lastProblem = null;

/** Shows and announces why the page is out of date, and when it is up to date again. */
export function showProblem(problem, leaders) {
  hide("away", !problem);
  setText("away", problem ?? "");
  if (problem !== lastProblem) announce("news", problem ?? `Connected again. ${leaders}`);
  lastProblem = problem;
}

/** Returns a function that requests a redraw, at most one a frame. */
export function throttledDraw(draw) {
  let isDue = false;
  return () => {
    if (!isDue) requestAnimationFrame(() => {
      isDue = false;
      draw();
    });
    isDue = true;
  };
}

/** The silence in ms that a page does not trust when it is looked at again; the board sends a
 * heartbeat every 15 s. */
const maxSilence = 20_000;
/** The time in ms in which the shared worker must confirm a subscription. */
const workerTimeout = 2_000;

/** Returns a function that subscribes to a stream, or ends the subscription if it gets null. The
 * page keeps a stream of its own if the browser has no shared workers, or stopped this one. */
function connection(receive) {
  let port = null;
  let end = null;
  let timer = null;
  const ownStream = async (subscription) => {
    const { subscribe } = await import("./stream.js");
    end?.();
    end = subscription && subscribe(subscription, receive);
  };
  try {
    ({ port } = new SharedWorker("stream.js", { type: "module" }));
  } catch {
    return ownStream;
  }
  port.onmessage = ({ data: [name, data] }) => {
    if (name === "subscribed") clearTimeout(timer);
    else receive(name, data);
  };
  return (subscription) => {
    clearTimeout(timer);
    if (!port) return ownStream(subscription);
    port.postMessage(subscription);
    if (subscription) timer = setTimeout(() => {
      port.postMessage(null);
      port = null;
      ownStream(subscription);
    }, workerTimeout);
  };
}

/** Follows a session: calls `handlers.show` with the sheet and the change (null after a snapshot),
 * `handlers.away` with the problem (null if none; true follows if only this session cannot be shown),
 * and the handlers named as events.
 *
 * A hidden page gives its stream back, unless `keepsHidden()`. Its scores are marked as stale until
 * the snapshot arrives with which it starts when it is shown again. Returns a function that ends the
 * subscription. */
export function follow(handlers, { path = "events", keepsHidden = () => false } = {}) {
  let show = null;
  let heardAt = 0;
  let isSubscribed = false;
  const subscription = { url: new URL(path, location).href, page: location.href };
  const note = element("p", { class: "away catching-up" }, "Catching up…");
  document.body.prepend(note);
  const markStale = (isStale) => {
    document.documentElement.classList.toggle("stale", isStale);
    note.hidden = !isStale;
  };
  const receivers = {
    ...handlers,
    snapshot(snapshot) {
      show = snapshot;
      markStale(false);
      handlers.away(null);
      handlers.show(show, null);
    },
    change(change) {
      if (!show) return;
      apply(show, change);
      handlers.show(show, change);
    },
    away() { handlers.away("ScoreSync on this laptop is not running. Waiting for it…"); },
    /** This laptop does not have the session, or has left it. */
    refused({ message }) {
      markStale(false);
      handlers.away(message, true);
    },
    stale() { markStale(show !== null); },
    problem(problem) {
      markStale(false);
      handlers.away(problem);
    },
  };
  const subscribe = connection((name, data) => {
    if (!isSubscribed) return;
    heardAt = Date.now();
    receivers[name]?.(name === "problem" ? data : data && JSON.parse(data));
  });
  const start = () => {
    receivers.stale();
    [isSubscribed, heardAt] = [true, Date.now()];
    subscribe(subscription);
  };
  const end = () => {
    receivers.stale();
    isSubscribed = false;
    subscribe(null);
  };
  const look = () => {
    if (document.hidden && !keepsHidden()) end();
    else if (!isSubscribed || Date.now() - heardAt > maxSilence) start();
  };
  const stopped = new AbortController();
  const on = (target, name, act) => target.addEventListener(name, act, { signal: stopped.signal });
  for (const name of ["visibilitychange", "resume"]) on(document, name, look);
  for (const name of ["focus", "pageshow"]) on(window, name, look);
  on(window, "online", () => isSubscribed && start());
  on(window, "pagehide", end);
  markStale(false);
  look();
  return () => {
    end();
    stopped.abort();
    markStale(false);
    note.remove();
  };
}
