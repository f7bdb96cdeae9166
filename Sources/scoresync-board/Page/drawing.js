// Game boards as SVG, each with a text for screen readers.

const space = "http://www.w3.org/2000/svg";

export function svg(tag, attributes, ...children) {
  const element = document.createElementNS(space, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

export const picture = (viewBox, title, attributes = {}) =>
  svg("svg", { viewBox, role: "img", ...attributes }, svg("title", {}, title));

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
