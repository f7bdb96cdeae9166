// The keypads of games that are played in moves. They type the arguments of `scorectl play`, which
// the laptop checks and describes: there are no rules here.

import { key, modeKey, rowsKeypad, typingKeys } from "./pad.js";
import { person } from "./page.js";

/** The turn that is shown, for which a move is typed. */
const seen = ({ show }) => {
  const { turnNumber } = show.document;
  return { expecting: turnNumber ? { turn: turnNumber, keepsBoth: true } : {} };
};

const isMine = ({ show, me }) => show.document.turn === me.id;

/** Digits between the usual scores of a visit, each of which is entered by one tap. */
const totalRows = [
  ["180", ..."789", "60"], ["140", ..."456", "45"], ["100", ..."123", "41"],
  ["85", "back", "0", "clear", "26"],
];

const totalKeys = (state) => [["totals", [
  ...totalRows.flatMap(([high, ...others]) => {
    const low = others.pop();
    return [key(high, "answer", high, usual), ...typingKeys(others), key(low, "answer", low, usual)];
  }),
  key("81", "answer", "81", usual), key("Bust", "answer", "bust"),
  ...["one dart", "2 darts", "3 darts"].map((spoken, index) =>
    modeKey("➶".repeat(index + 1), "darts", index + 1, state.darts, spoken)),
]]];

const usual = { class: "usual" };
const maxDarts = 3;
export const dartsOf = (text) => text.split(/\s+/).filter((dart) => dart);

/** What is typed, with another word; a visit has no fourth dart. */
export function withWord({ typed, show }, word) {
  const words = dartsOf(typed);
  const isFull = show.context.moves?.input === "darts" && words.length >= maxDarts;
  return isFull ? typed : [...words, word].join(" ");
}

/** Keys to type a visit dart by dart, for these numbers; the highest triples have a key each. */
const dartKeys = (state, kind, numbers, rings = []) => {
  const isFull = { "aria-disabled": dartsOf(state.typed).length < maxDarts ? null : true };
  const triples = [...numbers].sort((one, other) => other - one).slice(0, 6);
  return [
    ["four", [
      ...[["S", "Single"], ["D", "Double"], ["T", "Triple"], ...rings.map((ring) => [ring, ring])]
        .map(([ring, label]) => modeKey(label, "ring", ring, state.ring)),
      ...typingKeys(["back"]),
    ]],
    ["six", triples.map((number) => key(`T${number}`, "word", `T${number}`, { ...usual, ...isFull }))],
    [kind, [
      ...numbers.map((number) => key(number, "dart", number, isFull)),
      key("25", "dart", "25", isFull), key("Bull", "word", "BULL", isFull),
      key("Miss", "word", "MISS", isFull),
    ]],
  ];
};

/** The points of a dart such as `T20`; null if it is not one. */
function dartPoints(dart) {
  if (/^MISS$/i.test(dart)) return 0;
  if (/^BULL$/i.test(dart)) return 50;
  const [, ring, number] = /^([SDT]?)(\d+)$/i.exec(dart) ?? [];
  return number ? number * (" SDT".indexOf((ring || "S").toUpperCase())) : null;
}

/** The hint after the darts that are typed: what is left, and how to finish with the others. */
function dartsHint({ show, me, typed }) {
  const darts = dartsOf(typed);
  const count = `${/^BED/i.test(typed) ? maxDarts : darts.length} of ${maxDarts} darts`;
  const points = darts.map(dartPoints);
  if (me.headline?.left === undefined || points.includes(null)) return count;
  const left = me.headline.left - points.reduce((sum, one) => sum + one, 0);
  const route = show.context.moves.routes?.[left];
  if (left < 0 || route === null) return `${count}, bust`;
  const isWithin = route?.length && route.length <= maxDarts - darts.length;
  return `${count}, ${left} left${isWithin ? `. To finish: ${route.join(" ")}` : ""}`;
}

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
    hint: (state, { help, totals }) => {
      const isByDart = !totals || state.mode === "darts";
      return state.typed && isByDart ? dartsHint(state) : state.me.advice ?? help;
    },
    keys: (state, { numbers, rings, totals }) => {
      if (!totals) return dartKeys(state, "digits three", numbers, rings);
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
    keys: () => [
      ["one", [key("Strike", "answer", "X", usual)]], ["digits", typingKeys(pinKeys, pinLabels)],
    ],
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
    keys: ({ show }, { words = [] }) => (show.context.pad[0]?.tokens ?? [""])
      .map((count) => ["sides", words.map((side) => {
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
function moveKeypad(input) {
  const keypad = {
    title: () => input.title,
    hint: () => input.help,
    words: (typed) => typed.split(/\s+/),
    details: () => ({}),
    ...keypads[input.input] ?? keypads.text,
  };
  // A game that its last move has ended has no more keys, except in those that are typed: there the
  // laptop names what may follow.
  const unlessOver = (part, otherwise) => (state) =>
    (state.show.document.finished && input.input !== "text" ? otherwise : part(state, input));
  return {
    seen,
    title: unlessOver(keypad.title, "The game is over"),
    inputMode: unlessOver(keypad.inputMode, null),
    hint: unlessOver(keypad.hint, ""),
    keys: unlessOver(keypad.keys, []),
    enter: (state, typed) => ({
      body: {
        move: keypad.words(typed), details: keypad.details(state, input),
        expecting: (state.seen ?? seen(state)).expecting,
      },
      label: typed,
    }),
  };
}

/** The keypad of a game; null if nothing is entered in it. */
export const keypadOf = ({ show: { context: { moves, pad } } }) =>
  (moves ? moveKeypad(moves) : pad.length ? rowsKeypad : null);
