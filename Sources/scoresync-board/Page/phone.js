// The page of a player's phone.

import {
  cellAt, cellName, entryText, figure, leadersText, playerOf, ranked, scorers, typedText, valueText,
} from "./sheet.js";
import {
  announce, at, element, follow, hide, list, noteOnTurn, person, setChildren, setText, showProblem,
  throttledDraw,
} from "./page.js";
import { drawnPanels } from "./panels.js";
import { Outbox } from "./outbox.js";
import {
  cells, fillerOf, isOver, isSame, key, letterKey, nameOf, padOf, rowsKeypad, selected, setMode, withoutLast,
} from "./pad.js";
import { keypadOf, withWord } from "./moves.js";
import { keepAwake } from "./awake.js";

const state = {
  show: null,
  player: null,
  typed: "",
  /** The state that was shown when the typing of `typed` started; null if nothing is typed. */
  seen: null,
  place: null,
  mode: "total",
  ring: "S",
  darts: "3",
  get me() { return this.show && this.player ? playerOf(this.show, this.player) : null; },
  /** The confirmed items of which the sheet does not show the effect yet. */
  unshown: [],
  get waiting() { return [...this.unshown, ...outbox?.waiting ?? []].filter(isOfShown); },
  get keypad() { return keypadOf(this); },
};
const isMine = () =>
  !state.show.document.finished && state.show.document.turn === state.player;
const isSeated = () => state.me && !state.me.removed;
/** Whether an item was typed in the game that is shown. */
const isOfShown = ({ session }) => !session || session === state.show.document.session.id;
/** Whether a rejected item can be edited. */
const isEditable = (item) => item.path === "enter" && isSeated() && isOfShown(item) && !isOver(state)
  && (item.place ? cells(state).some((cell) => isSame(cell, item.place))
    : state.keypad?.inputMode(state));
/** Whether the cell of an item still has the content that it had when the item was typed. */
const isUnshown = (item) => isSeated() && isOfShown(item)
  && item.body.expecting?.cells?.some((cell) => isSame(cell, item.place)
    && (cellAt(state.me, item.place)?.revision ?? null) === cell.revision);
let outbox = null;
let problem = null;
let announced = null;
let isToldPast = null;
let visibleCell = null;
let pressed = {};
let focus = null;

function header() {
  const { document: sheet, context } = state.show;
  document.title = `${state.me.name} – ${sheet.session.title}`;
  setText("name", person(state.me.name));
  setText("game", person(sheet.session.title), ` · ${context.gameName}`);
  const rank = state.me.rank ? `place ${state.me.rank} of ${scorers(state.show).length}` : "";
  const [number, kind] = figure(state.show, state.me);
  setChildren("own", [
    element("b", {}, number),
    element("span", { class: "faint" }, kind + (rank && `, ${rank}`)),
  ]);
  const mover = playerOf(state.show, sheet.turn);
  at("turn").classList.toggle("mine", isMine());
  if (sheet.finished) setText("turn", leadersText(state.show));
  else if (isMine()) setText("turn", "Your turn");
  else setText("turn", ...(mover ? [person(mover.name), " is to play"] : []));
}

function sheet() {
  const isOfRows = state.keypad === rowsKeypad;
  hide("sheet", !isOfRows);
  setChildren("game-panel", drawnPanels(state.show, isMine()).slice(0, 1));
  if (!isOfRows) return;
  const current = selected(state);
  setChildren("rows", cells(state).map((place) => {
    const cell = cellAt(state.me, place);
    const sent = state.waiting.findLast((item) => isSame(item.place, place));
    const others = cell?.conflict.length
      ? element("span", { class: "mark" }, ...list(cell.conflict.map((entry) =>
        element("span", {}, person(entry.by), " entered ", person(entryText(entry)))))) : null;
    const filler = fillerOf(state, place);
    const value = sent ? element("i", {}, `${sent.place.typed || "–"} …`)
      : cell ? element("b", {}, person(valueText(cell)))
        : filler ? element("span", { class: "faint" }, person(filler.name), ": ",
          person(valueText(cellAt(filler, place)))) : element("span", {}, "–");
    return element("li", {}, element("button", {
      type: "button", "data-act": "place", "data-value": `${place.row}.${place.round ?? ""}`,
      "aria-pressed": isSame(place, current),
    }, element("span", { class: "label" }, person(place.label)), others, value));
  }));
  const cell = `${current?.row}.${current?.round}`;
  if (cell !== visibleCell) at("rows").querySelector("[aria-pressed=true]")
    ?.scrollIntoView({ block: "nearest" });
  visibleCell = cell;
}

/** The text as it was typed, without its cell. */
const typedInto = (item) => item.place?.typed ?? item.label;

/** The message about an item that was typed for another state than the present one, and the choice. */
function conflict(item) {
  const { player, label, by, turn, ...cell } = item.conflict;
  const isEmpty = cell.value === null;
  const whose = state.me?.name === player ? "" : `${player} `;
  const now = `${whose}${valueText(cell)}`;
  const writer = by ? [" by ", person(by)] : [];
  const typed = typedInto(item);
  const choice = turn ? "Enter now" : typed || isEmpty ? null : "Empty it";
  return [
    element("p", { role: "alert" }, ...(typed ? ["You typed ", person(typed), " for "]
      : ["You emptied "]), person(label),
      ", which is ", ...(isEmpty ? ["empty"] : [person(now), ...writer]), " now"),
    element("div", {},
      key(isEmpty ? "Leave it empty" : `Keep ${now}`, "drop", item.id),
      choice ? key(choice, "take", item.id) : null),
  ];
}

const refusal = (item) => [
  element("p", { role: "alert" }, person(item.refusal)),
  element("div", {}, isEditable(item) ? key("Change", "change", item.id) : null,
    key("Discard", "drop", item.id)),
];

/** The values of the player's cells that have several, and the choice. */
function disputes() {
  const disputed = isSeated() ? state.me.cells.filter((cell) => cell.conflict.length
    && !state.waiting.some((item) => isSame(item.place, cell))) : [];
  setChildren("disputes", disputed.map((cell) => element("li", {},
    element("p", { role: "alert" }, person(cellName(cell, state.show.context.rows)), " is ",
      ...list([cell, ...cell.conflict].map((entry) => element("span", {},
        person(entryText(entry)), " by ", person(entry.by))))),
    element("div", {}, ...[cell, ...cell.conflict].map((entry, index) =>
      key(person(`${index ? "Take" : "Keep"} ${entryText(entry)}`), "settle", JSON.stringify([
        { row: cell.row, round: cell.round ?? null, revision: cell.revision }, typedText(entry),
      ])))))));
}

/** Chooses one of the values of a cell. */
function settle(value) {
  const [seen, typed] = JSON.parse(value);
  const { id, title } = state.show.document.session;
  const { revision, ...place } = seen;
  const name = nameOf(place);
  const body = typed ? { words: [`${name}=${typed}`] } : { clear: [name] };
  body.expecting = { cells: [seen] };
  const label = `${cellName(place, state.show.context.rows)}: ${typed || "empty"}`;
  outbox.add("enter", body, label, id, { place: { ...place, typed }, game: title });
  focus = "main";
}

function unsent() {
  setChildren("outbox", outbox.items.map((item) => element(
    "li", { class: item.refusal ? "refused" : null },
    element("span", {}, ...isOfShown(item) ? [] : [person(item.game ?? "Another game"), ": "],
      person(item.label),
      item.refusal ? "" : " – waiting"),
    ...(item.conflict ? conflict(item) : item.refusal ? refusal(item) : []))));
}

function everyone() {
  setChildren("standings", ranked(state.show).map((player) => element(
    "li", { class: player.id === state.player ? "own" : null },
    element("span", {}, player.rank ? `${player.rank}. ` : "", person(player.name),
      player.winner ? " ★" : ""),
    element("b", {}, figure(state.show, player)[0]))));
  setChildren("notes", state.show.context.notes.map((note) => element("li", {}, person(note))));
}

function keypad() {
  const { keypad } = state;
  hide("pad", !keypad || outbox.problem !== null || isOver(state));
  if (at("pad").hidden) return;
  setText("pad-title", person(keypad.title(state)));
  setText("hint", person(keypad.hint(state)));
  const inputMode = keypad.inputMode(state);
  hide("form", inputMode === null);
  if (inputMode) at("typed").inputMode = inputMode;
  if (at("typed").value !== state.typed) at("typed").value = state.typed;
  setChildren("keys", keypad.keys(state).map(([kind, keys]) => element("div", { class: kind }, ...keys)));
}

function spectator() {
  const { document: sheet, context } = state.show;
  setText("name", person(sheet.session.title));
  setText("game", context.gameName);
  setText("turn", "You are not playing in this game.");
  at("turn").classList.remove("mine");
  setChildren("own", []);
  setChildren("game-panel", drawnPanels(state.show).slice(0, 1));
  hide("sheet", true);
  hide("pad", true);
}

const redraw = throttledDraw(() => {
  showProblem(outbox?.problem ?? problem, state.show ? leadersText(state.show) : "");
  if (!state.show || !outbox) return;
  for (const part of isSeated() ? [header, keypad, sheet] : [spectator]) part();
  disputes();
  unsent();
  everyone();
  if (focus) (at(focus).offsetParent ? at(focus) : at("pad")).focus();
  focus = null;
});

/** Enters a text; an empty one empties the cell. */
function submit(text) {
  const { body, label, place, next } = state.keypad.enter(state, text);
  const { session: { id, title }, turnNumber } = state.show.document;
  body.expecting.after = outbox.earlier(place);
  if (!outbox.add("enter", body, label, id, { place, game: title, turn: turnNumber })) return;
  Object.assign(
    state, { typed: "", seen: null, ring: "S", darts: "3", place: next?.() ?? null });
  setText("told");
}

function enter(typed) {
  const text = typed.trim();
  if (text) submit(text);
}

/** Keeps the state that is shown when typing starts, so that a change before the entry is noticed. */
function look() {
  state.seen = state.typed && state.keypad ? state.seen ?? state.keypad.seen(state) : null;
}

/** Enters a conflicting item all the same, in place of what was shown with it. */
function take(id) {
  const item = outbox.items.find((one) => one.id === id);
  if (!item?.conflict) return;
  const { row, round, revision, turn } = item.conflict;
  const expecting = item.body.clear ? { cells: [{ row, round, revision }] } : { turn };
  outbox.resend(id, { body: { ...item.body, expecting } });
  focus = "main";
}

function edit(id) {
  const item = outbox.items.find((one) => one.id === id);
  if (!item || !isEditable(item)) return;
  state.place = item.place;
  state.typed = item.place?.typed ?? item.label;
  outbox.remove(id);
  focus = "typed";
}

/** The actions of keys, by `data-act`. */
const actions = {
  type(value) { state.typed += value; },
  word(value) { state.typed = withWord(state, value); },
  dart(value) {
    actions.word(state.ring + value);
    state.ring = "S";
  },
  /** Removes the last dart, or the last character. */
  back() { state.typed = withoutLast(state.typed); },
  clear() { state.typed = ""; },
  set: (value) => setMode(state, value),
  place(value) {
    const dot = value.lastIndexOf(".");
    const round = value.slice(dot + 1);
    enter(state.typed);
    state.place = { row: value.slice(0, dot), round: round ? Number(round) : null };
  },
  answer: enter,
  empty: () => submit(""),
  undo() { outbox.undo(state.show.document.session.id); },
  change: edit,
  settle,
  take,
  drop(id) {
    outbox.remove(id);
    focus = "main";
  },
};

document.addEventListener("click", (event) => {
  const key = event.target.closest("[data-act]");
  const { act, value } = key?.dataset ?? {};
  if (!act || !state.show || key.getAttribute("aria-disabled")) return;
  if (act === "answer") {
    // The second tap of a double tap would answer the question that comes next.
    if (key === pressed.key && event.timeStamp - pressed.at < 300) return;
    pressed = { key, at: event.timeStamp };
  }
  actions[act](value);
  look();
  redraw();
});
at("form").addEventListener("submit", (event) => {
  event.preventDefault();
  enter(state.typed);
  redraw();
});
at("typed").addEventListener("input", () => {
  state.typed = at("typed").value;
  look();
  redraw();
});

/** Takes what is typed on a keyboard without a click on the field, or presses the key with that
 * letter. */
document.addEventListener("keydown", (event) => {
  const { key, target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || target === at("typed")) return;
  if (target.closest("svg [data-act]") && ["Enter", " "].includes(key)) {
    event.preventDefault();
    target.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  } else if (/^[^\s]$/u.test(key) && at("typed").offsetParent) at("typed").focus();
  else letterKey(key)?.click();
});

function announceTurn() {
  const isNow = isMine();
  const text = isNow ? "Your turn" : state.show.document.finished ? leadersText(state.show) : "";
  if (text === announced) return;
  announced = text;
  setText("news");
  announce("news", text);
  if (isNow && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(80);
}

follow({
  show(now, change) {
    const isOther = state.show?.document.session.id !== now.document.session.id;
    state.show = now;
    // An option takes rows away.
    const isGone = state.seen?.place && !padOf(state, state.seen.place);
    if (isOther || isToldPast?.(now.document.turnNumber)) {
      isToldPast = null;
      setText("told");
    }
    const why = isOther ? " before the next game" : isGone ? ", because its row is gone" : null;
    if (why) {
      if (state.typed) announce("told", `Not entered${why}: ${state.typed}`, 1);
      Object.assign(state, { place: null, typed: "", seen: null });
    }
    state.unshown = change ? state.unshown.filter(isUnshown) : [];
    if (state.player) announceTurn();
    if (outbox && !change) outbox.problem = null;
    outbox?.send();
    redraw();
  },
  away(reason) {
    problem = reason;
    redraw();
  },
  you({ player }) {
    if (state.player === player) return;
    state.player = player;
    if (outbox) return outbox.moveTo(player);
    outbox = new Outbox(location.pathname, player, {
      changed: redraw,
      entered(item, reply) {
        state.unshown = item.path === "undo" ? [] : [...state.unshown, item].filter(isUnshown);
        const notes = (reply?.notes ?? []).join(". ");
        const entry = item.path === "undo" ? "Undone" : item.label;
        announce("told", notes && item.body.move ? notes : `${entry}. ${notes}`, 1);
        isToldPast = item.body.move && item.turn ? noteOnTurn(item.turn) : null;
      },
    });
  },
});
for (const name of ["online", "focus", "pageshow", "visibilitychange"]) {
  addEventListener(name, () => outbox?.send());
}
keepAwake();
