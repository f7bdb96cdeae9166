// The first page: the game that is being played, other games, a code to join by, and the evenings
// before.

import { element, follow, list, person, showProblem } from "./page.js";
import { button, call, callConfirmed, clock, counted, dialog, field, form, toast } from "./calls.js";
import { listNearby, openJoined, showKnocks } from "./nearby.js";
import { scorers } from "./sheet.js";
import { byEvening, playAgain, rename, sidesOf } from "./sessions.js";

/** The number of evenings that are shown; all are among the results. */
const maxEvenings = 5;

/** Names in a sentence, each isolated from its writing direction. */
const names = (players) => list(players.map(({ name }) => person(name)));

const won = (winners) => (winners.length === 0 ? ["nobody won"] : [...names(winners), " won"]);

/** A button that opens a dialog, and gets the focus back from it. */
function opener(label, act, attributes) {
  const node = element("button", { type: "button", "aria-haspopup": "dialog", ...attributes }, label);
  node.addEventListener("click", act);
  return node;
}

async function leave({ id }) {
  if (await callConfirmed("session.leave", { session: id }, "Leave")) toast("You have left the game.");
}

async function makeCurrent({ id }) { await call("session.use", { session: id }); }

/** Lists what can be done with a session, and does what is chosen. */
async function showMore(session, reload) {
  const choices = [
    session.current ? null : ["Make it the current game", makeCurrent],
    ["Play again with the same people", playAgain],
    ["Rename", rename],
    ["Leave this game", leave, "danger"],
  ].filter(Boolean);
  const act = await dialog(session.title, (finish) => element("div", { class: "choices" },
    ...choices.map(([label, act, kind]) => button(label, () => finish(act), { class: kind })),
    button("Cancel", () => finish())));
  if (!act) return;
  await act(session);
  await reload();
}

/** The results of finished games by evening, the latest first. */
function evenings(results, open) {
  const ended = results.filter(({ session, at, players }) =>
    at && !open.has(session) && players.some(({ rank }) => rank !== null));
  return byEvening(ended.sort((a, b) => b.at.localeCompare(a.at))).slice(0, maxEvenings);
}

export const home = {
  title: "Home",
  open(main) {
    let current = null;
    const now = element("section", { class: "now card", "aria-label": "Playing now", hidden: "" });
    const away = element("section", { class: "card", hidden: "" });
    const first = element("section", { class: "first card", hidden: "" });
    const others = element("section", { hidden: "" });
    const before = element("section", { hidden: "" });
    const knocks = element("ul", { class: "cards", role: "alert", hidden: "" });
    const nearby = element("section", {});
    const join = element("section", { class: "card" }, element("h2", {}, "Join by a code"), form([
      field("Code", element("input", {
        name: "code", required: "", autocomplete: "off", autocapitalize: "characters",
        spellcheck: "false", class: "code",
      }), "The laptop that invites shows it. Capitals, spaces and dashes do not matter."),
      element("details", {}, element("summary", {}, "It is not found?"),
        field("Address of that laptop", element("input", { name: "peer", autocomplete: "off" }),
          "Such as 192.168.0.7, from the others’ settings.")),
      element("button", { class: "primary" }, "Join"),
    ], async ({ code, peer }) => {
      const { session } = await call("session.join", { code, peer: peer.trim() || null });
      await openJoined(session);
    }));
    const start = element("section", { class: "card" }, element("h2", {}, "Start"),
      element("div", { class: "choices" },
        element("a", { class: "button primary", href: "#new" }, "New game"),
        element("a", { class: "button", href: "#results" }, "Results and statistics")));
    main.append(element("h1", {}, "Home"), away, knocks, nearby, first, now,
      element("div", { class: "pair" }, start, join), others, before);

    const more = (session) => opener("More", () => showMore(session, load),
      { "aria-label": `More for ${session.title}` });

    const showNow = (show) => {
      const { document: sheet, context } = show;
      const sides = scorers(show);
      const isOf = (ids) => ({ id, members = [{ id }] }) => members.some((one) => ids.includes(one.id));
      const named = (ids) => sides.filter(isOf(ids));
      const hasStarted = sheet.players.some(({ cells }) => cells.length > 0);
      const turn = sheet.players.filter(({ id }) => id === sheet.turn);
      const state = sheet.finished ? won(named(sheet.winners))
        : !hasStarted ? ["nothing entered yet"] : !context.leaders.length ? ["nobody leads yet"]
          : [...names(named(context.leaders)), context.leaders.length > 1 ? " lead" : " leads"];
      const { id, title } = sheet.session;
      const again = opener("Play again", () => playAgain({ id, title }), { class: sheet.finished ? "primary" : null });
      const onward = element("a", {
        class: sheet.finished ? "button" : "button primary", href: `#table/${id}`,
      }, sheet.finished ? "Look at it" : "Go on");
      const focused = now.contains(document.activeElement)
        ? document.activeElement.textContent : null;
      now.replaceChildren(
        element("p", { class: "faint" }, sheet.finished ? "Played last" : "Playing now"),
        element("h2", { class: "big" }, person(title)),
        element("p", {}, person(context.gameName), " · ", ...state,
          ...turn.length > 0 && !sheet.finished ? [" · ", ...names(turn), " to move"] : []),
        element("ul", { class: "totals" }, ...sides.map((player) =>
          element("li", { class: isOf(context.leaders)(player) ? "won" : null },
            person(player.name), " ", element("b", {}, `${player.headline?.value ?? player.total}`)))),
        element("div", { class: "actions" },
          ...sheet.finished ? [again, onward] : [onward, again], ...current ? [more(current)] : []));
      [...now.querySelectorAll("a, button")].find((one) => one.textContent === focused)?.focus();
      now.hidden = false;
    };

    const sessionCard = (session, games) => element("li", { class: "card line" },
      element("div", {}, element("a", { href: `#table/${session.id}` }, person(session.title)),
        element("p", { class: "faint" }, [games.get(session.game) ?? session.game,
          counted(session.players, "player"),
          session.status === "finished" ? "finished" : null,
          session.peersOnline > 0 ? "others online" : null].filter(Boolean).join(" · "))),
      more(session));

    const resultLine = (result, known) => {
      const sides = sidesOf(result.players, result.teams);
      const winners = sides.filter(({ winner }) => winner);
      const session = known.get(result.session);
      return element("li", { class: "card line" },
        element("div", {},
          session ? element("a", { href: `#table/${result.session}` }, person(result.title))
            : person(result.title),
          element("p", {}, person(result.name), " · ", element("span", { class: "won" }, ...won(winners))),
          element("p", { class: "faint" }, clock(result.at), " · ", ...list(sides.map(({ name, total }) =>
            element("span", {}, person(name), ` ${total}`))))),
        session ? more(session) : null);
    };

    let asked = 0;
    async function load() {
      const turn = ++asked;
      let sessions, results, games;
      try {
        [{ sessions }, { results }, { games }] = await Promise.all(
          ["session.list", "results", "game.list"].map((method) => call(method)));
      } catch (error) {
        if (!["no-daemon", "connection-lost"].includes(error.kind)) throw error;
        return showAway();
      }
      if (turn !== asked) return;
      away.hidden = true;
      const known = new Map(sessions.map((session) => [session.id, session]));
      const open = new Set(sessions.filter(({ status }) => status === "open").map(({ id }) => id));
      const byId = new Map(games.map(({ id, name }) => [id, name]));
      current = sessions.find((session) => session.current) ?? null;
      if (!current) now.hidden = true;
      else if (latest?.document.session.id === current.id) showNow(latest);
      first.hidden = sessions.length + results.length > 0;
      if (!first.hidden) {
        first.replaceChildren(element("h2", {}, "Welcome to ScoreSync"), element("ol", { class: "steps" },
          element("li", {}, "Start a new game: pick it from the shelf and say who plays."),
          element("li", {}, "Let the others in: by phone, or on their own laptops by “Join”."),
          element("li", {}, "Enter scores. Everyone sees the same totals a moment later.")));
      }
      const days = evenings(results, open);
      const listed = new Set(days.flatMap(([, items]) => items.map(({ session }) => session)));
      const rest = sessions.filter(({ id, current: isCurrent }) => !isCurrent && !listed.has(id));
      others.replaceChildren(element("h2", {}, "Other games"),
        element("ul", { class: "cards" }, ...rest.map((session) => sessionCard(session, byId))));
      others.hidden = rest.length === 0;
      before.replaceChildren(element("h2", {}, "Played before"), ...days.flatMap(([day, items]) => [
        element("h3", {}, day),
        element("ul", { class: "cards" }, ...items.map((result) => resultLine(result, known)))]),
      element("p", {}, element("a", { href: "#results" }, "All results")));
      before.hidden = days.length === 0;
    }

    function showAway() {
      for (const section of [now, first, others, before]) section.hidden = true;
      const problem = element("p", { role: "alert", class: "mark" });
      away.replaceChildren(element("h2", {}, "ScoreSync is not running on this laptop"),
        element("p", {}, "Its scores are saved. Start it to see them."), problem,
        element("div", { class: "actions" }, button("Start ScoreSync", async () => {
          const { succeeded, output } = await call("app.start");
          if (!succeeded) return problem.replaceChildren(output);
          await load();
        }, { class: "primary" })));
      away.hidden = false;
    }

    let latest = null;
    const end = follow({
      show: (show, change) => {
        latest = show;
        showKnocks(knocks, show.context.knocks);
        // Another session, title or player arrives as a whole sheet.
        if (change) showNow(show); else load();
      },
      away: async (problem) => {
        if (!problem) away.hidden = true;
        try { if (problem) await load(); } catch { return showProblem(problem); }
        showProblem(null, "");
      },
    });
    load();
    const endNearby = listNearby(nearby);
    return () => {
      end();
      endNearby();
      showProblem(null, "");
    };
  },
};
