// The pads of games that are played move by move. What is typed are the words of `play`, and the
// laptop says what becomes of them: no rules are here.

import { choice, key, typing } from "./pad.js";
import { told } from "./sheet.js";

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

const dartKeys = (state) => [
  ["four", [
    ...[["S", "Single"], ["D", "Double"], ["T", "Triple"]]
      .map(([ring, word]) => choice(word, "ring", ring, state.ring)),
    ...typing(["back"]),
  ]],
  ["six", [
    ...Array.from({ length: 20 }, (_, index) => key(`${index + 1}`, "dart", index + 1)),
    key("25", "dart", "25"), key("Bull", "word", "BULL"), key("Miss", "word", "MISS"),
  ]],
];

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
    ...(state.mode === "darts" ? dartKeys(state) : totalKeys(state)),
  ],
  enter: (state, typed) => move(typed, state.mode === "total" && state.darts !== "3"
    ? { darts: state.darts } : {}),
};

const isMine = (state) => state.show.document.turn === state.me.id;

/** Keys that play at once, for whoever is to move. */
const taps = (title, keys) => ({
  title: (state) => (isMine(state) ? title : "Wait for your turn"),
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
  reversi: board,
  ghost,
  smashup: line(
    ["+1", "+2", "+3", "+4", "+5", "-1", "end", "deal", "reveal", "replay"],
    "Your points, as +3; end ends the turn.",
  ),
};

/** The pad of a game that is not known here. */
export const otherPad = line([], "Your move, as after scorectl play.");
