// What games show that are played move by move: boards, tables and texts.

import { board, dartboard } from "./drawing.js";
import { element, heads, line, list, person } from "./page.js";

function lastDarts({ document: sheet }) {
  const visits = sheet.players.flatMap((player) => player.cells)
    .sort((one, other) => one.round - other.round);
  const darts = String(visits.at(-1)?.value ?? "").split(" ");
  return darts.every((dart) => /^([SDT]\d+|BULL|MISS)$/.test(dart)) ? darts : [];
}

function squares(panel, isTapped) {
  return element("figure", {}, board(panel, isTapped), element("figcaption", {},
    ...list(panel.pieces.map((piece) =>
      element("span", {}, `${piece.name}: `, person(piece.player))), "against")));
}

function text({ title, lines }) {
  return element("div", { class: "text" },
    title ? element("h2", {}, person(title)) : null,
    ...lines.map((line) =>
      element("p", { class: /^\p{Lu}+$/u.test(line) ? "beginning" : null }, person(line))));
}

/** Words begin below each other, and numbers end so. */
function kindOf(texts) {
  const said = texts.filter((text) => text);
  return said.length && said.every((text) => /^\p{L}{2}/u.test(text)) ? "words" : null;
}

function table({ title, columns, rows }, kind) {
  const lines = rows.filter((row) => [row.label, ...row.cells].some((text) => text.trim()));
  const kinds = rows[0]?.cells.map((_, index) => kindOf(lines.map((row) => row.cells[index])));
  return element("div", { class: kind, tabindex: "0", role: "region", "aria-label": title },
    element("table", {}, title ? element("caption", {}, person(title)) : null,
      columns.length ? heads(columns, kinds) : null, element("tbody", {}, ...lines.map((row) =>
        line(row.label, row.cells.map((cell, index) =>
          element("td", { class: kinds[index] }, person(cell))))))));
}

/** What the game shows, drawn; `isTapped` where a tap on a square is a move. */
export function drawnPanels(show, isTapped = false) {
  const { engine } = show.context;
  const drawn = show.document.panels.map((panel, index) => {
    switch (panel.kind) {
      case "board": return squares(panel, isTapped);
      case "text": return text(panel);
      default: return table(panel, engine === "match" && !index ? "scroll large" : "scroll");
    }
  });
  // Where only totals are entered the dartboard has nothing to show.
  const darts = engine === "darts" ? lastDarts(show) : [];
  if (darts.length) drawn.splice(1, 0, element("figure", {}, dartboard(darts)));
  return drawn;
}
