// Charts of totals as SVG, with a text for screen readers.

import { picture, svg } from "./drawing.js";

/** The dash patterns of lines, each with a color. */
const dashes = ["", "10 4", "3 4", "12 4 3 4", "18 6", "6 6", "1 5", "14 3 1 3"];
export const maxLines = dashes.length;

/** A name cut to 12 grapheme clusters. */
export function shortened(name) {
  const letters = Intl.Segmenter
    ? [...new Intl.Segmenter().segment(name)].map((part) => part.segment) : [...name];
  const text = letters.length > 12 ? `${letters.slice(0, 11).join("")}…` : name;
  return `\u2068${text}\u2069`;
}

/** Totals over the steps of a game, or other values `over` something else. */
export function chart({ steps, players, teams, label, lowestWins, over = "over the game" }) {
  const [width, height, right, edge] = [720, 300, 128, 20];
  const everyone = teams.length ? teams : players;
  const lines = everyone
    .map((one, index) => ({ ...one, index, last: one.totals.at(-1) ?? 0 }))
    .sort((one, other) => (lowestWins ? one.last - other.last : other.last - one.last))
    .slice(0, maxLines);
  const all = lines.flatMap((line) => line.totals);
  const [low, high] = [Math.min(0, ...all), Math.max(1, ...all)];
  const marks = [...new Set([low, Math.round((low + high) / 2), high])].map(String);
  const left = Math.max(52, 12 + 8 * Math.max(...marks.map((mark) => mark.length)));
  const x = (step) => left + ((width - left - right) * step) / Math.max(steps.length - 1, 1);
  const y = (total) => height - edge - ((height - 2 * edge) * (total - low)) / (high - low);
  const missing = everyone.length - lines.length;
  const drawing = picture(`0 0 ${width} ${height}`, `${label} ${over}: `
    + lines.map((line) => `${line.name} ${line.last}`).join(", ")
    + (missing ? `, and ${missing} more not shown` : ""));
  for (const total of marks) {
    drawing.append(
      svg("line", { x1: left, x2: width - right, y1: y(total), y2: y(total), class: "grid" }),
      svg("text", { x: left - 8, y: y(total) + 5, class: "scale" }, total),
    );
  }
  // A line keeps its color while it is shown, unless two would share one.
  const taken = new Set();
  for (const line of [...lines].sort((one, other) => one.index - other.index)) {
    line.color = line.index % maxLines;
    while (taken.has(line.color)) line.color = (line.color + 1) % maxLines;
    taken.add(line.color);
  }
  // Names are moved apart, starting at the top.
  lines.sort((one, other) => y(one.last) - y(other.last));
  let lowest = -Infinity;
  lines.forEach((line, index) => {
    const room = height - 4 - 17 * (lines.length - 1 - index);
    lowest = Math.min(room, Math.max(y(line.last) + 5, lowest + 17));
    const points = line.totals.map((total, step) => `${x(step)},${y(total)}`).join(" ");
    const color = `var(--c${line.color})`;
    drawing.append(
      svg("polyline", { points, color, "stroke-dasharray": dashes[line.color], class: "line" }),
      svg("text", { x: width - right + 8, y: lowest, color, class: "end" }, shortened(line.name)),
    );
  });
  return drawing;
}
