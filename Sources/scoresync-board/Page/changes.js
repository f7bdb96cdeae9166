// The words for a change of the sheet.

import { cellAt, cellName, leadersText, playerOf, valueText } from "./sheet.js";

/** The change between two snapshots, as far as `changeText` describes it. */
export function difference(before, now) {
  const players = now.document.players.map((player) => {
    const old = playerOf(before, player.id)?.cells ?? [];
    const text = (cell) => cell && valueText(cell) + cell.conflict.length;
    const cells = player.cells.filter((cell) => text(cellAt({ cells: old }, cell)) !== text(cell));
    return { id: player.id, name: player.name, cells };
  });
  return { document: { players, finished: now.document.finished }, context: {} };
}

/** Describes a change for screen readers. */
export function changeText(show, { document: changed, context }) {
  const all = (changed.players ?? []).flatMap(({ name, cells = [], cleared = [] }) =>
    [...cells, ...cleared].map((cell) => `${name}: ${cellName(cell, show.context.rows)}, `
      + (cell.conflict ? valueText(cell) : "cleared")
      + (cell.conflict?.length ? ", in conflict with another laptop" : "")));
  const parts = all.slice(0, 3);
  if (all.length > 3) parts.push(`and ${all.length - 3} more`);
  if (all.length || context.leaders || changed.finished) parts.push(leadersText(show));
  const mover = playerOf(show, changed.turn);
  if (mover) parts.push(`${mover.name} is to play`);
  return parts.filter((part) => part).join("; ");
}
