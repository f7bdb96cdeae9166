// Joining without a code: the games of other laptops, and the laptops that ask to join one's own.

import { button, call, dialog, go } from "./calls.js";
import { element, person } from "./page.js";

/** The interval in ms at which the list of games is renewed while it is shown. */
const interval = 1500;

/** The symbols that must be the same on both screens, with their names. */
const pictures = (symbols) => element("ul", { class: "symbols", "aria-label": "Symbols" },
  ...symbols.map(({ name, picture }) => element("li", {},
    element("span", { "aria-hidden": "true" }, picture), element("b", {}, name))));

const day = (time) => new Date(time).toLocaleDateString([], { weekday: "long", day: "numeric", month: "long" });

/** Opens the table of a session that this laptop has joined, after asking who sits here. */
export async function openJoined({ id, me }) {
  const { players } = me ? { players: [] } : await call("player.list", { session: id });
  const people = players.filter(({ removed, computer }) => !removed && !computer);
  const player = people.length && await dialog("Who are you?", (finish) => element("div", {
    class: "choices",
  }, ...people.map((one) => button(person(one.name), () => finish(one.id))),
  button("None of them", () => finish(null), { class: "plain" })));
  if (player) await call("player.me", { session: id, player });
  go("table", id);
}

/** Knocks at a game, and waits until somebody there answers. */
async function knock(game) {
  const { knock, symbols } = await call("session.knock", { session: game.session, address: game.address });
  const withdraw = (options) => call("session.withdraw", { knock }, options);
  const leave = () => withdraw({ last: true });
  addEventListener("pagehide", leave);
  let [joined, problem, isWaiting] = [null, null, true];
  await dialog(`Waiting for ${game.laptop}`, (finish) => {
    call("session.join", { knock }).then(({ session }) => { joined = session; }, (error) => {
      problem = error;
    }).finally(() => isWaiting && finish());
    return [
      ...symbols.length ? [pictures(symbols), element("p", {},
        person(game.laptop), " shows the same four. Ask somebody there to say yes.")]
        : [element("p", {}, "Ask somebody at ", person(game.laptop), " to say yes.")],
      element("div", { class: "actions" }, button("Cancel", () => finish())),
    ];
  });
  isWaiting = false;
  removeEventListener("pagehide", leave);
  if (joined) return openJoined(joined);
  if (problem) throw problem;
  await withdraw();
}

const gameItem = (game) => element("li", { class: "card line" },
  element("div", {}, element("b", {}, person(game.title)),
    element("p", { class: "faint" }, person(game.game), " · ", person(game.laptop),
      game.lastPlayed ? ` · played together on ${day(game.lastPlayed)}` : "")),
  button("Join", () => knock(game), { class: "primary", "aria-label": `Join ${game.title}` }));

/** Keeps a list of the games that could be joined; returns a function that ends that. */
export function listNearby(section) {
  let shown = "[]";
  section.hidden = true;
  async function load() {
    if (document.hidden) return;
    const { games } = await call("session.nearby").catch(() => ({ games: [] }));
    if (JSON.stringify(games) === shown) return;
    shown = JSON.stringify(games);
    section.replaceChildren(element("h2", {}, "Games nearby"),
      element("ul", { class: "cards" }, ...games.map(gameItem)));
    section.hidden = games.length === 0;
  }
  load();
  const timer = setInterval(load, interval);
  return () => clearInterval(timer);
}

const answer = (knock, answer) => call("session.admit", {
  session: knock.session.id, knock: knock.id, answer,
});

const knockItem = (knock) => element("li", { class: "card knock" },
  element("p", {}, element("b", {}, person(knock.laptop)), " asks to join",
    ...knock.at ? [" at ", person(knock.at)] : [], "."),
  ...knock.symbols.length ? [pictures(knock.symbols),
    element("p", {}, "Let it in only if its screen shows the same four.")]
    : [element("p", { class: "faint" }, `Played together on ${day(knock.lastPlayed)}.`)],
  element("div", { class: "actions" },
    button("Let in", () => answer(knock, "yes"), { class: "primary" }),
    button("No", () => answer(knock, "no")),
    button("Not this one again", () => answer(knock, "mute"))));

/** Shows the laptops that ask to join; keeps what is shown if they are the same. */
export function showKnocks(list, now) {
  const knocks = now ?? [];
  const shown = JSON.stringify(knocks);
  if ((list.dataset.knocks ?? "[]") === shown) return;
  list.dataset.knocks = shown;
  list.replaceChildren(...knocks.map(knockItem));
  list.hidden = knocks.length === 0;
}
