// Game boards and charts as SVG, each with a text for screen readers.

const space = "http://www.w3.org/2000/svg";

export function svg(tag, attributes, ...children) {
  const element = document.createElementNS(space, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

export const picture = (viewBox, title, attributes = {}) =>
  svg("svg", { viewBox, role: "img", ...attributes }, svg("title", {}, title));

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
  const [width, height, left, right, edge] = [720, 300, 52, 128, 20];
  const everyone = teams.length ? teams : players;
  const lines = everyone
    .map((one, index) => ({ ...one, index, last: one.totals.at(-1) ?? 0 }))
    .sort((one, other) => (lowestWins ? one.last - other.last : other.last - one.last))
    .slice(0, maxLines);
  const all = lines.flatMap((line) => line.totals);
  const [low, high] = [Math.min(0, ...all), Math.max(1, ...all)];
  const x = (step) => left + ((width - left - right) * step) / Math.max(steps.length - 1, 1);
  const y = (total) => height - edge - ((height - 2 * edge) * (total - low)) / (high - low);
  const missing = everyone.length - lines.length;
  const drawing = picture(`0 0 ${width} ${height}`, `${label} ${over}: `
    + lines.map((line) => `${line.name} ${line.last}`).join(", ")
    + (missing ? `, and ${missing} more not shown` : ""));
  for (const total of new Set([low, Math.round((low + high) / 2), high])) {
    drawing.append(
      svg("line", { x1: left, x2: width - right, y1: y(total), y2: y(total), class: "grid" }),
      svg("text", { x: left - 8, y: y(total) + 5, class: "scale" }, String(total)),
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

/** A board of squares with the legal moves marked, which taps play if `acceptsTaps`. */
export function board({ squares, pieces, legal, last }, acceptsTaps) {
  const cell = 10;
  const size = squares.length * cell;
  const count = (mark) => squares.join("").split(mark).length - 1;
  const drawing = picture(`-6 0 ${size + 6} ${size + 6}`, pieces
    .map(({ player, name, mark }) => `${player} has ${count(mark)} ${name}`).join(", ")
    + (last ? `; last move ${last}` : "")
    + (legal.length ? `; legal moves: ${legal.join(", ")}` : ""), { role: "group" });
  const label = (x, y, text) => drawing.append(svg("text", { x, y, class: "rank" }, text));
  squares.forEach((line, row) => {
    const y = row * cell;
    label(-3, y + 6.4, row + 1);
    [...line].forEach((mark, column) => {
      const x = column * cell;
      const letter = "abcdefghijklmnopqrstuvwxyz"[column];
      const place = letter + (row + 1);
      const isLegal = legal.includes(place);
      const piece = pieces.findIndex((one) => one.mark === mark);
      const kind = piece >= 0 ? `piece-${piece}` : isLegal ? "legal" : null;
      const words = [pieces[piece]?.name ?? "empty", ...isLegal ? ["legal"] : [],
        ...place === last ? ["last move"] : []];
      drawing.append(svg("g", {
        "aria-label": `${place}, ${words.join(", ")}`,
        ...isLegal && acceptsTaps
          ? { role: "button", tabindex: 0, "data-act": "answer", "data-value": place }
          : { role: "img" },
      },
        svg("rect", { x, y, width: cell, height: cell, class: place === last ? "last" : "square" }),
        kind ? svg("circle", { cx: x + 5, cy: y + 5, r: isLegal ? 1.2 : 4, class: kind }) : ""));
      if (row === 0) label(x + 5, size + 4.4, letter);
    });
  });
  return drawing;
}

const numbers = [20, 1, 18, 4, 13, 6, 10, 15, 2, 17, 3, 19, 7, 16, 8, 11, 14, 9, 12, 5];

function sector(from, to, turn) {
  const point = (radius, angle) =>
    [radius * Math.sin(angle), -radius * Math.cos(angle)].map((n) => n.toFixed(2)).join(" ");
  const [start, end] = [(turn - 0.5) * Math.PI / 10, (turn + 0.5) * Math.PI / 10];
  return `M${point(from, start)}L${point(to, start)}A${to} ${to} 0 0 1 ${point(to, end)}`
    + `L${point(from, end)}A${from} ${from} 0 0 0 ${point(from, start)}Z`;
}

/** A dartboard with the darts that hit it; taps type darts if it `acceptsTaps`. */
export function dartboard(darts, acceptsTaps = false) {
  const drawing = picture("-116 -116 232 232",
    `Dartboard: last visit ${darts.join(", ")}`, { class: "darts" });
  const taps = (dart) => (acceptsTaps ? { "data-act": "word", "data-value": dart } : {});
  const hit = new Set(darts.map((dart) => dart.replace(/^(\d+)$/, "S$1")));
  drawing.append(svg("circle", { r: 114, class: "rim", ...taps("MISS") }));
  numbers.forEach((number, turn) => {
    const shade = turn % 2;
    for (const [mark, from, to] of [["S", 8, 60], ["T", 60, 67], ["S", 67, 93], ["D", 93, 100]]) {
      const kind = mark === "S" ? "single" : "ring";
      drawing.append(svg("path", {
        d: sector(from, to, turn), class: hit.has(mark + number) ? "hit" : `${kind}-${shade}`,
        ...taps(mark + number),
      }));
    }
    const angle = (turn * Math.PI) / 10;
    drawing.append(svg("text", {
      x: 107 * Math.sin(angle), y: 4 - 107 * Math.cos(angle), class: "number",
    }, number));
  });
  drawing.append(
    svg("circle", { r: 8, class: hit.has("S25") || hit.has("25") ? "hit" : "ring-1", ...taps("25") }),
    svg("circle", { r: 4, class: hit.has("BULL") ? "hit" : "ring-0", ...taps("BULL") }),
  );
  // Moved to the end, so that outlines are not covered by other shapes.
  drawing.append(...drawing.querySelectorAll(".hit"));
  return drawing;
}
