// The pads of games that are played move by move. What is typed are the words of `play`, and the
// laptop says what becomes of them: no rules are here.

import { choice, key, typing } from "./pad.js";
import { person } from "./page.js";
import { sideOf, told } from "./sheet.js";

const move = (typed, details = {}) => ({
  body: { move: typed.split(/\s+/), details },
  label: typed,
});

const enter = (state, typed) => move(typed);

const totalKeys = (state) => [
  ["digits three", typing([..."789456123", "back", "0", "clear"])],
  ["four", [
    key("Bust", "answer", "bust"),
    ...["one dart", "2 darts", "3 darts"].map((spoken, index) =>
      choice("➶".repeat(index + 1), "darts", index + 1, state.darts, spoken)),
  ]],
];

/** Darts one by one, at these numbers. */
const dartKeys = (state, kind, numbers) => [
  ["four", [
    ...[["S", "Single"], ["D", "Double"], ["T", "Triple"]]
      .map(([ring, word]) => choice(word, "ring", ring, state.ring)),
    ...typing(["back"]),
  ]],
  [kind, [
    ...numbers.map((number) => key(number, "dart", number)),
    key("25", "dart", "25"), key("Bull", "word", "BULL"), key("Miss", "word", "MISS"),
  ]],
];

const fields = Array.from({ length: 20 }, (_, index) => index + 1);

/** Darts: the total of a visit, or its darts one by one. */
const darts = {
  title: () => "Your visit",
  line: () => "none",
  hint(state) {
    const checkout = told(state.show, state.me, "Checkout");
    return checkout && `To finish: ${checkout}`;
  },
  keys: (state) => [
    ["two", [
      choice("Total", "mode", "total", state.mode),
      choice("Dart by dart", "mode", "darts", state.mode),
    ]],
    ...(state.mode === "darts" ? dartKeys(state, "six", fields) : totalKeys(state)),
  ],
  enter: (state, typed) => move(typed, state.mode === "total" && state.darts !== "3"
    ? { darts: state.darts } : {}),
};

/** Cricket: the numbers that count. */
const cricket = {
  title: () => "Your visit",
  line: () => "none",
  hint: ({ typed }) => (typed
    ? `${typed.split(" ").length} of 3 darts` : "Any other number is a miss."),
  keys: (state) => dartKeys(state, "digits three", [20, 19, 18, 17, 16, 15]),
  enter,
};

const isMine = (state) => state.show.document.turn === state.me.id;
const waiting = "Wait for your turn";

const pins = { X: ["X", "strike"], "/": ["/", "spare"], "-": ["−", "miss"] };
const rack = [..."789", "back", ..."456", "X", ..."123", "/", "clear", "0", "-"];

/** Bowling: a frame, ball by ball. */
const bowling = {
  title: (state) => (isMine(state) ? `Frame ${state.me.cells.length + 1}` : waiting),
  line: () => "none",
  hint: () => "As X, 7/, 72 or 9-",
  keys: () => [["digits", typing(rack, pins)]],
  enter,
};

/** Keys that play at once, for whoever is to move. */
const taps = (title, keys) => ({
  title: (state) => (isMine(state) ? title : waiting),
  line: () => null,
  hint: () => "",
  keys,
  enter,
});

/** Reversi and other boards: one of the squares that are possible. */
const board = taps("Tap a square", (state) => {
  const panel = state.show.document.panels.find((one) => one.kind === "board");
  const legal = isMine(state) ? panel?.legal ?? [] : [];
  return [["squares", legal.map((square) => key(square, "answer", square))]];
});

const ghost = taps("Add a letter", () => [["six", [..."abcdefghijklmnopqrstuvwxyz"]
  .map((letter) => key(letter.toUpperCase(), "answer", letter, { "aria-label": letter }))]]);

/** A match: who has won a point, whoever holds the phone, and how many where that differs. */
const match = {
  title: ({ show: { document: sheet, context } }) => (sheet.finished ? "The match is over"
    : context.pad.length ? "Who has won how many?" : "Who has won the point?"),
  line: () => null,
  hint: () => "",
  keys({ show: { document: sheet, context } }) {
    const sides = sheet.finished ? [] : (sheet.panels[0]?.rows ?? []).map(sideOf);
    return (context.pad[0]?.tokens ?? [""]).map((count) => ["sides", sides.map((side) => {
      const typed = `${side} ${count}`.trim();
      return key(person(typed), "answer", typed);
    })]);
  },
  // A name is one word, whatever spaces it has.
  enter: (state, typed) => ({ body: { move: [typed], details: {} }, label: typed }),
};

/** What `play` takes, in a line, with what is said most. */
const line = (words, hint) => ({
  title: () => "Your move",
  line: () => "text",
  hint: () => hint,
  keys: () => [["wide", words.map((word) => key(word, "answer", word))]],
  enter,
});

export const movePads = {
  darts,
  cricket,
  match,
  bowling,
  reversi: board,
  ghost,
  smashup: line(
    ["+1", "+2", "+3", "+4", "+5", "-1", "end", "deal", "reveal", "replay"],
    "Your points, as +3; end ends the turn.",
  ),
};

/** The pad of a game that is not known here. */
export const otherPad = line([], "Your move, as after scorectl play.");
