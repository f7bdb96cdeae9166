// The board: what everybody looks at.

import {
  cellAt, difference, figure, name, playerOf, ranked, seated, shownRows, standing, tidings, words,
} from "./sheet.js";
import { chart } from "./drawing.js";
import { drawnPanels } from "./panels.js";
import {
  at, drawing, element, fill, follow, heads, hide, line, list, person, say, sayAway, tell,
} from "./page.js";

let show = null;
let trouble = null;
let wasFinished = false;
let links = [];
let totals = null;
/** When each place was told last, and for how long that is to be seen. */
const toldAt = new Map();
const freshTime = 2500;

function header({ document: sheet, context }) {
  say("title", person(sheet.session.title));
  say("game", context.gameName + (sheet.finished ? " – over" : ""));
  document.title = `${sheet.session.title} – ScoreSync`;
  const peers = context.peers.map((peer) => element(
    "li", { class: peer.online ? "here" : "gone" },
    person(peer.name), peer.online ? (peer.synced ? " in sync" : " catching up") : " away",
  ));
  if (context.offline) peers.unshift(element("li", { class: "gone" }, "this laptop is offline"));
  fill("people", peers);
}

const mark = (kind, words) => (words ? [element("span", { class: kind }, words)] : []);

function standings({ document: sheet, context }) {
  say("totals-title", sheet.finished ? "Final places" : context.totalLabel);
  at("totals").classList.toggle("over", sheet.finished);
  const all = ranked(show);
  fill("standings", all.map((player, index) => {
    const isLeading = context.leaders.includes(player.id) && !sheet.finished;
    const [number, kind] = figure(show, player);
    const item = element(
      "li", { class: player.winner ? "winner" : player.id === sheet.turn ? "mover" : null },
      element("span", { class: "place faint" }, player.rank ? `${player.rank}.` : ""),
      element("span", { class: "name" }, person(player.name)),
      element("span", { class: "marks" },
        ...mark("won", player.winner && "★ won"),
        ...mark("leads", isLeading && "leads"),
        ...mark("leads", player.id === sheet.turn && "to play"),
        ...mark("faint", kind !== context.totalLabel && `${context.totalLabel} ${player.total}`),
        ...mark("faint", player.team && person(player.team)),
        ...mark("faint", player.tieBreak)),
      element("span", { class: "total" }, number,
        kind === context.totalLabel ? null : element("small", {}, ` ${kind}`)),
    );
    // At the ceremony the last place comes first.
    item.style.setProperty("--turn", Math.min(all.length - 1 - index, 8));
    return item;
  }));
  const mover = playerOf(show, sheet.turn);
  say("turn", ...(mover ? [person(mover.name), " is to play"] : []));
  const other = context.inUse
    ? [element("li", {}, "This laptop plays on with ", person(context.inUse.title))] : [];
  fill("notes", [...context.notes.map((note) => element("li", {}, person(note))), ...other]);
}

function course({ document: sheet }) {
  const isThere = totals?.session.id === sheet.session.id && totals.steps.length > 1
    && totals.players.length > 0;
  hide("chart", !isThere);
  if (isThere) fill("drawing", [chart(totals)]);
}

const placeOf = (player, { row, round }) => `${player.id} ${row} ${round ?? ""}`;

/** What a round of several fields is worth, once all that it waits for are there. */
function worth(player, { row, round }) {
  const at = (field) => cellAt(player, { row: field.row, round });
  const fields = show.context.pad.filter((one) => one.group === row);
  if (!fields.some(at) || !fields.every((one) => one.optional || at(one))) return "";
  return fields.reduce((sum, one) => sum + (at(one)?.points ?? 0), 0);
}

function value(player, row) {
  const cell = cellAt(player, row);
  const computed = row.round != null ? worth(player, row)
    : player.computed.find((one) => one.row === row.row)?.points ?? "";
  if (!cell) return element("td", { class: row.round == null ? "faint" : null }, String(computed));
  const isFresh = performance.now() - toldAt.get(placeOf(player, row)) < freshTime;
  const points = row.scores && !row.group && cell.points != null
    && String(cell.points) !== words(cell)
    ? element("span", { class: "faint" }, `\u00a0→\u00a0${cell.points}`) : null;
  const isDisputed = cell.conflict.length > 0;
  return element("td", { class: isDisputed ? "mark" : isFresh ? "fresh" : null },
    person(words(cell)), points, isDisputed ? " !" : null);
}

function table({ context }) {
  const players = seated(show);
  hide("sheet", context.rows.length === 0 || players.length === 0);
  fill("table", [
    heads(players.map((player) => player.name)),
    element("tbody", {}, ...shownRows(context).map((row) =>
      line(row.label, players.map((player) => value(player, row))))),
    element("tfoot", {}, line(context.totalLabel,
      players.map((player) => element("td", {}, String(player.total))))),
  ]);
}

function disputes({ document: sheet, context }) {
  const contested = sheet.players.flatMap((player) => player.cells
    .filter((cell) => cell.conflict.length > 0)
    .map((cell) => element("li", {}, person(player.name), `, ${name(cell, context.rows)}: `,
      ...list([cell, ...cell.conflict].map((entry) => element(
        "span", {}, element("b", {}, person(words(entry))), " by ", person(entry.by))), "or"))));
  const flags = sheet.flags.map((flag) => element("li", {},
    person(playerOf(show, flag.player)?.name ?? "somebody"),
    `, ${name(flag, context.rows)}: `, person(flag.reason)));
  fill("conflicts", [...contested, ...flags]);
  hide("trouble", at("conflicts").hidden);
}

function phones() {
  hide("phones", links.length === 0);
  fill("links", links.map((link) => element("li", {}, element(
    "a", { href: link.path },
    element("img", { src: link.qr, alt: "", width: "160", height: "160" }),
    person(link.name), ", scan me"))));
}

/** Gives a table that is wider than its place smaller type, and then the width of the window. */
function fit() {
  const main = document.querySelector("main");
  for (const kind of ["", "tight", "tight across"]) {
    main.className = kind;
    const tables = [...main.querySelectorAll(".scroll")];
    if (tables.every((one) => one.scrollWidth <= one.clientWidth)) return;
  }
}

const redraw = drawing(() => {
  sayAway(trouble, show ? standing(show) : "");
  if (!show) return;
  fill("panels", drawnPanels(show));
  for (const part of [header, standings, course, table, disputes, phones]) part(show);
  fit();
});

addEventListener("resize", redraw);
follow({
  show(now, change) {
    const isNext = show && show.document.session.id !== now.document.session.id;
    // Winners are cheered only when the game ends in front of everybody.
    const { finished, session } = now.document;
    const isEnd = finished && show && !isNext && !wasFinished;
    if (isEnd || !finished || isNext) at("standings").classList.toggle("ceremony", isEnd);
    wasFinished = finished;
    const news = change ?? (show && !isNext ? difference(show, now) : null);
    show = now;
    tell("news", isNext ? `The next game: ${session.title}` : news ? tidings(now, news) : "");
    if (isNext) toldAt.clear();
    for (const player of news?.document.players ?? []) {
      for (const cell of player.cells ?? []) {
        toldAt.set(placeOf(player, cell), performance.now());
        setTimeout(redraw, freshTime);
      }
    }
    redraw();
  },
  away(why) {
    trouble = why;
    redraw();
  },
  links(all) {
    links = all;
    redraw();
  },
  chart(told) {
    totals = told;
    redraw();
  },
});
