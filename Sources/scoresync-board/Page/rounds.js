// The points of cells and of rounds, as the board and the table of the app show them.

import { cellAt } from "./sheet.js";

/** The points of a player's round of several fields, once all required fields are entered. */
export function roundPoints(show, player, { row, round }) {
  const cell = (field) => cellAt(player, { row: field.row, round });
  const fields = show.context.pad.filter((one) => one.group === row);
  if (!fields.some(cell) || !fields.every((one) => one.optional || cell(one))) return "";
  return fields.reduce((sum, one) => sum + (cell(one)?.points ?? 0), 0);
}

/** The points of an entry, if they differ from its number; null otherwise. */
export const worth = (row, { points, count }) => (row.scores && !row.group && points != null
  && String(points) !== String(count ?? 0) ? points : null);
