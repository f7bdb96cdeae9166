// Entering at the table: the pad, what is on its way, and undo.

import { call, CallError, toast } from "./calls.js";
import { cellAt, cellName, entryText, playerOf, seated, typedText, valueText } from "./sheet.js";
import { isOver, isSame, key, nameOf, padOf, rowsKeypad, selected, setMode, withoutLast } from "./pad.js";
import { keypadOf, withWord } from "./moves.js";
import { at, element, hide, list, noteOnTurn, person, setChildren, setText } from "./page.js";
import { firstPlace, neighbour, pendingAt, placeAfter } from "./table-sheet.js";

export const isOfMoves = ({ show }) => Boolean(show.context.moves);
const currentCell = (state) => (state.me && state.place ? cellAt(state.me, state.place) : undefined);

/** Keeps what is shown when typing starts, so that a change before the entry is noticed. */
export function look(state) {
  state.seen = state.isDirty ? state.seen ?? keypadOf(state)?.seen?.(state) ?? null : null;
}

/** The calls in progress, one after the other, so that an undo finds what was typed before it. */
let queue = Promise.resolve();

/** Runs `act` with a function that calls methods for the session that is shown now. */
function inTurn({ session }, act) {
  const run = () => act((method, params) => call(method, { session, ...params }));
  queue = queue.then(run, run);
  return queue;
}

export function say(...parts) { setText("told", ...parts); }

/** Selects a cell, after what was typed into the current one is written. */
export function select(state, place, isFocused = true) {
  commit(state);
  Object.assign(state, {
    player: place?.player ?? state.player, typed: "", isDirty: false, seen: null,
  });
  state.place = place && { row: place.row, round: place.round };
  const item = place && state.pending.find((one) =>
    one.problem && one.player === place.player && isSame(one.place, place));
  // What was refused is typed again.
  if (item) Object.assign(state, { typed: item.place.typed, isDirty: true });
  state.focus = isFocused && place ? "entry" : state.focus;
}

const refusedText = ({ show }, { player, place }) => `${playerOf(show, player)?.name} ${place.typed}`;

/** What is being typed, with its player; null for nothing. */
const typing = ({ me, typed, isDirty }) => (isDirty && typed ? `${me?.name} ${typed}` : null);

/** Names what was typed and is not written; empty if there is nothing. */
export const notEntered = (state) => [
  ...state.pending.filter((one) => one.problem).map((one) => refusedText(state, one)),
  typing(state),
].filter((text) => text).join(", ");

/** Sends what was typed into the selected cell; nothing if it was not changed. */
export function commit(state) {
  const { player, place, me } = state;
  if (!state.isDirty || !place || !me || isOfMoves(state)) return;
  const typed = state.typed.trim();
  look(state);
  const { expecting } = state.seen ?? {};
  Object.assign(state, { typed: "", isDirty: false, seen: null });
  const others = state.pending.filter((one) =>
    !(one.problem && one.player === player && isSame(one.place, place)));
  const isSameText = typed === typedText(cellAt(me, place));
  if (isSameText) state.pending = others;
  else send(state, player, { ...place, typed }, expecting, others);
}

function send(state, player, place, expecting, others) {
  const { group } = padOf(state, place) ?? {};
  const item = { player, place, group, expecting, problem: null };
  const before = cellAt(playerOf(state.show, player), place);
  state.pending = [...others, item];
  say();
  inTurn(state, async (write) => {
    const [method, word] = place.typed ? ["score", `${nameOf(place)}=${place.typed}`]
      : ["clear", nameOf(place)];
    try {
      const { notes } = await write(method, { words: [player, word], expecting });
      if (notes.length) say(person(notes.join(". ")));
      // Somebody may have entered it while the cursor waited there.
      else if (before && place.typed) {
        say(person(playerOf(state.show, player).name), `, ${cellName(place, state.show.context.rows)}: `,
          person(valueText(before)), " → ", person(place.typed));
      }
      // The sheet mostly arrives before the answer.
      const now = cellAt(playerOf(state.show, player), place);
      if (now?.at === before?.at) await state.nextShow();
      state.pending = state.pending.filter((one) => one !== item);
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      const { message, conflict, kind } = error;
      const isUnsent = ["no-daemon", "connection-lost", "unreachable"].includes(kind);
      Object.assign(item, { problem: message, conflict, isUnsent });
      const text = `Not entered: ${refusedText(state, item)}: ${item.problem}`;
      if (state.isLeft) toast(text, true);
      else say(person(text));
    }
    state.redraw();
  });
}

/** Sends again what may not have reached the daemon, once it runs; what it has already written is
 * the value that is expected. */
export function sendAgain(state) {
  for (const item of state.pending.filter((one) => one.problem && one.isUnsent)) {
    send(state, item.player, item.place, item.expecting,
      state.pending.filter((one) => one !== item));
  }
}

/** Writes what somebody else's entry came before, in place of that entry. */
function take(state, value) {
  const { player, ...place } = JSON.parse(value);
  const item = pendingAt(state, player, place);
  const { row, round, revision } = item.conflict;
  send(state, player, item.place, { cells: [{ row, round, revision }] },
    state.pending.filter((one) => one !== item));
}

function forget(state, value) {
  const { player, ...place } = JSON.parse(value);
  const item = pendingAt(state, player, place);
  state.pending = state.pending.filter((one) => one !== item);
}

/** Enters the text and goes on to the next cell. */
export function enter(state, typed) {
  if (isOfMoves(state)) return play(state, typed);
  const { player, place } = state;
  if (!place) return;
  if (typed !== undefined) Object.assign(state, { typed, isDirty: true });
  commit(state);
  select(state, placeAfter(state, player, place));
}

async function play(state, text = state.typed) {
  const typed = text.trim();
  if (!typed || state.isPlaying) return;
  const { body } = keypadOf(state).enter(state, typed);
  const isOfSides = state.show.context.moves.input === "sides";
  const move = {
    words: body.move, details: body.details, expecting: body.expecting,
    player: isOfSides ? null : state.player,
  };
  await carryOut(state, move, isOfSides ? typed : `${state.me.name}: ${typed}`);
}

async function carryOut(state, move, label) {
  Object.assign(state, { isPlaying: true, problem: null, refused: null });
  const turn = state.show.document.turnNumber;
  say(person(label), " …");
  await inTurn(state, async (write) => {
    try {
      const { notes, answers = [] } = await write("play", move);
      const replies = answers.map((cell) => `${cell.player}: ${valueText(cell)}`);
      say(person([...notes, ...replies].join(". ") || label));
      state.isToldPast = turn ? noteOnTurn(turn, answers.length) : null;
      Object.assign(state, {
        typed: "", isDirty: false, seen: null, ring: "S", darts: "3", isChosen: false,
      });
      // The sheet with this move may have come before the answer.
      keepSelection(state, false);
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      state.problem = error.message;
      state.refused = error.conflict ? { conflict: error.conflict, move, label } : null;
      say();
    }
  });
  state.isPlaying = false;
  state.focus = "typed";
  state.redraw();
}

export function undo(state) {
  Object.assign(state, { typed: "", isDirty: false, seen: null, problem: null, refused: null });
  return inTurn(state, async (write) => {
    try {
      const { player, cells } = await write("undo");
      say("Undone: ", ...list(cells.map((cell) => {
        const [before] = cell.replacedTexts ?? cell.replaced;
        const name = cellName(cell, state.show.context.rows);
        return element("span", {}, person(cell.player ?? player), `, ${name}: `,
          person(entryText({ value: before })), " → ", person(entryText(cell)));
      })));
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      toast(error.message, true);
    }
    state.redraw();
  });
}

/** Settles a conflict, removes or corrects an entry. */
export const settle = (state, method, { player, row, round }, ...more) => inTurn(state, (write) =>
  write(method, { words: [player, nameOf({ row, round: round ?? null }), ...more] }));
export const correct = (state, { player, row, round }, typed) => inTurn(state, (write) =>
  write("score", { words: [player, `${nameOf({ row, round: round ?? null })}=${typed}`] }));

/** Keeps a player and a cell selected that exist, and follows whose turn it is. */
export function keepSelection(state, isNew) {
  const { document: sheet, context } = state.show;
  const players = seated(state.show).map((one) => one.id);
  const unsent = isOver(state) && typing(state);
  if (unsent) {
    toast(`Not entered, because the game is over: ${unsent}`, true);
    Object.assign(state, { typed: "", isDirty: false, seen: null });
  }
  if (!isOfMoves(state)) {
    if (isNew) Object.assign(state, { player: context.me, place: null });
    // The player was removed, or an option took the row away.
    const isGone = state.place && !(players.includes(state.player) && padOf(state, state.place));
    if (isGone) {
      const lost = typing(state);
      if (lost) toast(`Not entered, because its cell is gone: ${lost}`, true);
      Object.assign(state, { place: null, typed: "", isDirty: false, seen: null });
    }
    if (!players.includes(state.player)) state.player = players[0] ?? null;
    if (isGone && !sheet.finished) select(state, firstPlace(state, state.player), false);
    if (isNew && !sheet.finished) select(state, firstPlace(state, context.me), false);
    return;
  }
  if (isNew || state.turn !== sheet.turn) state.isChosen = false;
  state.turn = sheet.turn;
  // What is typed stays with the player for whom it was begun.
  if (!(state.isChosen || typing(state)) || !players.includes(state.player)) {
    state.player = sheet.turn ?? context.me ?? players[0] ?? null;
  }
}

/** The actions of keys, by `data-act`. */
export const actions = {
  type(state, value) { Object.assign(state, { typed: state.typed + value, isDirty: true }); },
  word(state, value) {
    if (state.show.context.moves?.input === "darts") state.mode = "darts";
    Object.assign(state, { typed: withWord(state, value), isDirty: true });
  },
  dart(state, value) {
    actions.word(state, state.ring + value);
    state.ring = "S";
  },
  back(state) {
    if (!state.isDirty) state.typed = typedText(currentCell(state));
    Object.assign(state, { typed: withoutLast(state.typed), isDirty: true });
  },
  clear(state) { Object.assign(state, { typed: "", isDirty: true }); },
  set: setMode,
  place(state, value) { select(state, JSON.parse(value)); },
  answer: enter,
  empty: (state) => enter(state, ""),
  enter: (state) => enter(state),
  undo,
  take,
  forget,
  /** Plays the move as the turn after the one that was played meanwhile. */
  retry(state) {
    const { conflict, move, label } = state.refused;
    carryOut(state, { ...move, expecting: { turn: conflict.turn } }, label);
  },
  drop(state) {
    Object.assign(state, { typed: "", isDirty: false, seen: null, problem: null, refused: null });
  },
  settle: (state, value) => settle(state, ...JSON.parse(value)),
  seat(state, id) {
    if (!isOfMoves(state)) return;
    Object.assign(state, { player: id, isChosen: true, typed: "", focus: "typed" });
  },
};

const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Handles a key in the cell's field; false if the browser should. */
export function pressInCell(state, event) {
  const { key: name, target } = event;
  const isEdited = state.isDirty;
  if (name === "Enter" || (name === "Tab" && !event.shiftKey && isEdited)) enter(state);
  else if (name === "Escape" && isEdited) {
    Object.assign(state, { typed: "", isDirty: false, seen: null, focus: "entry" });
    state.pending = state.pending.filter((one) =>
      !(one.player === state.player && isSame(one.place, state.place)));
  } else if (name === "Delete" && !isEdited && currentCell(state)) {
    Object.assign(state, { typed: "", isDirty: true });
    commit(state);
  } else if (arrows[name] && (!isEdited || name === "ArrowUp" || name === "ArrowDown")) {
    const next = neighbour(state, arrows[name]);
    if (next) select(state, next);
    else target.select();
  } else return false;
  return true;
}

/** Draws the pad for the selected player and cell. */
export function drawPad(state) {
  const keypad = keypadOf(state);
  const isRows = keypad === rowsKeypad;
  const isComputer = state.computers.has(state.player);
  const hasEnded = isOfMoves(state) && state.show.document.finished && !state.problem
    && keypad.inputMode(state) === null;
  hide("pad", !keypad || !state.me || isOver(state) || hasEnded);
  if (at("pad").hidden) return;
  const cell = currentCell(state);
  const isIdle = isRows && (!state.place || !selected(state));
  const isSides = state.show.context.moves?.input === "sides";
  setText("pad-title", ...(isIdle ? ["Everything is entered"]
    : isSides ? [keypad.title(state)] : isComputer ? [person(state.me.name), " is to play"]
      : [person(state.me.name), ": ", person(keypad.title(state))]));
  setText("hint", person(isIdle ? "Click a cell to correct it." : isComputer ? "The computer thinks …"
    : keypad.hint(state)));
  setText("problem", state.problem ?? "");
  const inputMode = isRows || isComputer ? null : keypad.inputMode(state);
  hide("entering", inputMode === null);
  if (inputMode) at("typed").inputMode = inputMode;
  if (at("typed").value !== state.typed) at("typed").value = state.typed;
  const rows = isIdle || isComputer ? [] : keypad.keys(state);
  const { conflict } = state.refused ?? {};
  setChildren("keys", [
    ...conflict ? [element("div", { class: "two" },
      key(person(`Keep ${entryText(conflict)}`), "drop", ""),
      conflict.turn ? key("Enter now", "retry", "") : "")] : [],
    ...rows.map(([kind, keys]) => element("div", { class: kind }, ...keys)),
    ...isRows && !isIdle ? [element("div", { class: "two" },
      key("Enter", "enter", "", { class: "primary" }),
      cell ? key("Who wrote this?", "history", nameOf(state.place)) : "")] : [],
  ]);
}

/** Shows the text of the selected cell in its field, and moves the focus. */
export function drawEntry(state) {
  const field = at("entry");
  if (field) {
    const text = state.isDirty ? state.typed : typedText(currentCell(state));
    if (field.value !== text) {
      field.value = text;
      // What arrives from others is replaced by what is typed next, not continued.
      if (!state.isDirty && document.activeElement === field) field.select();
    }
  }
  const target = state.focus && at(state.focus);
  if (target?.offsetParent) {
    if (document.activeElement !== target) target.focus();
    if (target === field && !state.isDirty) target.select();
    target.scrollIntoView({ block: "nearest", inline: "nearest" });
  }
  state.focus = null;
}

/** The conflicts and flags of the sheet, each with what settles it. */
export function troubles(state) {
  const { document: sheet, context } = state.show;
  const settling = (label, ...words) => key(label, "settle", JSON.stringify(words));
  const conflicts = sheet.players.flatMap((player) => player.cells
    .filter((cell) => cell.conflict.length > 0)
    .map((cell) => element("li", {},
      element("span", {}, person(player.name), `, ${cellName(cell, context.rows)}`),
      ...[cell, ...cell.conflict].map((entry, index) => settling(
        person(`${index ? "Take" : "Keep"} ${entryText(entry)} by ${entry.by}`), "resolve",
        { player: player.id, row: cell.row, round: cell.round }, typedText(entry))))));
  const flagged = (flag) => {
    const player = playerOf(state.show, flag.player);
    const cell = player && cellAt(player, flag);
    return [person(player?.name ?? "unknown player"), `, ${cellName(flag, context.rows)}`,
      ...cell ? [" ", person(valueText(cell))] : [], ": ", person(flag.reason)];
  };
  const flags = sheet.flags.map((flag) => element("li", {},
    element("span", {}, ...flagged(flag)),
    settling("Remove", "clear", { player: flag.player, row: flag.row, round: flag.round })));
  return [...conflicts, ...flags];
}
