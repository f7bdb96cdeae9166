// The app of this laptop's owner: the screens, and which one is shown.

import { at, element, setChildren } from "./page.js";
import { CallError, toast } from "./calls.js";

/** The modules of the screens by the first part of the address after `#`, loaded when needed.
 *
 * A screen has a `title` and `open(main, ...parts)`, which fills the main element and may return a
 * function that is called when another screen opens. */
const screens = {
  "": () => import("./home.js").then(({ home }) => home),
  new: () => import("./new-game.js").then(({ newGame }) => newGame),
  table: () => import("./table.js").then(({ table }) => table),
  results: () => import("./results.js").then(({ results }) => results),
  people: () => import("./people.js").then(({ people }) => people),
  settings: () => import("./settings.js").then(({ settings }) => settings),
  doctor: () => import("./doctor.js").then(({ doctor }) => doctor),
};

const links = [["", "Home"], ["new", "New game"], ["results", "Results"], ["people", "People"],
  ["settings", "Settings"]];

/** A part of the address; an address that was typed can be one that cannot be decoded. */
function decoded(text) {
  try { return decodeURIComponent(text); } catch { return text; }
}

let close = null;
let isFirst = true;
/** Counts the addresses, because another one may follow while a module is loaded. */
let latest = 0;

async function show() {
  const number = ++latest;
  const [name = "", ...parts] = location.hash.slice(1).replace(/^\//, "").split("/").map(decoded);
  let screen;
  try { screen = await (screens[name] ?? screens[""])(); } catch {
    return toast("ScoreSync does not answer. Open it again by its icon.", true);
  }
  if (number !== latest) return;
  close?.();
  setChildren("nav", links.map(([to, label]) => element(
    "a", { href: `#${to}`, "aria-current": to === name ? "page" : null }, label)));
  const main = at("main");
  main.replaceChildren();
  main.className = name || "home";
  document.title = `${screen.title} – ScoreSync`;
  at("dialog").close();
  close = screen.open(main, ...parts) ?? null;
  // The first screen leaves the focus where the browser puts it.
  if (!isFirst) main.focus();
  isFirst = false;
  scrollTo(0, 0);
}

addEventListener("hashchange", show);
addEventListener("unhandledrejection", (event) => {
  if (!(event.reason instanceof CallError)) return;
  event.preventDefault();
  toast(event.reason.message, true);
});
show();
