// The keypads of games that are played in moves. They type the arguments of `scorectl play`, which
// the laptop checks: there are no rules here.

import { key, modeKey, typingKeys } from "./pad.js";
import { person } from "./page.js";
import { sideOf, told } from "./sheet.js";

const move = (typed, details = {}) => ({
  body: { move: typed.split(/\s+/), details },
  label: typed,
});

const enter = (state, typed) => move(typed);

const totalKeys = (state) => [
  ["digits three", typingKeys([..."789456123", "back", "0", "clear"])],
  ["four", [
    key("Bust", "answer", "bust"),
    ...["one dart", "2 darts", "3 darts"].map((spoken, index) =>
      modeKey("➶".repeat(index + 1), "darts", index + 1, state.darts, spoken)),
  ]],
];

/** Keys for one dart after the other, at these numbers. */
const dartKeys = (state, kind, numbers) => [
  ["four", [
    ...[["S", "Single"], ["D", "Double"], ["T", "Triple"]]
      .map(([ring, word]) => modeKey(word, "ring", ring, state.ring)),
    ...typingKeys(["back"]),
  ]],
  [kind, [
    ...numbers.map((number) => key(number, "dart", number)),
    key("25", "dart", "25"), key("Bull", "word", "BULL"), key("Miss", "word", "MISS"),
  ]],
];

const fields = Array.from({ length: 20 }, (_, index) => index + 1);

/** Darts: the total of a visit, or its darts. */
const darts = {
  title: () => "Your visit",
  inputMode: () => "none",
  hint(state) {
    const checkout = told(state.show, state.me, "Checkout");
    return checkout && `To finish: ${checkout}`;
  },
  keys: (state) => [
    ["two", [
      modeKey("Total", "mode", "total", state.mode),
      modeKey("Dart by dart", "mode", "darts", state.mode),
    ]],
    ...(state.mode === "darts" ? dartKeys(state, "six", fields) : totalKeys(state)),
  ],
  enter: (state, typed) => move(typed, state.mode === "total" && state.darts !== "3"
    ? { darts: state.darts } : {}),
};

/** Cricket: the darts at the numbers that count. */
const cricket = {
  title: () => "Your visit",
  inputMode: () => "none",
  hint: ({ typed }) => (typed
    ? `${typed.split(" ").length} of 3 darts` : "Any other number is a miss."),
  keys: (state) => dartKeys(state, "digits three", [20, 19, 18, 17, 16, 15]),
  enter,
};

const isMine = (state) => state.show.document.turn === state.me.id;
const waiting = "Wait for your turn";

const pins = { X: ["X", "strike"], "/": ["/", "spare"], "-": ["−", "miss"] };
const rack = [..."789", "back", ..."456", "X", ..."123", "/", "clear", "0", "-"];

/** Bowling: the balls of a frame. */
const bowling = {
  title: (state) => (isMine(state) ? `Frame ${state.me.cells.length + 1}` : waiting),
  inputMode: () => "none",
  hint: () => "As X, 7/, 72 or 9-",
  keys: () => [["digits", typingKeys(rack, pins)]],
  enter,
};

/** Keys that each play a move, for the player to move. */
const taps = (title, keys) => ({
  title: (state) => (isMine(state) ? title : waiting),
  inputMode: () => null,
  hint: () => "",
  keys,
  enter,
});

/** Reversi and other boards: the legal squares. */
const board = taps("Tap a square", (state) => {
  const panel = state.show.document.panels.find((one) => one.kind === "board");
  const legal = isMine(state) ? panel?.legal ?? [] : [];
  return [["squares", legal.map((square) => key(square, "answer", square))]];
});

const ghost = taps("Add a letter", () => [["six", [..."abcdefghijklmnopqrstuvwxyz"]
  .map((letter) => key(letter.toUpperCase(), "answer", letter, { "aria-label": letter }))]]);

/** A match: the side that won a point, and how many points if that varies. Any phone may enter it. */
const match = {
  title: ({ show: { document: sheet, context } }) => (sheet.finished ? "The match is over"
    : context.pad.length ? "Who scored, and how many?" : "Who won the point?"),
  inputMode: () => null,
  hint: () => "",
  keys({ show: { document: sheet, context } }) {
    const sides = sheet.finished ? [] : (sheet.panels[0]?.rows ?? []).map(sideOf);
    return (context.pad[0]?.tokens ?? [""]).map((count) => ["sides", sides.map((side) => {
      const typed = `${side} ${count}`.trim();
      return key(person(typed), "answer", typed);
    })]);
  },
  // A name is a single argument, even with spaces.
  enter: (state, typed) => ({ body: { move: [typed], details: {} }, label: typed }),
};

/** A text field, with keys for the most common moves. */
const text = (words, hint) => ({
  title: () => "Your move",
  inputMode: () => "text",
  hint: () => hint,
  keys: () => [["wide", words.map((word) => key(word, "answer", word))]],
  enter,
});

export const moveKeypads = {
  darts,
  cricket,
  match,
  bowling,
  reversi: board,
  ghost,
  smashup: text(
    ["+1", "+2", "+3", "+4", "+5", "-1", "end", "deal", "reveal", "replay"],
    "Your points, as +3; end ends the turn.",
  ),
};

/** The keypad of any other game. */
export const otherKeypad = text([], "Your move, as for scorectl play.");
