// What the pages have in common: elements, words in their places, and the events.

import { apply } from "./sheet.js";

export const at = (id) => document.getElementById(id);

/** An element; texts are always texts, so that a name is never markup. */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

/** A name: apart from what stands beside it, whichever way its script runs. */
export const person = (text) => element("bdi", {}, text);

/** The line of a table, and the one that says what its columns are. */
export const line = (label, cells) => element("tr", {},
  element("th", { scope: "row" }, person(label)), ...cells);
export const heads = (columns, kinds = []) => element("thead", {}, element("tr", {}, element("td"),
  ...columns.map((column, index) =>
    element("th", { scope: "col", class: kinds[index] }, person(column)))));

/** Several things in one sentence: `Ann, Bob and Carla`. */
export const list = (things, word = "and") => things.flatMap((thing, index) =>
  index === 0 ? [thing] : [index === things.length - 1 ? ` ${word} ` : ", ", thing]);

/** Changes what differs in a node, so that focus and animations stay. */
function adapt(old, now) {
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
    // A style as text is what the page forbids to everybody, itself included.
    if (name === "style") old.style.cssText = now.style.cssText;
    else if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  adaptChildren(old, [...now.childNodes]);
}

function adaptChildren(place, children) {
  const old = [...place.childNodes];
  children.forEach((child, index) => {
    if (index < old.length) adapt(old[index], child);
    else place.append(child);
  });
  for (const one of old.slice(children.length)) one.remove();
}

/** Shows these elements only in a place, which is hidden where there are none. */
export function fill(id, children) {
  adaptChildren(at(id), children);
  hide(id, children.length === 0);
}

/** Says something in a place, if it is something else than before. */
export function say(id, ...parts) {
  const words = element("span", {}, ...parts);
  if (words.textContent !== at(id).textContent) at(id).replaceChildren(words);
}

export function hide(id, isHidden) { at(id).hidden = isHidden; }

const untold = {};

/** Tells in a place that is read aloud; empties it before, to tell the same words again. */
export function tell(id, words, most = 4) {
  if (!words) return;
  if (!untold[id]) {
    untold[id] = [];
    say(id);
    setTimeout(() => {
      say(id, untold[id].slice(-most).join(". "));
      delete untold[id];
    }, 100);
  }
  untold[id].push(words);
}

let trouble = null;

/** Shows and tells why the page is not up to date, and when it is again. */
export function sayAway(why, standing) {
  hide("away", !why);
  say("away", why ?? "");
  if (why !== trouble) tell("news", why ?? `Back again. ${standing}`);
  trouble = why;
}

/** What asks for a drawing, of which there is one a frame at most. */
export function drawing(draw) {
  let isDue = false;
  return () => {
    if (!isDue) requestAnimationFrame(() => {
      isDue = false;
      draw();
    });
    isDue = true;
  };
}

/** How long nothing may come of a board that beats. */
const silence = 40_000;

/** Follows the session: `hears.show` the sheet with what differs (null where it came anew),
 * `hears.away` why it cannot, null while it can, and whatever else it has a name for. */
export function follow(hears) {
  let show = null;
  let timer = null;
  const silent = "The laptop that shows this does not answer. The page comes back by itself.";
  let reason = silent;
  const lost = (events) => {
    events.close();
    clearTimeout(timer);
    hears.away(reason);
    setTimeout(listen, 1000);
    // Only an answer tells that the address is none any more; a silent laptop may come back.
    fetch("", { method: "HEAD" }).then((answer) => {
      if (![404, 410].includes(answer.status)) return;
      reason = "This address is no longer good: scan the code on the board again.";
      hears.away(reason);
    }, () => {});
  };
  function listen() {
    const events = new EventSource("events");
    const wait = () => {
      clearTimeout(timer);
      timer = setTimeout(() => lost(events), silence);
    };
    const on = (name, take) => events.addEventListener(name, (event) => {
      reason = silent;
      wait();
      take(JSON.parse(event.data));
    });
    wait();
    on("snapshot", (whole) => {
      show = whole;
      hears.away(null);
      hears.show(show, null);
    });
    on("change", (news) => {
      if (!show) return;
      apply(show, news);
      hears.show(show, news);
    });
    on("away", () => hears.away("The score keeper of this laptop is away. The page waits for it."));
    for (const name of ["beat", "you", "links", "chart"]) on(name, hears[name] ?? (() => {}));
    events.addEventListener("error", () => lost(events));
  }
  listen();
}
