// The keypads of games that are played in moves. They type the arguments of `scorectl play`, which
// the laptop checks: there are no rules here. The laptop describes the input: its kind, its title
// and its keys.

import { key, modeKey, typingKeys } from "./pad.js";
import { person } from "./page.js";

const isMine = ({ show, me }) => show.document.turn === me.id;

const totalKeys = (state) => [
  ["digits three", typingKeys([..."789456123", "back", "0", "clear"])],
  ["four", [
    key("Bust", "answer", "bust"),
    ...["one dart", "2 darts", "3 darts"].map((spoken, index) =>
      modeKey("➶".repeat(index + 1), "darts", index + 1, state.darts, spoken)),
  ]],
];

/** Keys to type a visit dart by dart, for these numbers. */
const dartKeys = (state, kind, numbers) => [
  ["four", [
    ...[["S", "Single"], ["D", "Double"], ["T", "Triple"]]
      .map(([ring, label]) => modeKey(label, "ring", ring, state.ring)),
    ...typingKeys(["back"]),
  ]],
  [kind, [
    ...numbers.map((number) => key(number, "dart", number)),
    key("25", "dart", "25"), key("Bull", "word", "BULL"), key("Miss", "word", "MISS"),
  ]],
];

const pinLabels = { X: ["X", "strike"], "/": ["/", "spare"], "-": ["−", "miss"] };
const pinKeys = [..."789", "back", ..."456", "X", ..."123", "/", "clear", "0", "-"];

/** Keys that each play a move, for the player to move. */
const taps = {
  title: (state, { title }) => (isMine(state) ? title : "Wait for your turn"),
  inputMode: () => null,
  hint: () => "",
};

/** The keypads by kind of input; each function gets the state of the page and the input. */
const keypads = {
  /** The darts of a visit: one by one or, if `totals`, also as their total. */
  darts: {
    inputMode: () => "none",
    hint: ({ me, typed }, { help, totals }) => (totals ? me.advice ?? help
      : typed ? `${typed.split(" ").length} of 3 darts` : help),
    keys: (state, { numbers, totals }) => {
      if (!totals) return dartKeys(state, "digits three", numbers);
      return [
        ["two", [
          modeKey("Total", "mode", "total", state.mode),
          modeKey("Dart by dart", "mode", "darts", state.mode),
        ]],
        ...(state.mode === "darts" ? dartKeys(state, "six", numbers) : totalKeys(state)),
      ];
    },
    details: ({ mode, darts }, { totals }) =>
      (totals && mode === "total" && darts !== "3" ? { darts } : {}),
  },
  /** The balls of a frame. */
  pins: {
    title: (state, input) => (isMine(state)
      ? `${input.title} ${state.me.cells.length + 1}` : taps.title(state, input)),
    inputMode: () => "none",
    keys: () => [["digits", typingKeys(pinKeys, pinLabels)]],
  },
  /** The legal squares of a board. */
  squares: {
    ...taps,
    keys(state) {
      const board = state.show.document.panels.find((panel) => panel.kind === "board");
      const legal = isMine(state) ? board?.legal ?? [] : [];
      return [["squares", legal.map((square) => key(square, "answer", square))]];
    },
  },
  letters: {
    ...taps,
    keys: () => [["six", [..."abcdefghijklmnopqrstuvwxyz"]
      .map((letter) => key(letter.toUpperCase(), "answer", letter, { "aria-label": letter }))]],
  },
  /** The sides of a match, with the points that each may win at once; any phone may enter them. */
  sides: {
    inputMode: () => null,
    // The input's title comes with snapshots only, but the match may end with a change.
    title: ({ show }, { title }) => (show.document.finished ? "The match is over" : title),
    keys: ({ show }, { words = [] }) => (show.context.pad[0]?.tokens ?? [""])
      .map((count) => ["sides", (show.document.finished ? [] : words).map((side) => {
        const typed = `${side} ${count}`.trim();
        return key(person(typed), "answer", typed);
      })]),
    // A side is a single argument, even with spaces in its name.
    words: (typed) => [typed],
  },
  text: {
    inputMode: () => "text",
    keys: (state, { words = [] }) => [["wide", words.map((word) => key(word, "answer", word))]],
  },
};

/** The keypad for an input; a text field if its kind is unknown. */
export function moveKeypad(input) {
  const keypad = {
    title: () => input.title,
    hint: () => input.help,
    words: (typed) => typed.split(/\s+/),
    details: () => ({}),
    ...keypads[input.input] ?? keypads.text,
  };
  return {
    title: (state) => keypad.title(state, input),
    inputMode: keypad.inputMode,
    hint: (state) => keypad.hint(state, input),
    keys: (state) => keypad.keys(state, input),
    enter: (state, typed) => ({
      body: { move: keypad.words(typed), details: keypad.details(state, input) }, label: typed,
    }),
  };
}
