// The score sheet of this page, kept up to date by what the board tells. A snapshot is the whole;
// a change says how what differs is now, and leaves out the rest (PROTOCOL.md, "Watching").

const isAt = (one, other) =>
  one.row === other.row && (one.round ?? null) === (other.round ?? null);

/** Places without those that are gone and with what is there now: rows as the sheet has them, then
 * by id; in a row by round. */
function changed(list, gone = [], there = [], order) {
  const place = (id) => order.get(id) ?? Infinity;
  const differs = [...gone, ...there];
  return [...list.filter((one) => !differs.some((other) => isAt(one, other))), ...there]
    .sort((one, other) => place(one.row) - place(other.row)
      || (one.row > other.row) - (one.row < other.row)
      || (one.round ?? -1) - (other.round ?? -1));
}

/** Takes a change into a sheet: what is left out stays. */
export function apply(show, news) {
  const order = new Map(show.context.order.map((id, index) => [id, index]));
  const { players = [], ...document } = news.document;
  const { gone, rows, ...context } = news.context;
  for (const { id, cleared, cells, ...line } of players) {
    const player = playerOf(show, id);
    if (!player) continue;
    Object.assign(player, line);
    player.cells = changed(player.cells, cleared, cells, order);
  }
  Object.assign(show.document, document);
  show.context.rows = changed(show.context.rows, gone, rows, order);
  Object.assign(show.context, context);
}

export function words(cell) {
  if (cell.text !== undefined) return cell.text;
  if (cell.value === true) return "yes";
  if (cell.value === false) return "no";
  return cell.value === null ? "–" : String(cell.value);
}

export function name(place, rows) {
  if (place.label) return place.label;
  const row = rows.find((one) => isAt(one, place));
  return row?.label ?? (place.round == null ? place.row : `${place.row}.${place.round}`);
}

export const cellAt = (player, row) => player.cells.find((cell) => isAt(cell, row));

export const seated = (show) => show.document.players.filter((player) => !player.removed);

/** The rows as they are shown: the fields of a round together, and what it is worth. */
export function shownRows({ rows }) {
  const start = (row) => rows.findIndex((one) => home(one) === home(row));
  return [...rows].sort((one, other) => start(one) - start(other) || one.round - other.round);
}

const home = (row) => row.group ?? row.row;

/** Who stands where: by place, in the order of the seats before there are places. */
export const ranked = (show) => seated(show).sort((one, other) =>
  (one.rank ?? Infinity) - (other.rank ?? Infinity) || one.seat - other.seat);

export const playerOf = (show, id) => show.document.players.find((player) => player.id === id);

const names = (all) => new Intl.ListFormat("en").format(all.map((one) => one.name));

/** Who leads or has won, and with how much. */
export function standing(show) {
  const { document: sheet, context } = show;
  const ids = sheet.finished ? sheet.winners : context.leaders;
  const teams = sheet.teams.filter((team) => team.players.some((id) => ids.includes(id)));
  const best = teams.length ? teams
    : ids.map((id) => playerOf(show, id)).filter((player) => player);
  if (!best.length) return "";
  const verb = best.length > 1
    ? (sheet.finished ? "have won" : "lead") : (sheet.finished ? "has won" : "leads");
  return `${names(best)} ${verb} with ${best[0].total}`;
}

/** Whose line of a table it is: `> ` is before who is to move. */
export const sideOf = ({ label }) => label.replace(/^[> ] /, "");

/** What a table of the game says of a player: `Left` of darts; empty where it says nothing. */
export function told(show, player, column) {
  for (const { columns = [], rows } of show.document.panels) {
    const row = rows?.find((one) => sideOf(one) === player.name);
    const index = columns.indexOf(column);
    if (row && index >= 0) return row.cells[index];
  }
  return "";
}

export function figure(show, player) {
  const left = show.context.engine === "darts" ? told(show, player, "Left") : "";
  return left ? [left, "left"] : [String(player.total), show.context.totalLabel];
}

/** What differs in a sheet that came anew, as far as `tidings` tells it. */
export function difference(before, now) {
  const players = now.document.players.map((player) => {
    const old = playerOf(before, player.id)?.cells ?? [];
    const said = (cell) => cell && words(cell) + cell.conflict.length;
    const cells = player.cells.filter((cell) => said(cellAt({ cells: old }, cell)) !== said(cell));
    return { id: player.id, name: player.name, cells };
  });
  return { document: { players, finished: now.document.finished }, context: {} };
}

/** What a change says, for who hears it. */
export function tidings(show, { document: differs, context }) {
  const all = (differs.players ?? []).flatMap(({ name: who, cells = [], cleared = [] }) =>
    [...cells, ...cleared].map((place) => `${who}: ${name(place, show.context.rows)}, `
      + (place.conflict ? words(place) : "nothing")
      + (place.conflict?.length ? ", and another laptop says otherwise" : "")));
  const parts = all.slice(0, 3);
  if (all.length > 3) parts.push(`and ${all.length - 3} more`);
  if (all.length || context.leaders || differs.finished) parts.push(standing(show));
  const mover = playerOf(show, differs.turn);
  if (mover) parts.push(`${mover.name} is to play`);
  return parts.filter((part) => part).join("; ");
}
