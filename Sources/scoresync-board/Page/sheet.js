// The score sheet of this page. The board sends a snapshot, then changes with the new values of
// what differs (PROTOCOL.md, "Watching").

const isAt = (one, other) =>
  one.row === other.row && (one.round ?? null) === (other.round ?? null);

/** A list of cells or rows without the removed ones and with the updated ones, in sheet order: by
 * row, rows without a place in it by id, and then by round. */
function merged(list, removed = [], updated = [], order) {
  const index = (id) => order.get(id) ?? Infinity;
  const changed = [...removed, ...updated];
  return [...list.filter((one) => !changed.some((other) => isAt(one, other))), ...updated]
    .sort((one, other) => index(one.row) - index(other.row)
      || (one.row > other.row) - (one.row < other.row)
      || (one.round ?? -1) - (other.round ?? -1));
}

/** Applies a change to a sheet. */
export function apply(show, change) {
  const order = new Map(show.context.order.map((id, index) => [id, index]));
  const { players = [], ...document } = change.document;
  const { gone, rows, ...context } = change.context;
  for (const { id, cleared, cells, ...fields } of players) {
    const player = playerOf(show, id);
    if (!player) continue;
    Object.assign(player, fields);
    player.cells = merged(player.cells, cleared, cells, order);
  }
  Object.assign(show.document, document);
  show.context.rows = merged(show.context.rows, gone, rows, order);
  Object.assign(show.context, context);
}

export function valueText(cell) {
  if (cell.text !== undefined) return cell.text;
  if (cell.value === true) return "yes";
  if (cell.value === false) return "no";
  return cell.value === null ? "–" : String(cell.value);
}

/** The text with which a cell's value is typed. */
export const typedText = (cell) => (cell ? String(cell.typed ?? (cell.value === null ? ""
  : typeof cell.value === "boolean" ? valueText(cell) : cell.text ?? cell.value)) : "");

/** The value of an entry in a sentence. */
export const entryText = (entry) => ((entry.value ?? null) === null ? "empty" : valueText(entry));

export function cellName(cell, rows) {
  if (cell.label) return cell.label;
  const row = rows.find((one) => isAt(one, cell));
  if (row) return row.label;
  const name = cell.row.charAt(0).toUpperCase() + cell.row.slice(1).replaceAll("-", " ");
  return cell.round == null ? name : `${name} ${cell.round}`;
}

export const cellAt = (player, row) => player.cells.find((cell) => isAt(cell, row));

export const seated = (show) => show.document.players.filter((player) => !player.removed);

/** The columns of the table: the players, or the teams if a team is one scorer. */
export function scorers(show) {
  if (show.context.teams !== "together") return seated(show);
  const sides = new Map();
  for (const player of seated(show)) {
    const team = player.team?.toLowerCase() || player.id;
    sides.set(team, [...sides.get(team) ?? [], player]);
  }
  return [...sides.values()].map((members) => {
    const { turn } = show.document;
    const shown = members.find(({ id }) => id === turn) ?? members.find(({ id }) => id === show.context.me)
      ?? members[0];
    if (!members[0].team) return shown;
    // The entries of members who were removed still count.
    const others = show.document.players.filter(({ removed, team }) =>
      removed && team?.toLowerCase() === shown.team.toLowerCase());
    const entries = [...members, ...others].flatMap(({ id, cells }) => cells.map((cell) => ({
      cell, counts: !show.document.flags.some((flag) => flag.player === id && isAt(flag, cell)),
    })));
    const cells = new Map();
    // An entry that does not count is shown only where none does.
    for (const { cell, counts } of entries.sort((one, other) => other.counts - one.counts)) {
      const key = `${cell.row} ${cell.round ?? ""}`;
      if (!cells.has(key)) cells.set(key, cell);
      else if (counts) cells.set(key, sum(cells.get(key), cell));
    }
    return {
      ...shown, cells: [...cells.values()], name: members[0].team, team: members.map(({ name }) => name).join(", "),
      members,
    };
  });
}

/** A column's players. */
export const membersOf = (column) => column.members ?? [column];

/** The cell of a team whose members have each entered a part. */
function sum(cell, other) {
  const more = valueText(other);
  return {
    ...cell, text: valueText(cell) + (more.startsWith("-") ? "" : "+") + more,
    points: cell.points == null ? other.points : cell.points + (other.points ?? 0),
    conflict: [...cell.conflict, ...other.conflict],
  };
}

/** The players or teams by rank, or by seat while there are no ranks. */
export const ranked = (show) => scorers(show).sort((one, other) =>
  (one.rank ?? Infinity) - (other.rank ?? Infinity) || one.seat - other.seat);

export const playerOf = (show, id) => show.document.players.find((player) => player.id === id);

const names = (all) => new Intl.ListFormat("en").format(all.map((one) => one.name));

const verdicts = {
  "all-won": "All have won together", "all-lost": "All have lost together",
  "no-winner": "The game has no winner",
};

/** Names the leaders or winners, and their total. */
export function leadersText(show) {
  const { document: sheet, context } = show;
  const verdict = verdicts[sheet.session.verdict];
  if (verdict) return verdict;
  const ids = sheet.finished ? sheet.winners : context.leaders;
  const teams = sheet.teams.filter((team) => team.players.some((id) => ids.includes(id)));
  const best = teams.length ? teams
    : ids.map((id) => playerOf(show, id)).filter((player) => player);
  if (!best.length) return "";
  const verb = best.length > 1
    ? (sheet.finished ? "have won" : "lead") : (sheet.finished ? "has won" : "leads");
  return `${names(best)} ${verb} with ${best[0].total}`;
}

/** The number next to a player and its unit: the headline of the game, or the total. */
export const figure = ({ context }, { headline, total }) =>
  (headline ? [headline.value, headline.label] : [String(total), context.totalLabel]);
