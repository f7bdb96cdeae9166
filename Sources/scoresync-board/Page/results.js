// Results, leaders and statistics of the games that ended on this laptop.

import { element, person, tableHead } from "./page.js";
import { attempt, button, call, callConfirmed, counted, go, section, toast, when } from "./calls.js";
import { byEvening, sidesOf } from "./sessions.js";
import { chart, maxLines, shortened } from "./chart.js";
import { picture, svg } from "./drawing.js";

/** A name with the mark of a computer. */
const named = ({ name, computer }) =>
  [person(name), computer ? element("span", { class: "faint" }, " (computer)") : null];

// MARK: Results

function standing(line) {
  return element("li", { class: line.winner ? "won" : null },
    line.winner ? element("span", { "aria-hidden": "true" }, "★ ") : null,
    ...named(line), ` ${line.total}`,
    line.members ? element("span", { class: "faint" }, ` (${line.members.join(", ")})`) : null,
    line.winner ? element("span", { class: "unseen" }, ", winner") : null);
}

function parts(result) {
  if (!result.parts.length) return null;
  const noun = result.part ?? "part";
  const sides = result.teams.filter(({ together }) => together);
  return element("details", {},
    element("summary", {}, counted(result.parts.length, noun)),
    element("ol", { class: "parts" }, ...result.parts.map((part) => element("li", {},
      element("span", { class: "faint" }, `${noun} ${part.number}: `),
      ...sidesOf(part.players, sides).flatMap((line, index) => [
        index ? ", " : "", line.winner ? element("b", {}, person(line.name)) : person(line.name),
        ` ${line.total}`])))));
}

function card(result, isHeld, showsGame) {
  const title = isHeld
    ? element("a", { href: `#table/${encodeURIComponent(result.session)}` }, person(result.title))
    : person(result.title);
  return element("article", { class: "card" },
    element("h3", {}, title),
    element("p", { class: "faint" },
      ...(showsGame ? [person(result.name), " · "] : []), result.at ? when(result.at) : ""),
    element("ol", { class: "standings" }, ...sidesOf(result.players, result.teams).map(standing)),
    parts(result));
}

const evenings = (results, held, showsGame) => byEvening(results).map(([day, games]) => section(
  day, [element("div", { class: "cards" },
    ...games.map((result) => card(result, held.has(result.session), showsGame)))]));

// MARK: Leaders

function leaders({ unit, part, leaders: all }) {
  if (!all.length) return element("p", { class: "faint" }, "No winner yet.");
  const columns = ["Wins", `${unit === "match" ? "Matches" : "Games"}`];
  if (part) columns.push(`${part[0].toUpperCase()}${part.slice(1)}s won`);
  return element("div", { class: "scroll" }, element("table", { class: "figures" },
    tableHead(columns),
    element("tbody", {}, ...all.map((one) => element("tr", {},
      element("th", { scope: "row" }, `${one.place}. `, ...named(one)),
      element("td", {}, String(one.wins)), element("td", {}, String(one.played)),
      part ? element("td", {}, one.parts ? `${one.parts.wins} of ${one.parts.played}` : "") : null)))));
}

// MARK: Statistics

/** The number at the start of a value such as `61.50` or `3 of 7`; null if there is none. */
function number(value) {
  const [text] = value?.match(/^-?\d+([.,]\d+)?/) ?? [];
  return text === undefined ? null : Number(text.replace(",", "."));
}

function table(people) {
  return element("div", { class: "scroll" }, element("table", { class: "figures" },
    element("thead", {}, element("tr", {}, element("td"),
      ...people.map((one) => element("th", { scope: "col" }, ...named(one))))),
    element("tbody", {}, ...people[0].statistics.map(({ label }, index) => element("tr", {},
      element("th", { scope: "row" }, label),
      ...people.map((one) => element("td", {}, one.statistics[index]?.value ?? "–")))))));
}

/** Bars of one value each: `{name, value, text}`, without a bar if the value is null. */
function bars(label, values) {
  const [width, left, right, step] = [460, 130, 80, 34];
  const most = Math.max(...values.map(({ value }) => Math.abs(value ?? 0))) || 1;
  const drawing = picture(`0 0 ${width} ${values.length * step}`,
    `${label}: ${values.map(({ name, text }) => `${name} ${text}`).join(", ")}`);
  values.forEach(({ name, value, text }, index) => {
    const y = index * step;
    const length = ((width - left - right) * Math.abs(value ?? 0)) / most;
    drawing.append(
      svg("text", { x: left - 10, y: y + 21, class: "name" }, shortened(name)),
      svg("rect", {
        x: left, y: y + 6, width: length, height: step - 12, rx: 4, fill: `var(--c${index % maxLines})`,
      }),
      svg("text", { x: left + length + 8, y: y + 21, class: "value" }, text));
  });
  return drawing;
}

/** The pictures of one statistic: over time where it changes from game to game, and as bars. */
function pictures(people, index) {
  const { label } = people[0].statistics[index];
  const title = (one) => one.computer ? `${one.name} (computer)` : one.name;
  const values = people
    .map((one) => ({ name: title(one), text: one.statistics[index]?.value ?? "–" }))
    .map((one) => ({ ...one, value: number(one.text) }));
  const players = people.map((one) => ({
    name: title(one),
    totals: (one.history ?? []).map((game) => number(game.values[index]))
      .filter((value) => value !== null),
  })).filter(({ totals }) => totals.length > 1);
  const steps = Array(Math.max(0, ...players.map(({ totals }) => totals.length)));
  return [
    players.length ? element("figure", { class: "over-time" },
      element("figcaption", {}, `${label}, game by game`),
      chart({ steps, players, teams: [], label, over: "game by game" })) : null,
    values.some(({ value }) => value) ? element("figure", {},
      element("figcaption", {}, label), bars(label, values)) : null,
  ];
}

/** The statistic that is shown first: an average, else the first one with different values. */
function firstIndex(people) {
  const all = people[0].statistics;
  const average = all.findIndex(({ id }) => id.includes("average") || id.includes("per-round"));
  return average >= 0 ? average : 0;
}

function statistics(game, reload) {
  const { people } = game;
  if (!people.length) return section("Statistics", [element("p", {}, "No finished game yet.")]);
  const choices = people[0].statistics
    .map(({ label }, index) => element("option", { value: index }, label));
  const select = element("select", {}, ...choices);
  select.value = firstIndex(people);
  const view = element("div", { class: "pictures" });
  const draw = () => view.replaceChildren(
    ...pictures(people, Number(select.value)).filter((one) => one !== null));
  select.addEventListener("change", draw);
  draw();
  return section("Statistics", [
    game.since ? element("p", { class: "faint" }, `Since ${when(game.since)}`) : "",
    element("label", { class: "inline" }, "Picture of ", select), view,
    element("h3", {}, "All figures"), table(people),
    element("div", { class: "actions" }, button("Reset statistics…", async () => {
      const answer = await callConfirmed("stats.reset", { game: game.game }, "Reset");
      if (!answer) return;
      toast(`Reset: ${answer.forgotten} results no longer count.`);
      reload();
    }, { class: "danger" })),
  ]);
}

// MARK: The screen

async function fill(main, game, reload) {
  const [{ games: all }, { results: list }, { sessions }] = await Promise.all([
    call("stats", game ? { game, history: true } : {}),
    call("results", game ? { game } : {}), call("session.list")]);
  const held = new Set(sessions.map(({ id }) => id));
  if (game) {
    const { games: [ranking] } = await call("leaders", { game, all: true });
    const name = all[0]?.name ?? ranking?.name ?? game;
    main.replaceChildren(
      element("p", {}, element("a", { href: "#results" }, "‹ All results")),
      element("h1", {}, person(name)),
      ...(list.length ? [
        ranking ? section("Leaders", [leaders(ranking)]) : null,
        all[0] ? statistics(all[0], reload) : null,
        section("Results", evenings(list, held, false)),
      ] : [element("p", {}, "No finished game yet.")]).filter((one) => one !== null));
    return;
  }
  const { games: rankings } = await call("leaders");
  if (!list.length) {
    main.replaceChildren(element("h1", {}, "Results"),
      element("p", {}, "Games that end are listed here, with leaders and statistics."),
      element("div", { class: "actions" }, button("New game", () => go("new"), { class: "primary" })));
    return;
  }
  main.replaceChildren(
    element("h1", {}, "Results"),
    section("Leaders and statistics", [element("ul", { class: "cards" }, ...rankings.map((one) => element(
      "li", { class: "card" },
      element("h3", {}, element(
        "a", { href: `#results/${encodeURIComponent(one.game)}` }, person(one.name))),
      one.leaders.length ? element("ol", {}, ...one.leaders.map((leader) => element("li", {},
        `${leader.place}. `, ...named(leader), ` – ${counted(leader.wins, "win")} in `
          + counted(leader.played, one.unit))))
        : element("p", { class: "faint" }, "No winner yet."))))]),
    ...evenings(list, held, true));
}

export const results = {
  title: "Results",
  open(main, game) {
    let isOpen = true;
    const load = () => attempt(() => fill(main, game || null, load), (message) => {
      if (isOpen) main.replaceChildren(element("h1", {}, "Results"),
        element("p", { role: "alert", class: "mark" }, message));
    });
    main.append(element("h1", {}, "Results"));
    load();
    return () => { isOpen = false; };
  },
};
