// The keypad for a sheet of rows. A keypad reads the state of the page: the sheet, the player, the
// waiting submissions, and the typed text.

import { cellAt, valueText } from "./sheet.js";
import { element } from "./page.js";

/** The name of a cell as it is typed. */
export const nameOf = ({ row, round }) => (round === null ? row : `${row}.${round}`);

export const key = (label, act, value, attributes = {}) =>
  element("button", { type: "button", "data-act": act, "data-value": value, ...attributes }, label);

/** A key that sets a mode of the page, such as the ring of the next dart. */
export const modeKey = (label, name, value, current, spoken = null) => key(
  label, "set", `${name}=${value}`,
  { "aria-pressed": String(value) === String(current), "aria-label": spoken });

const symbols = {
  back: ["⌫", "Delete"], clear: ["C", "Clear"],
  "+": ["+", "plus"], "-": ["−", "minus"], x: ["×", "times"], "½": ["½", "and a half"],
};

/** Sets a mode of the page, as its key says; another way of typing starts over. */
export function setMode(state, value) {
  const [name, choice] = value.split("=");
  if (name === "mode" && choice !== state.mode) state.typed = "";
  state[name] = choice;
}

/** The key on the page that enters a letter at once. */
export const letterKey = (letter) => (/^[a-z]$/i.test(letter)
  ? document.querySelector(`#keys [data-act=answer][data-value="${letter.toLowerCase()}"]`) : null);

/** A typed text without its last dart or, if it ends with none, its last character. */
export const withoutLast = (typed) => typed.replace(/(\s*([A-Z]{4}|[A-Z]+\d+)|.)$/u, "");

/** Keys that type a text; `labels` overrides their labels and accessible names. */
export const typingKeys = (texts, labels = {}) => texts.map((text) => {
  const [label, name] = labels[text] ?? symbols[text] ?? [text];
  const act = ["back", "clear"].includes(text) ? text : "type";
  return key(label, act, text, { "aria-label": name });
});

const calculator = [..."789", "back", ..."456", "+", ..."123", "-", "clear", "0", "x"];

/** The keys of a row of numbers, with one for halves where the row takes them. */
const numberKeys = ({ halves }) => (halves
  ? ["digits halves", typingKeys([...calculator, "½"])] : ["digits", typingKeys(calculator)]);

/** The value of a sum such as `3+2x5-1` or `2,5+½`; null if the text is not a sum. */
export function sum(text) {
  const plain = text.replace(/(\d*)½/g, (half, whole) => `${whole || 0}.5`).replaceAll(",", ".");
  const number = String.raw`(\d+(\.[05])?|\.5)`;
  const term = String.raw`(\d+x)?${number}`;
  if (!new RegExp(`^[+-]?${term}([+-]${term})*$`).test(plain)) return null;
  return plain.match(new RegExp(`[+-]?${term}`, "g")).reduce((total, one) => {
    const [count, size = 1] = one.split("x");
    return total + count * size;
  }, 0);
}

export const isOver = ({ show }) => show.document.session.status === "finished";

/** The row of a place; undefined if it cannot be entered. */
export const padOf = ({ show }, { row }) => show.context.pad.find((one) => one.row === row);

export const isSame = (one, other) => one?.row === other?.row && one?.round === other?.round;

/** Whether another yes of the same round rules out a yes here, as a game lost is not won. */
export const isRuledOut = (state, { row, round }) => state.show.context.pad.some((pad) => {
  if (!pad.excludes?.includes(row)) return false;
  const other = { row: pad.row, round };
  const sent = state.waiting.findLast((item) => isSame(item.place, other));
  return sent ? sent.place.typed === "yes" : cellAt(state.me, other)?.value === true;
});

/** The members of the player's team whose entries count for the player, too, or are added to theirs. */
export const partners = ({ show, me }) => (show.context.teams === "together" && me.team
  ? show.document.players.filter((one) => one.id !== me.id && !one.removed
    && one.team?.toLowerCase() === me.team.toLowerCase()) : []);

/** The partner who has filled a cell for the whole team; undefined if there is none. */
export const fillerOf = (state, cell) => (cell
  && state.show.context.pad.some(({ row, shared }) => shared && row === cell.row)
  && !cellAt(state.me, cell) ? partners(state).find((partner) => cellAt(partner, cell)) : undefined);

/** Whether a cell is empty, and no submission for it waits. */
export const isOpen = (state, cell) => !cellAt(state.me, cell) && !fillerOf(state, cell)
  && !state.waiting.some((item) => isSame(item.place, cell));

/** The cells of a row with rounds, or of a group of fields: the rounds that anyone has used, and the
 * player's unfinished or next round. */
function rounds(state, rows) {
  const inRows = (all) => all.filter((one) => rows.some(({ row }) => row === one?.row));
  const lines = inRows(state.show.context.rows);
  const own = inRows([...state.me.cells, ...state.waiting.map((item) => item.place)]);
  const shared = inRows(partners(state).flatMap((partner) => partner.cells));
  const since = state.me.since ?? 1;
  const latest = Math.max(since - 1, ...[...own, ...shared].map((one) => one.round));
  const isUnfinished = latest >= since && rows.some(({ row, optional }) => !optional
    && isOpen(state, { row, round: latest }) && !shared.some((one) => isSame(one, { row, round: latest })));
  const next = isUnfinished ? latest : latest + 1;
  const all = new Set([...[...lines, ...own].map((one) => one.round), next]);
  return [...all].filter((round) => since <= round && round <= rows[0].last).sort((one, other) => one - other)
    .flatMap((round) => rows.map((pad) => {
      const cell = { row: pad.row, round };
      if (isOpen(state, cell) && isRuledOut(state, cell)) return null;
      const line = lines.find((one) => isSame(one, cell));
      return {
        ...cell, pad, isNext: round === next && isOpen(state, cell),
        label: line?.label ?? `${pad.label} ${round}`,
      };
    })).filter((cell) => cell);
}

/** All cells of the player; those of a group of fields are in order of their rounds. */
export const cells = (state) => state.show.context.pad.flatMap((row, index, all) => {
  if (!row.last) return [{ row: row.row, round: null, label: row.label, pad: row }];
  if (!row.group) return rounds(state, [row]);
  const fields = all.filter((one) => one.group === row.group);
  return fields[0] === row ? rounds(state, fields) : [];
});

/** The cell for the next entry: the one that is being typed, the selected one, or the first open
 * one while the game goes on. */
export function selected(state) {
  const all = cells(state);
  const isNext = (one) => (one.pad.last ? one.isNext : isOpen(state, one));
  return all.find((one) => isSame(one, state.seen?.place ?? state.place))
    ?? (state.show.document.finished ? null : all.find(isNext)) ?? null;
}

/** The cell to select after an entry; null for the first open one. */
function following(state, cell) {
  const { group, last } = cell.pad;
  if (group) {
    return cells(state).find((one) => one.pad.group === group && one.round === cell.round
      && !isSame(one, cell) && isOpen(state, one)) ?? null;
  }
  if (last) return null;
  const all = cells(state).filter((one) => !one.pad.last);
  const index = all.findIndex((one) => one.row === cell.row);
  return [...all.slice(index + 1), ...all.slice(0, index)]
    .find((one) => isOpen(state, one)) ?? null;
}

/** The largest number of values that each get a key of their own. */
const maxValues = 21;

/** The selected cell and its content, for which the next entry is typed; null without one. */
function seen(state) {
  const cell = selected(state);
  if (!cell) return null;
  const { row, round } = cell;
  const revision = cellAt(state.me, { row, round })?.revision ?? null;
  return { place: { row, round }, expecting: { cells: [{ row, round, revision }], keepsBoth: true } };
}

/** The keys that type the value of a cell of a row. */
function rowKeys(state, pad) {
  const answers = (words, kind = "wide") =>
    [[kind, words.map((word) => key(word, "answer", word))]];
  const step = pad?.halves ? 0.5 : 1;
  if (["number", "rounds"].includes(pad?.kind) && (pad.to - pad.from) / step < maxValues) {
    const values = Array.from({ length: (pad.to - pad.from) / step + 1 },
      (_, index) => pad.from + index * step);
    return answers(values.map(String), "values");
  }
  switch (pad?.kind) {
    case undefined: return [];
    case "text": return [];
    case "flag": return answers(["yes", "no"]);
    case "choice": return answers(pad.words);
    case "order": {
      const typed = state.typed.split(" ");
      const rest = pad.words.filter((word) => !typed.includes(word));
      return [["wide", [...rest.map((word) => key(word, "word", word)), ...typingKeys(["clear"])]]];
    }
    case "tokens": {
      const points = pad.tokens.map((points) => (points < 0 ? `${points}` : `+${points}`));
      return [["wide", typingKeys(points)], ["digits", typingKeys(calculator)]];
    }
    default: return [numberKeys(pad)];
  }
}

export const rowsKeypad = {
  seen,
  title: (state) => selected(state)?.label
    ?? (state.show.document.finished ? "The game is over" : "Everything is entered"),
  /** The `inputMode` of the text field, `none` if the keys type; null for no text field. */
  inputMode(state) {
    const cell = selected(state);
    if (fillerOf(state, cell)) return null;
    const kind = cell?.pad.kind;
    return [undefined, "flag", "choice"].includes(kind) ? null : kind === "text" ? "text" : "none";
  },
  hint(state) {
    const cell = selected(state);
    const filler = fillerOf(state, cell);
    if (filler) return `${filler.name} has entered ${valueText(cellAt(filler, cell))} for ${state.me.team}.`;
    const pad = cell?.pad;
    if (!pad) return "To correct a score, tap its row.";
    const total = /[+x]|\d-/.test(state.typed) ? sum(state.typed) : null;
    return total === null ? pad.help || pad.takes : `= ${total}`;
  },
  keys(state) {
    const cell = selected(state);
    if (fillerOf(state, cell)) return [];
    const isFilled = cell && cellAt(state.me, cell) && !state.typed
      && !state.waiting.some((item) => isSame(item.place, cell) && item.place.typed === "");
    return [...rowKeys(state, cell?.pad),
      ...isFilled ? [["one", [key("Empty", "empty", "", { class: "usual" })]]] : []];
  },
  enter(state, typed) {
    const cell = selected(state);
    const name = nameOf(cell);
    const { expecting } = isSame(state.seen?.place, cell) ? state.seen : seen(state);
    return {
      body: { ...typed ? { words: [`${name}=${typed}`] } : { clear: [name] }, expecting },
      label: `${cell.label}: ${typed || "empty"}`,
      place: { row: cell.row, round: cell.round, typed },
      // Once the entry is in the outbox, because it may rule out others. A cell that was emptied is
      // often entered again.
      next: () => (typed ? following(state, cell) : { row: cell.row, round: cell.round }),
    };
  },
};
