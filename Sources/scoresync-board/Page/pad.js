// The score pad of a sheet of rows. A pad is told the state of the page: the sheet, the player,
// what waits, and what is typed.

import { cellAt } from "./sheet.js";
import { element } from "./page.js";

export const key = (label, act, value, attributes = {}) =>
  element("button", { type: "button", "data-act": act, "data-value": value, ...attributes }, label);

/** A key that says how the next ones are meant. */
export const choice = (label, name, value, now, spoken = null) => key(
  label, "set", `${name}=${value}`,
  { "aria-pressed": String(value) === String(now), "aria-label": spoken });

const symbols = {
  back: ["⌫", "Delete"], clear: ["C", "Clear"],
  "+": ["+", "plus"], "-": ["−", "minus"], x: ["×", "times"],
};

/** Keys that type; `names` of those that are called otherwise here. */
export const typing = (words, names = {}) => words.map((word) => {
  const [label, name] = names[word] ?? symbols[word] ?? [word];
  const act = ["back", "clear"].includes(word) ? word : "type";
  return key(label, act, word, { "aria-label": name });
});

const calculator = [..."789", "back", ..."456", "+", ..."123", "-", "clear", "0", "x"];

/** What a sum comes to, as `3+2x5-1`; null of what is none. */
export function sum(text) {
  if (!/^[+-]?\d+(x\d+)?([+-]\d+(x\d+)?)*$/.test(text)) return null;
  return text.match(/[+-]?\d+(x\d+)?/g).reduce((total, term) => {
    const [count, size = 1] = term.split("x");
    return total + count * size;
  }, 0);
}

export const isSame = (one, other) => one?.row === other?.row && one.round === other.round;

const isOpen = (state, place) =>
  !cellAt(state.me, place) && !state.waiting.some((item) => isSame(item.place, place));

/** The rounds of a row, or of several fields: those that somebody has used, and the one that goes
 * on or comes next. */
function rounds(state, rows) {
  const inRows = (all) => all.filter((one) => rows.some(({ row }) => row === one?.row));
  const lines = inRows(state.show.context.rows);
  const own = inRows([...state.me.cells, ...state.waiting.map((item) => item.place)]);
  const latest = Math.max(0, ...own.map((one) => one.round));
  const goesOn = latest > 0 && rows.some(({ row, optional }) =>
    !optional && isOpen(state, { row, round: latest }));
  const next = goesOn ? latest : latest + 1;
  const all = new Set([...[...lines, ...own].map((one) => one.round), next]);
  return [...all].filter((round) => round <= rows[0].last).sort((one, other) => one - other)
    .flatMap((round) => rows.map((pad) => {
      const place = { row: pad.row, round };
      const line = lines.find((one) => isSame(one, place));
      return {
        ...place, pad, isNext: round === next && isOpen(state, place),
        label: line?.label ?? `${pad.label} ${round}`,
      };
    }));
}

/** All places, of rounds with several fields round by round. */
export const places = (state) => state.show.context.pad.flatMap((row, index, all) => {
  if (!row.last) return [{ row: row.row, round: null, label: row.label, pad: row }];
  if (!row.group) return rounds(state, [row]);
  const fields = all.filter((one) => one.group === row.group);
  return fields[0] === row ? rounds(state, fields) : [];
});

/** Where the next number goes: where somebody pointed, else the first open place. */
export function chosen(state) {
  const all = places(state);
  return all.find((one) => isSame(one, state.place))
    ?? all.find((one) => (one.pad.last ? one.isNext : isOpen(state, one))) ?? all[0];
}

/** The place that is filled after one. */
function following(state, place) {
  const { group, last } = place.pad;
  if (group) {
    return places(state).find((one) => one.pad.group === group && one.round === place.round
      && !isSame(one, place) && isOpen(state, one)) ?? null;
  }
  if (last) return null;
  const all = places(state).filter((one) => !one.pad.last);
  const index = all.findIndex((one) => one.row === place.row);
  return [...all.slice(index + 1), ...all.slice(0, index)]
    .find((one) => isOpen(state, one)) ?? null;
}

export const rowsPad = {
  title: (state) => chosen(state).label,
  /** How the line is typed: `none` has keys of its own; null is no line. */
  line(state) {
    const { kind } = chosen(state).pad;
    return ["flag", "choice"].includes(kind) ? null : kind === "text" ? "text" : "none";
  },
  hint(state) {
    const { pad } = chosen(state);
    const total = /[+x]|\d-/.test(state.typed) ? sum(state.typed) : null;
    return total === null ? pad.help || pad.takes : `= ${total}`;
  },
  keys(state) {
    const { pad } = chosen(state);
    const answers = (words) => [["wide", words.map((word) => key(word, "answer", word))]];
    switch (pad.kind) {
      case "text": return [];
      case "flag": return answers(["yes", "no"]);
      case "choice": return answers(pad.words);
      case "order": {
        const said = state.typed.split(" ");
        const rest = pad.words.filter((word) => !said.includes(word));
        return [["wide", [...rest.map((word) => key(word, "word", word)), ...typing(["clear"])]]];
      }
      case "tokens": {
        const worths = pad.tokens.map((worth) => (worth < 0 ? `${worth}` : `+${worth}`));
        return [["wide", typing(worths)], ["digits", typing(calculator)]];
      }
      default: return [["digits", typing(calculator)]];
    }
  },
  enter(state, typed) {
    const place = chosen(state);
    const where = place.round === null ? place.row : `${place.row}.${place.round}`;
    return {
      body: { words: [`${where}=${typed}`] },
      label: `${place.label}: ${typed}`,
      place: { row: place.row, round: place.round, typed },
      next: following(state, place),
    };
  },
};
