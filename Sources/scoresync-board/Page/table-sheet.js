// The score sheet of the table: its lines, its cells, and where the next entry belongs.

import {
  cellAt, entryText, figure, membersOf, playerOf, scorers, seated, valueText,
} from "./sheet.js";
import { isOpen, isOver, isRuledOut, isSame, key, padOf, partners, selected } from "./pad.js";
import { roundPoints, worth } from "./rounds.js";
import { element, person } from "./page.js";

const groupOf = (row) => row.group ?? row.row;

/** The entry of a cell that is on its way, or that was refused. */
export const pendingAt = (state, player, place) => state.pending.findLast((item) =>
  item.player === player && isSame(item.place, place));

/** The latest round of a row, or of its group, that anyone has used. */
const latestRound = ({ show, pending }, row) => Math.max(0,
  ...[...show.context.rows, ...pending.map((item) => ({ group: item.group, ...item.place }))]
    .filter((one) => groupOf(one) === groupOf(row)).map((one) => one.round ?? 0));

/** The lines of the sheet: those that are used, and those for entries to come. */
export function lines(state) {
  const { rows, pad, order } = state.show.context;
  const all = [...rows];
  for (const one of isOver(state) ? [] : pad) {
    const latest = latestRound(state, one);
    const rounds = one.last ? [latest, latest + 1].filter((n) => n >= 1 && n <= one.last) : [null];
    for (const round of rounds) {
      const line = { row: one.row, round, group: one.group };
      if (all.some((other) => other.row === line.row && (other.round ?? null) === round)) continue;
      all.push({ ...line, scores: true, label: round === null ? one.label : `${one.label} ${round}` });
    }
  }
  const index = (row) => (order.indexOf(row) + 1 || Infinity);
  const starts = new Map();
  for (const line of all) {
    starts.set(groupOf(line), Math.min(starts.get(groupOf(line)) ?? Infinity, index(line.row)));
  }
  return all.map((line) => ({ ...line, round: line.round ?? null, pad: padOf(state, line) }))
    .sort((one, other) => starts.get(groupOf(one)) - starts.get(groupOf(other))
      || (one.round ?? 0) - (other.round ?? 0) || index(one.row) - index(other.row));
}

/** Whether the next entry after one in this row is the next player's: true for rounds, except those
 * with fields that describe what a player did. */
const goesAcross = ({ last, group }, pad) => last && (!group || pad.every((one) =>
  one.group !== group || ["number", "rounds", "tokens"].includes(one.kind)));

const isSelected = (state, player, place) =>
  player.id === state.player && isSame(state.place, place);

const hasMember = (column, id) => membersOf(column).some((one) => one.id === id);

/** The members of a column who have entered a cell, or whose cell is selected; the one who is to
 * enter it if there is none. */
function writers(state, column, place) {
  const all = membersOf(column).filter((one) => cellAt(one, place)
    || pendingAt(state, one.id, place) || isSelected(state, one, place));
  return all.length > 0 ? all : [column];
}

/** The cells in the order in which they are entered. */
function places(state) {
  const { pad } = state.show.context;
  const blocks = new Map();
  for (const line of lines(state).filter((one) => one.pad)) {
    const key = [goesAcross(line.pad, pad) ? line.row : line.group, line.round].join();
    blocks.set(key, [...blocks.get(key) ?? [], line]);
  }
  return [...blocks.values()].flatMap((block) => scorers(state.show).flatMap((column) =>
    block.filter(({ round }) => round === null || round >= (column.since ?? 1)).flatMap((line) =>
      writers(state, column, line).map(({ id }) => ({ player: id, row: line.row, round: line.round })))));
}

/** A player with the entries that are on their way, as the pads know them. */
const seatOf = (state, player) => ({
  show: state.show, me: playerOf(state.show, player), place: null,
  waiting: state.pending.filter((item) => item.player === player),
});

/** Whether a player is out of the game by an entry or a computed row. */
const isOut = ({ show, me }) => (show.context.out ?? []).some((row) =>
  [...me.computed, ...me.cells].some((one) => one.row === row && (one.count ?? one.points)));

/** Whether a cell is still to be entered; what a partner has entered counts for a team. */
function isEmpty(state, place) {
  const seat = seatOf(state, place.player);
  return isOpen(seat, place) && !isRuledOut(seat, place) && !isOut(seat)
    && !partners(seat).some((one) => cellAt(one, place) || pendingAt(state, one.id, place));
}

/** The cell to enter after another; null if everything is entered. */
export function placeAfter(state, player, place) {
  const all = places(state);
  const index = all.findIndex((one) => one.player === player && isSame(one, place));
  const { pad } = state.show.context;
  const isNext = (one) => isEmpty(state, one);
  const isOfRound = (one) => isSame(one, place) && isNext(one);
  const later = all.slice(index + 1);
  // The round is completed first.
  return (goesAcross(padOf(state, place), pad) && (later.find(isOfRound) ?? all.find(isOfRound)))
    || later.find(isNext) || all.find(isNext) || null;
}

/** The cell of a player, or of everyone, with which to start. */
export function firstPlace(state, player) {
  if (!player) {
    return places(state).find((one) => isEmpty(state, one)
      && (one.round === null || one.round >= latestRound(state, padOf(state, one)))) ?? null;
  }
  const cell = selected(seatOf(state, player));
  return cell && { player, row: cell.row, round: cell.round };
}

/** The cell next to the selected one, by the direction of an arrow key. */
export function neighbour(state, [across, down]) {
  const columns = scorers(state.show);
  const rows = lines(state).filter((one) => one.pad);
  const index = columns.findIndex((one) => hasMember(one, state.player));
  const column = columns[index + across];
  const line = rows[rows.findIndex((one) => isSame(one, state.place)) + down];
  if (!column || !line) return null;
  const [{ id }] = writers(state, column, line);
  return { player: id, row: line.row, round: line.round };
}

/** The text of a cell as it was typed. */
function points(state, player, line, cell) {
  if (!cell) {
    return line.round !== null ? roundPoints(state.show, player, line)
      : player.computed.find((one) => one.row === line.row)?.points ?? "";
  }
  const other = worth(line, cell);
  return other === null ? "" : `→\u00a0${other}`;
}

/** The reason why an entry was refused; if another entry came before it, both to choose from. */
function problem({ problem: text, conflict, place: { typed } }, player, place) {
  const choice = (label, act) => key(person(label), act, JSON.stringify({ player, ...place }));
  return [
    element("small", { class: "problem", role: "alert" }, person(text)),
    ...conflict ? [choice(`Keep ${entryText(conflict)}`, "forget"),
      choice(typed ? `Take ${typed}` : "Empty it", "take")] : [],
  ];
}

/** What a member of a column has entered, or sent. */
const textOf = (item, cell) => (item ? item.place.typed || "–" : cell ? valueText(cell) : "");

function cellOf(state, column, line, isEditable) {
  const place = { row: line.row, round: line.round };
  const all = writers(state, column, place);
  const items = all.map((one) => pendingAt(state, one.id, place));
  const cell = cellAt(column, line);
  const kind = [
    isEditable && all.some((one) => isSelected(state, one, place)) ? "current" : null,
    items.some((item) => item?.problem) || cell?.conflict.length ? "mark" : null,
    items.some((item) => item && !item.problem) ? "waiting" : null,
    hasMember(column, state.show.context.me) ? "own" : null,
  ].filter((name) => name).join(" ");
  const result = element("span", { class: "faint" }, String(points(state, column, line, cell)));
  if (!line.pad || !isEditable) {
    const text = textOf(all.length > 1 ? null : items[0], cell);
    return element("td", { class: kind || null }, person(text), result);
  }
  return element("td", { class: kind || null }, ...all.flatMap((one, index) => control(
    state, one, line, items[index], all.length > 1 ? null : column.name,
    index === all.length - 1 ? result : null)));
}

/** The field or the button of a cell, and why its entry was refused; with the player's name instead
 * of the column's if that has several entries. */
function control(state, player, line, item, columnName, result) {
  const place = { row: line.row, round: line.round };
  const cell = cellAt(player, line);
  const text = textOf(item, cell);
  const name = `${columnName ?? player.name}, ${line.label}`;
  return [isSelected(state, player, place)
    ? element("input", {
      id: "entry", size: "1", "aria-label": name, "aria-describedby": "hint", autocomplete: "off",
      autocapitalize: "off", spellcheck: "false", enterkeyhint: "next",
      inputmode: line.pad.kind === "text" ? "text" : "none",
      "data-kind": line.pad.kind, "data-cell": `${player.id} ${place.row} ${place.round ?? ""}`,
    })
    : element("button", {
      type: "button", class: "cell", tabindex: "-1", "data-act": "place",
      "data-value": JSON.stringify({ player: player.id, ...place }),
      "aria-label": `${name}: ${text || "empty"}`,
    }, columnName ? null : element("small", {}, person(player.name), "\u00a0"), person(text),
    item && !item.problem ? " …" : cell?.conflict.length ? " !" : "", result),
  ...item?.problem ? problem(item, player.id, place) : []];
}

/** The sheet of some players; with controls if it is editable. */
export function sheetTable(state, players, isEditable = true) {
  const { context, document: sheet } = state.show;
  const own = (player) => (hasMember(player, context.me) ? "own" : null);
  return element("table", {},
    element("thead", {}, element("tr", {}, element("td"), ...players.map((player) => element(
      "th", { scope: "col", class: own(player) }, person(player.name),
      element("small", {}, [
        own(player) && !player.members ? "you" : "", player.team ?? "",
        player.winner ? "★ won" : context.leaders.includes(player.id) && !sheet.finished ? "leads" : "",
      ].filter((text) => text).join(" · ")))))),
    element("tbody", {}, ...lines(state).map((line) => element(
      "tr", { class: line.computed ? "computed" : null },
      element("th", { scope: "row" }, person(line.label)),
      ...players.map((player) => cellOf(state, player, line, isEditable))))),
    element("tfoot", {}, element("tr", {}, element("th", { scope: "row" }, context.totalLabel),
      ...players.map((player) => element("td", { class: own(player) }, String(player.total),
        player.rank ? element("small", { class: "faint" }, ` ${player.rank}.`) : null)))));
}

/** The players of pages, one's own first. */
export const pagePlayers = ({ show }) => seated(show)
  .sort((one, other) => (other.id === show.context.me) - (one.id === show.context.me));

/** A page for each player, and one with everybody. */
export const sheetPages = (state) => [
  ...pagePlayers(state).map((player) => element(
    "section", { class: "page", "data-page": player.id, "aria-label": player.name },
    element("h2", {}, person(player.name), " ", element("b", {}, figure(state.show, player)[0])),
    sheetTable(state, [player]))),
  element("section", { class: "page", "data-page": "", "aria-label": "Everybody" },
    element("h2", {}, "Everybody"),
    element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Everybody" },
      sheetTable(state, scorers(state.show), false))),
];
