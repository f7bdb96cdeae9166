// The caller of the board: says scores, checkouts and whose turn it is, with the voice of the
// browser. It says nothing until somebody chooses that on the page.

import { keep, kept } from "./kept.js";
import { cellName, leadersText, playerOf, valueText } from "./sheet.js";

export const canSpeak = "speechSynthesis" in window;

/** The calls that are chosen, of `scores`, `checkouts` and `turns`. */
export const chosen = new Set(kept("caller") ?? []);

export function choose(name, isOn) {
  if (isOn) chosen.add(name);
  else chosen.delete(name);
  keep("caller", [...chosen]);
  if (!chosen.size) speechSynthesis.cancel();
}

/** The scores that one change calls at most. */
const maxScores = 3;

/** The words of darts such as `T20`. */
const spoken = (text) => text.replace(/\b[DT]?([SDT])(\d+)\b/g, (_, ring, number) =>
  `${{ S: "single", D: "double", T: "triple" }[ring]} ${number}`).replace(/\bBULL\b/g, "bull");

/** The sentences about a change: `before` is the turn and the end of the sheet before it. */
export function calls(show, changed, before) {
  const { document: sheet, context } = show;
  const scores = (changed.document.players ?? []).flatMap(({ id, cells = [] }) =>
    cells.map((cell) => {
      const { name } = playerOf(show, id) ?? {};
      // The number of a visit or move is of no interest.
      return context.moves ? `${name}, ${cell.points ?? spoken(valueText(cell))}`
        : `${name}, ${cellName(cell, context.rows)}, ${valueText(cell)}`;
    }));
  const mover = before.turn !== sheet.turn ? playerOf(show, sheet.turn) : null;
  const advice = mover?.advice;
  return [
    ...chosen.has("scores") ? scores.slice(0, maxScores) : [],
    chosen.size && sheet.finished && !before.finished ? leadersText(show) : null,
    mover && chosen.has("turns") ? `${mover.name} is to play` : null,
    advice && chosen.has("checkouts")
      ? `${mover.name}, ${mover.headline?.value} ${mover.headline?.label}. ${spoken(advice)}` : null,
  ].filter((one) => one);
}

/** Speaks; calls `refused` if the browser allows it only after a click on the page. */
export function say(text, refused) {
  if (!canSpeak) return;
  const words = new SpeechSynthesisUtterance(text);
  words.lang = "en";
  words.addEventListener("error", ({ error }) => {
    if (error === "not-allowed") refused();
  });
  speechSynthesis.speak(words);
}
