// The page of the board, for everyone to watch.

import {
  cellAt, cellName, entryText, figure, leadersText, membersOf, playerOf, ranked, scorers, seated,
  valueText,
} from "./sheet.js";
import { changeText, difference } from "./changes.js";
import { roundPoints, worth } from "./rounds.js";
import { chart } from "./chart.js";
import { drawnPanels } from "./panels.js";
import { TurnClock } from "./clock.js";
import * as caller from "./caller.js";
import { keep, kept } from "./kept.js";
import { laptopItems } from "./laptops.js";
import {
  announce, at, element, follow, hide, list, person, setChildren, setText, showProblem, tableHead,
  tableRow, throttledDraw,
} from "./page.js";

let show = null;
let problem = null;
/** The turn and the end of the sheet before the change that is shown. */
let before = {};
let links = [];
/** The path of the code that hands over the play that has ended. */
let play = null;
let areAllCodesShown = false;
/** The position of the latest entry in the sheet, and the height of the sheet. */
let latest = null;
let chartData = null;
/** The time of each cell's last change, which is highlighted for a moment. */
const changedAt = new Map();
const highlightMilliseconds = 2500;

const address = new URL(location);
/** Whether the page is one line for a stream, as `?overlay` asks. */
const isOverlay = address.searchParams.has("overlay");
document.documentElement.classList.toggle("overlay", isOverlay);
const clock = new TurnClock();
const chosenClock = address.searchParams.get("clock");
if (chosenClock === null || !clock.choose(chosenClock)) clock.choose(kept("clock") ?? "");
/** The players whose time a line of the totals shows. */
const idsOf = (player) => membersOf(player).map(({ id }) => id);

function header({ document: sheet, context }) {
  setText("title", person(sheet.session.title));
  setText("game", context.gameName + (sheet.finished ? " – over" : ""));
  document.title = `${sheet.session.title} – ScoreSync`;
  const peers = laptopItems(context.peers);
  if (context.offline) peers.unshift(element("li", { class: "gone" }, "this laptop is offline"));
  setChildren("people", peers);
}

const mark = (kind, text) => (text ? [element("span", { class: kind }, text)] : []);

function standings({ document: sheet, context }) {
  setText("totals-title", sheet.finished ? "Final places" : context.totalLabel);
  at("totals").classList.toggle("over", sheet.finished);
  const all = ranked(show);
  at("totals").classList.toggle("crowded", all.length > maxPlayersAboveChart);
  setChildren("standings", all.map((player, index) => {
    const isLeading = context.leaders.includes(player.id) && !sheet.finished;
    const [number, kind] = figure(show, player);
    const item = element(
      "li", { class: player.winner ? "winner" : player.id === sheet.turn ? "mover" : null },
      element("span", { class: "place faint" }, player.rank ? `${player.rank}.` : ""),
      element("span", { class: "name" }, person(player.name)),
      element("span", { class: "marks" },
        ...mark("won", player.winner && "★ won"),
        ...mark("leads", isLeading && "leads"),
        ...mark("leads", player.id === sheet.turn && !clock.isShown && "to play"),
        ...clock.isShown ? timeOf(idsOf(player)) : [],
        ...mark("faint", kind !== context.totalLabel && `${context.totalLabel} ${player.total}`),
        ...mark("faint", player.team && person(player.team)),
        ...mark("faint", player.tieBreak)),
      element("span", { class: "total" }, number,
        kind === context.totalLabel ? null : element("small", {}, ` ${kind}`)),
    );
    // The winner appears last.
    item.style.setProperty("--turn", Math.min(all.length - 1 - index, 8));
    return item;
  }));
  const mover = playerOf(show, sheet.turn);
  setText("turn", ...(mover ? [person(mover.name), " is to play"] : []));
  const other = context.inUse
    ? [element("li", {}, "This laptop now uses ", person(context.inUse.title))] : [];
  setChildren("notes", [...context.notes.map((note) => element("li", {}, person(note))), ...other]);
}

/** The time of a player or side on the clock; nothing if there is none. */
function timeOf(ids) {
  const text = clock.textOf(ids);
  return text === null ? [] : [element("span", {
    class: clock.isUp(ids) ? "clock mark" : "clock", "data-players": ids.join(" "),
  }, text)];
}

/** Shows the times that have passed, without a redraw of the page. */
function showTimes() {
  clock.count();
  hide("clock", !clock.isShown);
  if (!clock.isShown) return;
  const own = [clock.player];
  setText("time", clock.textOf(own));
  at("time").className = clock.isUp(own) ? "mark" : "";
  setText("pause", clock.isWaiting ? "Start" : clock.isPaused ? "Go on" : "Pause");
  for (const one of document.querySelectorAll(".clock")) {
    const ids = one.dataset.players.split(" ");
    const text = clock.textOf(ids);
    if (one.textContent !== text) one.textContent = text;
    one.classList.toggle("mark", clock.isUp(ids));
  }
}

/** Moves a section to the end of a column. */
function put(id, column) {
  if (at(id).parentElement !== at(column)) at(column).append(at(id));
}

function totalsChart({ document: sheet }) {
  const isCrowded = seated(show).length > maxPlayersAboveChart;
  const isShown = chartData?.session.id === sheet.session.id && chartData.steps.length > 1
    && chartData.players.length > 0 && !(isCrowded && areCodesShown());
  hide("chart", !isShown);
  if (isShown) setChildren("drawing", [chart(chartData)]);
  // A few totals leave room for the chart below them.
  put("chart", isCrowded ? "wide" : "side");
}

const maxPlayersAboveChart = 6;
const cellKey = (player, { row, round }) => `${player.id} ${row} ${round ?? ""}`;

function tableCell(player, row) {
  const cell = cellAt(player, row);
  const computed = row.round != null ? roundPoints(show, player, row)
    : player.computed.find((one) => one.row === row.row)?.points ?? "";
  if (!cell) return element("td", { class: row.round == null ? "faint" : null }, String(computed));
  const isFresh =
    membersOf(player).some((one) =>
      performance.now() - changedAt.get(cellKey(one, row)) < highlightMilliseconds);
  const points = worth(row, cell);
  const isDisputed = cell.conflict.length > 0;
  return element("td", { class: isDisputed ? "mark" : isFresh ? "fresh" : null },
    person(valueText(cell)),
    points === null ? null : element("span", { class: "faint" }, `\u00a0→\u00a0${points}`),
    isDisputed ? " !" : null);
}

/** The rows of the table, with the fields of a round together and its points after them. */
function tableRows({ rows }) {
  const groupOf = (row) => row.group ?? row.row;
  const start = (row) => rows.findIndex((one) => groupOf(one) === groupOf(row));
  return [...rows].sort((one, other) => start(one) - start(other) || one.round - other.round);
}

function table({ context }) {
  const players = scorers(show);
  hide("sheet", context.rows.length === 0 || players.length === 0);
  setChildren("table", [
    tableHead(players.map((player) => player.name)),
    element("tbody", {}, ...tableRows(context).map((row) =>
      tableRow(row.label, players.map((player) => tableCell(player, row))))),
    element("tfoot", {}, tableRow(context.totalLabel,
      players.map((player) => element("td", {}, String(player.total))))),
  ]);
}

function conflicts({ document: sheet, context }) {
  const contested = sheet.players.flatMap((player) => player.cells
    .filter((cell) => cell.conflict.length > 0)
    .map((cell) => element("li", {}, person(player.name), `, ${cellName(cell, context.rows)}: `,
      ...list([cell, ...cell.conflict].map((entry) => element(
        "span", {}, element("b", {}, person(entryText(entry))), " by ", person(entry.by))), "or"))));
  const flags = sheet.flags.map((flag) => element("li", {},
    person(playerOf(show, flag.player)?.name ?? "unknown player"),
    `, ${cellName(flag, context.rows)}: `, person(flag.reason)));
  setChildren("conflicts", [...contested, ...flags]);
  hide("trouble", at("conflicts").hidden);
}

/** Whether a player is still to scan a code. */
const isMissing = ({ opened }) => !opened;
const areCodesShown = () => areAllCodesShown || links.some(isMissing);

function phones() {
  hide("phones", links.length === 0);
  // A board of squares needs the height of its column.
  put("phones", show.context.moves?.input === "squares" ? "side" : "wide");
  hide("codes", !areAllCodesShown && links.every(isMissing));
  at("codes").setAttribute("aria-expanded", areAllCodesShown);
  setChildren("links", links.map((link) => element(
    "li", { hidden: areAllCodesShown || isMissing(link) ? null : "" },
    element("a", { href: link.path, target: "_blank", rel: "noopener" },
      element("img", { src: link.qr, alt: "", width: "160", height: "160" }), person(link.name)))));
  hide("links", !areCodesShown());
  setText("phones-title", areCodesShown() ? "Scan your code to enter scores" : "All phones are here");
}

/** Shows the code that hands the play over once it has ended. */
function handOver({ document: sheet }) {
  const isShown = play !== null && sheet.finished;
  hide("play", !isShown);
  if (isShown && at("play-code").getAttribute("src") !== play) at("play-code").src = play;
}

/** The windows in which everything is on one screen, as in `board.css`. */
const oneScreen = matchMedia("(min-width: 60rem) and (min-height: 30rem)");
/** The arrangements that are tried in turn until all tables have the width that they need; the last
 * one breaks long names. */
const arrangements = [
  "", "tight", "tight slim", "tight slim small", "tight slim tiny", "tight across",
  "tight slim tiny broken",
];
/** The sizes of type that are tried until a column has the height that it needs; a sheet that is
 * still too high is scrolled. */
const scales = { side: [1, 0.85, 0.72, 0.6, 0.5], wide: [1, 0.85, 0.72] };

const hasWidth = (one) => one.scrollWidth <= one.clientWidth;
const hasHeight = (one) => one.scrollHeight <= one.clientHeight;

/** Sets the first of the sizes of type at which all these parts of a column fit, or the last. */
function scale(id, parts, fits) {
  for (const size of scales[id]) {
    at(id).style.setProperty("--scale", size);
    if (parts.every(fits)) break;
  }
}

function fit() {
  if (isOverlay) return scale("side", [at("standings")], hasWidth);
  const main = document.querySelector("main");
  const tables = [...main.querySelectorAll(".scroll")];
  for (const id in scales) at(id).style.removeProperty("--scale");
  for (const kind of arrangements) {
    if (!oneScreen.matches && kind.includes("slim")) continue;
    main.className = kind;
    if (tables.every(hasWidth)) break;
  }
  if (!oneScreen.matches || main.classList.contains("across")) return;
  for (const id in scales) {
    scale(id, [at(id), ...tables.filter((one) => at(id).contains(one))], hasHeight);
  }
}

/** Scrolls the sheet to its latest entry, if that or the height of the sheet has changed. */
function showLatest() {
  const [body] = at("table").tBodies;
  const row = [...body?.rows ?? []].findLast((one) =>
    [...one.cells].slice(1).some((cell) => cell.textContent));
  const view = at("table").parentElement;
  const end = row ? row.offsetTop + row.offsetHeight : 0;
  const key = `${end} ${view.clientHeight}`;
  if (latest === key) return;
  latest = key;
  view.scrollTop = end + at("table").tFoot.offsetHeight - view.clientHeight;
}

const redraw = throttledDraw(() => {
  showProblem(problem, show ? leadersText(show) : "");
  if (!show) return;
  setChildren("panels", drawnPanels(show));
  for (const part of [header, standings, showTimes, totalsChart, table, conflicts, handOver, phones]) part(show);
  fit();
  showLatest();
});

/** The choices of this screen, which are kept in its browser. */
function openChoices() {
  const [kind, limit = ""] = clock.text.split(":");
  [at("kind").value, at("limit-text").value] = [kind, limit];
  hide("clocks", show?.document.turn == null);
  hide("calls", !caller.canSpeak);
  for (const box of at("calls").querySelectorAll("input")) box.checked = caller.chosen.has(box.name);
  changeClock();
  at("dialog").showModal();
}

function changeClock() {
  const kind = at("kind").value;
  const limit = at("limit-text").value.trim().toLowerCase();
  const isValid = clock.choose(kind && limit ? `${kind}:${limit}` : kind);
  for (const id of ["limit", "limit-help", "restart"]) hide(id, !kind);
  at("limit-text").setAttribute("aria-invalid", !isValid);
  at("limit-help").className = isValid ? "faint" : "mark";
  if (!isValid) return;
  keep("clock", clock.text);
  redraw();
}

at("options").addEventListener("click", openChoices);
at("kind").addEventListener("change", changeClock);
at("limit-text").addEventListener("input", changeClock);
at("restart").addEventListener("click", () => {
  clock.restart();
  redraw();
});
at("calls").addEventListener("change", ({ target }) => {
  caller.choose(target.name, target.checked);
  if (target.checked) say(`The caller says ${target.parentElement.textContent.trim()}`);
});
at("choices").addEventListener("submit", (event) => {
  event.preventDefault();
  at("dialog").close();
});
at("pause").addEventListener("click", () => {
  clock.pause();
  showTimes();
});
setInterval(showTimes, 250);
addEventListener("pagehide", () => clock.save());

/** Lets the caller speak, or says that the browser waits for a click. */
function say(text) {
  caller.say(text, () => setText("options", "Click so that the caller can speak"));
}
addEventListener("pointerdown", () => setText("options", "Clock and caller"));

addEventListener("resize", redraw);
at("codes").addEventListener("click", () => {
  areAllCodesShown = !areAllCodesShown;
  redraw();
});
follow({
  show(now, change) {
    const isNext = show && show.document.session.id !== now.document.session.id;
    // The winners are celebrated only if the game ends while the page is open.
    const { finished, session } = now.document;
    const isEnd = finished && show && !isNext && !before.finished;
    if (isEnd || !finished || isNext) at("standings").classList.toggle("ceremony", isEnd);
    const changed = change ?? (show && !isNext ? difference(show, now) : null);
    if (changed) for (const text of caller.calls(now, changed, before)) say(text);
    before = { turn: now.document.turn, finished };
    clock.follow(now.document);
    show = now;
    announce("news",
      isNext ? `Next game: ${session.title}` : changed ? changeText(now, changed) : "");
    if (isNext) changedAt.clear();
    for (const player of changed?.document.players ?? []) {
      for (const cell of player.cells ?? []) {
        changedAt.set(cellKey(player, cell), performance.now());
        setTimeout(redraw, highlightMilliseconds);
      }
    }
    redraw();
  },
  away(reason) {
    problem = reason;
    redraw();
  },
  links(all) {
    links = all;
    redraw();
  },
  chart(data) {
    chartData = data;
    redraw();
  },
  play({ path }) {
    play = path;
    redraw();
  },
}, { keepsHidden: () => clock.isOn || caller.chosen.size > 0 });
