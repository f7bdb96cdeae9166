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

/** The silence in ms after which the page reconnects; the board sends a heartbeat every 15 s. */
const silenceTimeout = 40_000;

/** Follows the session: calls `handlers.show` with the sheet and the change (null after a
 * snapshot), `handlers.away` with the problem (null if none), and the handlers named as events. */
export function follow(handlers, { path = "events" } = {}) {
  let show = null;
  let timer = null;
  const silent = "The laptop that shows this does not answer. Trying again…";
  let problem = silent;
  const lost = (events) => {
    events.close();
    clearTimeout(timer);
    handlers.away(problem);
    setTimeout(listen, 1000);
    // Only a response shows that the address is no longer valid; a laptop that does not answer may
    // come back.
    fetch("", { method: "HEAD" }).then((response) => {
      if (![404, 410].includes(response.status)) return;
      problem = "This address is no longer valid. Scan the code on the board again.";
      handlers.away(problem);
    }, () => {});
  };
  function listen() {
    const events = new EventSource(path);
    const restartTimer = () => {
      clearTimeout(timer);
      timer = setTimeout(() => lost(events), silenceTimeout);
    };
    const on = (name, handle) => events.addEventListener(name, (event) => {
      problem = silent;
      restartTimer();
      handle(JSON.parse(event.data));
    });
    restartTimer();
    on("snapshot", (snapshot) => {
      show = snapshot;
      handlers.away(null);
      handlers.show(show, null);
    });
    on("change", (change) => {
      if (!show) return;
      apply(show, change);
      handlers.show(show, change);
    });
    on("away", () => handlers.away("ScoreSync on this laptop is not running. Waiting for it…"));
    for (const name of ["beat", "you", "links", "seats", "chart", "refused"]) on(name, handlers[name] ?? (() => {}));
    events.addEventListener("error", () => lost(events));
  }
  listen();
}
