// A new game: the shelf of games, and the page of one game with its options and players.

import { element, person } from "./page.js";
import {
  attempt, button, call, callConfirmed, counted, field, form, go, takeDrops, toast,
} from "./calls.js";
import { lineup } from "./lineup.js";
import { optionControls } from "./options.js";

const headings = {
  board: "Board games", cards: "Cards", dice: "Dice", sport: "Darts and sport", letters: "Letters",
  plain: "Plain sheets",
};

/** The number of games that were played last to show first. */
const maxRecent = 6;
/** The limit of a game's file, in bytes. */
const maxFile = 256 * 1024;

/** A number of players in words. */
function playersText({ from, to }) {
  if (to === null) return from <= 1 ? "any number of players" : `${from} players or more`;
  return from === to ? counted(to, "player") : `${from} to ${to} players`;
}

export const newGame = {
  title: "New game",
  open: (main, game) => (game ? openGame(main, game) : openShelf(main)),
};

// The shelf

/** Where a search has found a game whose name does not say it. */
const foundText = ({ place, text }) => (place === "row" ? `Row: ${text}` : text);

const tile = (game) => element("li", {}, element("a", { class: "card tile", href: `#new/${game.id}` },
  element("b", {}, person(game.name)), element("span", {}, game.summary),
  ...(game.found ?? []).filter(({ place }) => !["name", "summary", "group"].includes(place))
    .map((found) => element("span", { class: "found" }, foundText(found))),
  element("span", { class: "faint" }, playersText(game.players))));

const shelfPart = (title, games) => (games.length === 0 ? [] : [element("section", {},
  element("h2", {}, title), element("ul", { class: "cards" }, ...games.map(tile)))]);

function openShelf(main) {
  let asked = 0;
  const shelf = element("div", { class: "shelf" });
  const search = element("input", {
    type: "search", "aria-label": "Search for a game", autocomplete: "off",
    placeholder: "Search: a name, a row, a word of the rules",
  });
  const count = element("p", { class: "unseen", role: "status" });
  main.append(element("h1", {}, "New game"), search, count, shelf, ownGames(main));

  async function show() {
    const turn = ++asked;
    const words = search.value.trim().split(/\s+/).filter(Boolean);
    if (words.length > 0) {
      const { games } = await call("game.search", { words });
      if (turn !== asked) return;
      count.replaceChildren(`${counted(games.length, "game")} found`);
      return shelf.replaceChildren(...games.length > 0 ? shelfPart("Found", games)
        : [element("p", {}, "No game has all of these words. Points and Rounds fit any game.")]);
    }
    const [{ games }, { sessions }] = await Promise.all([call("game.list"), call("session.list")]);
    if (turn !== asked) return;
    const ids = [...new Set(sessions.map(({ game }) => game))];
    const recent = ids.map((id) => games.find((game) => game.id === id)).filter(Boolean)
      .slice(0, maxRecent);
    const shared = games.filter(({ own }) => !own);
    const others = shared.filter(({ group }) => !headings[group]);
    shelf.replaceChildren(...shelfPart("Played last", recent),
      ...shelfPart("Your games", games.filter(({ own }) => own)),
      ...Object.entries(headings).flatMap(([group, title]) =>
        shelfPart(title, shared.filter((game) => game.group === group))),
      ...shelfPart("Other games", others));
    count.replaceChildren();
  }

  // The arrows go through the tiles, and Enter opens the first one.
  main.addEventListener("keydown", move);
  function move(event) {
    const tiles = [...shelf.querySelectorAll("a.tile")];
    if (event.key === "Enter" && event.target === search) {
      shown.then(() => shelf.querySelector("a.tile")?.click());
      return;
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const isHere = event.target === search || tiles.includes(event.target);
    if (!step || !isHere) return;
    event.preventDefault();
    const next = tiles.indexOf(event.target) + step;
    (next < 0 ? search : tiles[Math.min(next, tiles.length - 1)])?.focus();
  }
  let shown = show();
  search.addEventListener("input", () => { shown = show(); });
  // The screen's own focus comes first.
  queueMicrotask(() => search.focus());
  return () => main.removeEventListener("keydown", move);
}

/** The part of the shelf that accepts the file of a game. */
function ownGames(main) {
  const file = element("input", { type: "file", accept: ".json,application/json", id: "game-file" });
  const problem = element("p", { role: "alert", class: "mark wrong" });
  const preview = element("div", { role: "status" });
  const node = element("section", { class: "card drop" }, element("h2", {}, "A game of your own"),
    element("p", {}, "Drop the file of a game here, or choose one. It is checked first."),
    element("label", { class: "field", for: "game-file" }, element("span", {}, "File of a game"), file),
    problem, preview);

  async function check(chosen) {
    problem.replaceChildren();
    preview.replaceChildren();
    await attempt(async () => {
      if (chosen.size > maxFile) {
        return problem.replaceChildren(`${chosen.name} is too large for the file of a game (256 KiB).`);
      }
      const sheet = await chosen.text();
      const { game, before } = await call("game.add", { sheet, check: true });
      const versions = before === null ? "" : before === game.version ? "You have this game already. "
        : `It replaces version ${before}. `;
      const adding = form([
        element("h3", {}, person(game.name)), element("p", {}, game.summary),
        element("p", { class: "faint" }, versions, playersText(game.players)),
        element("button", { class: "primary" }, `Add “${game.name}”`),
      ], async () => {
        await call("game.add", { sheet });
        go("new", game.id);
      });
      preview.replaceChildren(adding);
      adding.querySelector("button").focus();
    }, (message) => problem.replaceChildren(`${chosen.name}: ${message}`));
    node.scrollIntoView({ block: "nearest" });
  }

  takeDrops(main, check, node);
  file.addEventListener("change", () => {
    const [chosen] = file.files;
    // The same file is chosen again once it is corrected.
    file.value = "";
    if (chosen) check(chosen);
  });
  return node;
}

// The page of a game

/** Whether a condition of a sheet holds for options as typed. */
function holds(condition, values) {
  const value = values[condition.option] ?? "";
  return condition.is ? condition.is.includes(value) : !["", "no", "0"].includes(value);
}

/** The numbers of players that a game allows under options. */
const allowed = (game, sheet, values) => {
  const seats = (sheet.seats ?? []).find(({ when }) => holds(when, values));
  return seats ? { from: seats.from ?? game.players.from, to: seats.to ?? null } : game.players;
};

/** A faction's id, which the sheet spells out only where the name does not give it. */
const factionId = (faction) => faction.id ?? faction.toLowerCase().replaceAll(/['’]/g, "")
  .replaceAll(/[^a-z0-9]+/g, "-").replaceAll(/^-|-$/g, "");

/** The sets of factions as ticks; `words()` is the move that chooses them, null for the usual ones. */
function factionSets(sets, changed) {
  const boxes = sets.map((set) => {
    const ticks = set.factions.map((faction) => {
      const tick = element("input", { type: "checkbox", checked: set.chosen ? "" : null });
      return { id: factionId(faction), name: faction.name ?? faction, tick };
    });
    const all = element("input", { type: "checkbox", checked: set.chosen ? "" : null });
    const update = () => {
      const count = ticks.filter(({ tick }) => tick.checked).length;
      all.checked = count === ticks.length;
      all.indeterminate = count > 0 && count < ticks.length;
      changed();
    };
    all.addEventListener("change", () => {
      for (const { tick } of ticks) tick.checked = all.checked;
      update();
    });
    for (const { tick } of ticks) tick.addEventListener("change", update);
    const node = element("li", {},
      element("label", { class: "tick" }, all, element("span", {}, person(set.name))),
      element("details", {}, element("summary", { "aria-label": `Factions of ${set.name}` },
        counted(ticks.length, "faction")),
      ...ticks.map(({ name, tick }) => element("label", { class: "tick" }, tick, person(name)))));
    return { set, ticks, node };
  });
  const count = () => boxes.flatMap(({ ticks }) => ticks).filter(({ tick }) => tick.checked).length;
  return {
    node: element("ul", { class: "sets" }, ...boxes.map(({ node }) => node)),
    count,
    words() {
      const isUsual = boxes.every(({ set, ticks }) =>
        ticks.every(({ tick }) => tick.checked === Boolean(set.chosen)));
      if (isUsual) return null;
      return ["only", ...boxes.flatMap(({ set, ticks }) => {
        const chosen = ticks.filter(({ tick }) => tick.checked);
        return chosen.length === ticks.length ? [set.id] : chosen.map(({ id }) => id);
      })];
    },
  };
}

/** The people who played last, and who of them is at this laptop. */
async function lastPlayers(sessions) {
  const last = sessions.find(({ current }) => current) ?? sessions[0];
  if (!last) return [];
  return (await call("player.list", { session: last.id })).players
    .filter(({ removed, computer }) => !removed && !computer);
}

function openGame(main, id) {
  const title = element("h1", {}, "New game");
  const page = element("div", { class: "game" });
  main.append(element("p", {}, element("a", { href: "#new" }, "All games")), title, page);
  attempt(() => showGame(id, title, page), (message) =>
    page.replaceChildren(element("p", { role: "alert", class: "mark" }, message)));
}

/** What teams mean in a game. */
const teamsOf = ({ teams, engine }) => teams ?? (engine && engine !== "rows" ? "none" : "sum");

/** The teams of these seats, as calls name them. */
const teams = (seats) => [...new Set(seats.map((one) => one.team).filter(Boolean))].map((team) => ({
  name: `Team ${team}`, players: seats.filter((one) => one.team === team).map(({ name }) => name),
}));

async function showGame(id, title, page) {
  const [{ game, sheet: text, rules, rows, options, computer }, { people }, { sessions }] =
    await Promise.all([call("game.show", { game: id }), call("people.list"), call("session.list")]);
  const last = await lastPlayers(sessions).catch(() => []);
  const sheet = JSON.parse(text);
  const selected = people.filter(({ seat }) => seat !== null).sort((a, b) => a.seat - b.seat);
  const seats = (selected.length > 0 ? selected : last).map(({ name }) => ({ name }));
  const self = last.find((player) => player.me)?.name;
  title.replaceChildren(person(game.name));

  const refresh = () => players.refresh();
  const controls = optionControls(options, sheet, refresh);
  const sets = sheet.sets ? factionSets(sheet.sets, refresh) : null;
  // A coded game counts a team as one player.
  const isOfSides = teamsOf(sheet) === "together" && sheet.engine && sheet.engine !== "rows";
  const players = lineup({
    people: people.map(({ name }) => name), seats, me: seats.some(({ name }) => name === self) ? self : null,
    allowsComputer: computer, allowsTeams: teamsOf(sheet) !== "none",
    check(chosen) {
      const count = isOfSides ? new Set(chosen.map(({ name, team }) => team ?? ` ${name}`)).size : chosen.length;
      const range = allowed(game, sheet, controls.values());
      if (count === 0) return `Who plays? ${game.name} is for ${playersText(range)}.`;
      if (count < range.from || count > (range.to ?? Infinity)) {
        return `${game.name} is for ${playersText(range)}; ${count === 1 ? "1 is" : `${count} are`} chosen.`;
      }
      if (sets && sets.count() < 2 * count) {
        return `${counted(count, "player")} need ${2 * count} factions; ${sets.count()} are chosen.`;
      }
      return null;
    },
  });
  const isChanged = options.some(({ value, default: usual }) => value !== usual);
  const setup = form([
    players.node,
    options.length === 0 ? null : element("fieldset", { class: "options" },
      element("legend", {}, "Options"), isChanged ? element("p", { class: "faint" }, "As last time. ",
        button("Usual options", () => controls.reset(), { class: "plain" })) : null,
      ...controls.nodes),
    sets ? element("fieldset", {}, element("legend", {}, "Sets to deal from"), sets.node) : null,
    field("Title", element("input", {
      name: "title", maxlength: 200, autocomplete: "off", placeholder: "Such as Friday",
    }), "Left empty, it is the game and the date."),
    element("div", { class: "start" }, element("button", { class: "primary" }, "Start")),
  ].filter(Boolean), ({ title: name }) => start(name.trim()), { class: "setup", novalidate: "" });
  // Beside the button, which stays in sight.
  setup.querySelector(".start").prepend(setup.querySelector(":scope > [role=alert]"));
  const reader = element("aside", { class: "rules" }, element("h2", {}, "The game"),
    ...[game.summary, sheet.help].filter(Boolean).map((one) => element("p", {}, one)),
    element("p", { class: "faint" }, playersText(game.players)),
    ...rules.length > 0 ? [element("h3", {}, "Who wins")] : [],
    ...rules.map((rule) => element("p", {}, rule)),
    ...sheet.engine ? [] : [element("h3", {}, "Rows"), element("dl", {}, ...rows.flatMap((row) => [
      element("dt", {}, person(row.label)), element("dd", {}, row.text)]))],
    game.own ? element("div", { class: "actions" }, button("Remove this game", async () => {
      if (!await callConfirmed("game.remove", { game: game.id }, "Remove")) return;
      toast(`${game.name} is removed.`);
      go("new");
    }, { class: "danger" })) : null);
  page.replaceChildren(setup, reader);

  async function start(name) {
    const chosen = players.seats();
    const wrong = controls.invalid();
    if (wrong) return wrong.focus();
    if (chosen.length === 0) return players.focus();
    const names = chosen.filter(({ depth }) => !depth).map((seat) => seat.name);
    const { session, notes = [] } = await call("session.new", {
      game: game.id, title: name || null, players: names, options: controls.chosen(), fresh: true,
      teams: teams(chosen.filter(({ depth }) => !depth)), me: players.me() ?? "",
    });
    // From here on there is a game: what cannot be done now can be done at the table.
    await attempt(() => seat(session.id, chosen), (message) => notes.push(message));
    go("table", session.id);
    if (notes.length > 0) toast(notes.join(" "));
  }

  async function seat(session, chosen) {
    const computers = chosen.filter(({ depth }) => depth);
    for (const { name, depth } of computers) {
      await call("player.add", { session, names: [name], computer: true, depth });
    }
    if (computers.length > 0) {
      await call("player.order", { session, players: chosen.map(({ name }) => name) });
    }
    for (const { name, players: members } of teams(computers)) {
      await call("player.team", { session, team: name, players: members });
    }
    const words = sets?.words();
    if (words) await call("play", { session, words, details: {} });
  }
}
