// The app of this laptop's owner: the screens, and which one is shown.

import { at, element, setChildren } from "./page.js";
import { toast } from "./calls.js";
import { home } from "./home.js";
import { newGame } from "./new-game.js";
import { table } from "./table.js";
import { results } from "./results.js";
import { people } from "./people.js";
import { settings } from "./settings.js";
import { doctor } from "./doctor.js";

/** The screens by the first part of the address after `#`.
 *
 * Each has a `title` and `open(main, ...parts)`, which fills the main element and may return a
 * function that is called when another screen opens. */
const screens = { "": home, new: newGame, table, results, people, settings, doctor };

const links = [["", "Home"], ["new", "New game"], ["results", "Results"], ["people", "People"],
  ["settings", "Settings"]];

let close = null;
let shown = null;

function show() {
  const [name = "", ...parts] = location.hash.slice(1).replace(/^\//, "").split("/")
    .map(decodeURIComponent);
  const screen = screens[name] ?? home;
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
  if (shown !== null) main.focus();
  shown = name;
  scrollTo(0, 0);
}

addEventListener("hashchange", show);
addEventListener("unhandledrejection", ({ reason }) => {
  if (reason?.isCallError) toast(reason.message, true);
});
show();
