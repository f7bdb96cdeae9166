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

/** The cells that this page has shown while they were hidden, as the factions of a deal are at first. */
const covered = new Set();

/** The cells of the rows. Those that were hidden before are turned over one after the other. */
function cellsOf({ session }, rows, kinds) {
  let turn = 0;
  return rows.map(({ label, cells }) => cells.map((text, column) => {
    const key = JSON.stringify([session.id, label, column]);
    if (text === "hidden") covered.add(key);
    const isTurned = text !== "hidden" && covered.has(key);
    const kind = [kinds[column], isTurned ? "turned" : null].filter((one) => one).join(" ");
    const cell = element("td", { class: kind || null }, person(text));
    if (isTurned) cell.style.setProperty("--turn", turn++);
    return cell;
  }));
}

function table(sheet, { title: typedTitle, columns, rows }, kind) {
  const title = plain(typedTitle ?? "");
  const lines = rows.filter((row) => [row.label, ...row.cells].some((text) => text.trim()));
  const kinds = rows[0]?.cells.map((_, index) => columnClass(lines.map((row) => row.cells[index])));
  const cells = cellsOf(sheet, lines, kinds ?? []);
  return element("div", { class: kind, tabindex: "0", role: "region", "aria-label": title },
    element("table", {}, title ? element("caption", {}, person(title)) : null,
      columns.length ? tableHead(columns, kinds) : null, element("tbody", {},
        ...lines.map(({ label }, index) => tableRow(label, cells[index])))));
}

/** The panels of the game as elements; a tap on a square is a move if `acceptsTaps`. */
export function drawnPanels({ document: sheet }, acceptsTaps = false) {
  const drawn = sheet.panels.map((panel) => {
    switch (panel.kind) {
      case "board": return squares(panel, acceptsTaps);
      case "text": return text(panel);
      default: return table(sheet, panel, panel.large ? "scroll large" : "scroll");
    }
  });
  if (sheet.darts?.length) drawn.splice(1, 0, element("figure", {}, dartboard(sheet.darts)));
  return drawn;
}
