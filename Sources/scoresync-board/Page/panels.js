// The boards, tables and texts of games that are played in moves.

import { board, dartboard } from "./drawing.js";
import { element, list, person, tableHead, tableRow } from "./page.js";

function squares(panel, acceptsTaps) {
  return element("figure", {}, board(panel, acceptsTaps), element("figcaption", {},
    ...list(panel.pieces.map((piece) =>
      element("span", {}, `${piece.name}: `, person(piece.player))), "against")));
}

function text({ title, lines }) {
  return element("div", { class: "text" },
    title ? element("h2", {}, person(title)) : null,
    ...lines.map((line) =>
      element("p", { class: /^\p{Lu}+$/u.test(line) ? "beginning" : null }, person(line))));
}

/** The class of a column: words are aligned at their start, numbers at their end. */
function columnClass(texts) {
  const filled = texts.filter((text) => text);
  return filled.length && filled.every((text) => /^\p{L}{2}/u.test(text)) ? "words" : null;
}

/** A title without the example of what to type on a command line. */
const plain = (title) => title.replace(/ \(as in [^)]*\)/, "");

function table({ title: typedTitle, columns, rows }, kind) {
  const title = plain(typedTitle ?? "");
  const lines = rows.filter((row) => [row.label, ...row.cells].some((text) => text.trim()));
  const kinds = rows[0]?.cells.map((_, index) => columnClass(lines.map((row) => row.cells[index])));
  return element("div", { class: kind, tabindex: "0", role: "region", "aria-label": title },
    element("table", {}, title ? element("caption", {}, person(title)) : null,
      columns.length ? tableHead(columns, kinds) : null, element("tbody", {}, ...lines.map((row) =>
        tableRow(row.label, row.cells.map((cell, index) =>
          element("td", { class: kinds[index] }, person(cell))))))));
}

/** The panels of the game as elements; a tap on a square is a move if `acceptsTaps`. */
export function drawnPanels({ document: sheet }, acceptsTaps = false) {
  const drawn = sheet.panels.map((panel) => {
    switch (panel.kind) {
      case "board": return squares(panel, acceptsTaps);
      case "text": return text(panel);
      default: return table(panel, panel.large ? "scroll large" : "scroll");
    }
  });
  if (sheet.darts?.length) drawn.splice(1, 0, element("figure", {}, dartboard(sheet.darts)));
  return drawn;
}
