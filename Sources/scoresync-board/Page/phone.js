// The page of one player's phone.

import { cellAt, figure, playerOf, ranked, seated, standing, words } from "./sheet.js";
import {
  at, drawing, element, fill, follow, hide, list, person, say, sayAway, tell,
} from "./page.js";
import { drawnPanels } from "./panels.js";
import { Outbox } from "./outbox.js";
import { chosen, isSame, key, places, rowsPad } from "./pad.js";
import { movePads, otherPad } from "./moves.js";

const state = {
  show: null,
  player: null,
  typed: "",
  place: null,
  mode: "total",
  ring: "S",
  darts: "3",
  get me() { return this.show && this.player ? playerOf(this.show, this.player) : null; },
  get waiting() { return (outbox?.waiting ?? []).filter(isHere); },
  get pad() {
    const { engine, pad } = this.show.context;
    return engine !== "rows" ? movePads[engine] ?? otherPad : pad.length ? rowsPad : null;
  },
};
const isMine = () =>
  !state.show.document.finished && state.show.document.turn === state.player;
const isSeated = () => state.me && !state.me.removed;
/** Whether something was typed for the game that is shown. */
const isHere = ({ session }) => !session || session === state.show.document.session.id;
/** Whether something that was refused can be typed again. */
const isTyped = (item) => item.path === "enter" && isSeated() && isHere(item)
  && (item.place || state.pad?.line(state));
let outbox = null;
let trouble = null;
let heard = null;
let shown = null;
let pressed = {};
let focus = null;

function header() {
  const { document: sheet, context } = state.show;
  document.title = `${state.me.name} – ${sheet.session.title}`;
  say("name", person(state.me.name));
  say("game", person(sheet.session.title), ` · ${context.gameName}`);
  const place = state.me.rank ? `place ${state.me.rank} of ${seated(state.show).length}` : "";
  const [number, kind] = figure(state.show, state.me);
  fill("own", [
    element("b", {}, number),
    element("span", { class: "faint" }, kind + (place && `, ${place}`)),
  ]);
  const mover = playerOf(state.show, sheet.turn);
  at("turn").classList.toggle("mine", isMine());
  if (sheet.finished) say("turn", standing(state.show));
  else if (isMine()) say("turn", "Your turn");
  else say("turn", ...(mover ? [person(mover.name), " is to play"] : []));
}

function column() {
  const isOfRows = state.pad === rowsPad;
  hide("sheet", !isOfRows);
  fill("game-panel", drawnPanels(state.show, isMine()).slice(0, 1));
  if (!isOfRows) return;
  const now = chosen(state);
  const lines = places(state).map((place) => {
    const cell = cellAt(state.me, place);
    const sent = state.waiting.findLast((item) => isSame(item.place, place));
    const others = cell?.conflict.length
      ? element("span", { class: "mark" }, ...list(cell.conflict.map((entry) =>
        element("span", {}, person(entry.by), " says ", person(words(entry)))))) : null;
    const said = sent ? element("i", {}, `${sent.place.typed} …`)
      : cell ? element("b", {}, person(words(cell))) : element("span", {}, "–");
    return element("li", {}, element("button", {
      type: "button", "data-act": "place", "data-value": `${place.row}.${place.round ?? ""}`,
      "aria-pressed": isSame(place, now),
    }, element("span", { class: "label" }, person(place.label)), others, said));
  });
  fill("rows", lines);
  const place = `${now.row}.${now.round}`;
  if (place !== shown) at("rows").querySelector("[aria-pressed=true]")
    ?.scrollIntoView({ block: "nearest" });
  shown = place;
}

function unsent() {
  fill("outbox", outbox.items.map((item) => element(
    "li", { class: item.refusal ? "refused" : null },
    element("span", {}, person(item.label), isHere(item) ? "" : " (another game)",
      item.refusal ? "" : " – waiting"),
    ...(item.refusal ? [
      element("p", { role: "alert" }, person(item.refusal)),
      element("div", {}, isTyped(item) ? key("Change", "change", item.id) : null,
        key("Throw away", "drop", item.id)),
    ] : []))));
}

function everybody() {
  fill("standings", ranked(state.show).map((player) => element(
    "li", { class: player.id === state.player ? "own" : null },
    element("span", {}, player.rank ? `${player.rank}. ` : "", person(player.name),
      player.winner ? " ★" : ""),
    element("b", {}, figure(state.show, player)[0]))));
  fill("notes", state.show.context.notes.map((note) => element("li", {}, person(note))));
}

function pad() {
  const { pad } = state;
  hide("pad", !pad || outbox.end !== null);
  if (!pad) return;
  say("pad-title", person(pad.title(state)));
  say("hint", person(pad.hint(state)));
  const line = pad.line(state);
  hide("form", line === null);
  if (line) at("typed").inputMode = line;
  if (at("typed").value !== state.typed) at("typed").value = state.typed;
  fill("keys", pad.keys(state).map(([kind, keys]) => element("div", { class: kind }, ...keys)));
}

function apart() {
  const { document: sheet, context } = state.show;
  say("name", person(sheet.session.title));
  say("game", context.gameName);
  say("turn", "You do not play in this game.");
  at("turn").classList.remove("mine");
  fill("own", []);
  fill("game-panel", drawnPanels(state.show).slice(0, 1));
  hide("sheet", true);
  hide("pad", true);
}

const redraw = drawing(() => {
  sayAway(outbox?.end ?? trouble, state.show ? standing(state.show) : "");
  if (!state.show || !outbox) return;
  for (const part of isSeated() ? [header, pad, column] : [apart]) part();
  unsent();
  everybody();
  if (focus) (at(focus).offsetParent ? at(focus) : at("pad")).focus();
  focus = null;
});

function enter(typed) {
  const words = typed.trim();
  if (!words) return;
  const { body, label, place, next } = state.pad.enter(state, words);
  if (!outbox.add("enter", body, label, state.show.document.session.id, { place })) return;
  Object.assign(state, { typed: "", ring: "S", darts: "3", place: next });
  say("told");
}

function change(id) {
  const item = outbox.items.find((one) => one.id === id);
  if (!item || !isTyped(item)) return;
  state.place = item.place;
  state.typed = item.place?.typed ?? item.label;
  outbox.drop(id);
  focus = "typed";
}

const acts = {
  type(value) { state.typed += value; },
  word(value) { state.typed = `${state.typed} ${value}`.trim(); },
  dart(value) {
    acts.word(state.ring + value);
    state.ring = "S";
  },
  /** A dart goes whole. */
  back() { state.typed = state.typed.replace(/(\s*([A-Z]{4}|[SDT]\d+)|.)$/u, ""); },
  clear() { state.typed = ""; },
  set(value) {
    const [name, chosen] = value.split("=");
    if (name === "mode" && chosen !== state.mode) state.typed = "";
    state[name] = chosen;
  },
  place(value) {
    const dot = value.lastIndexOf(".");
    const round = value.slice(dot + 1);
    state.place = { row: value.slice(0, dot), round: round ? Number(round) : null };
    state.typed = "";
  },
  answer: enter,
  undo() { outbox.undo(state.show.document.session.id); },
  change,
  drop(id) {
    outbox.drop(id);
    focus = "main";
  },
};

document.addEventListener("click", (event) => {
  const key = event.target.closest("[data-act]");
  const { act, value } = key?.dataset ?? {};
  if (!act || !state.show) return;
  if (act === "answer") {
    // The second tap of two at once would answer what is asked next.
    if (key === pressed.key && event.timeStamp - pressed.at < 400) return;
    pressed = { key, at: event.timeStamp };
  }
  acts[act](value);
  redraw();
});
at("form").addEventListener("submit", (event) => {
  event.preventDefault();
  enter(state.typed);
  redraw();
});
at("typed").addEventListener("input", () => {
  state.typed = at("typed").value;
  redraw();
});

function heardTurn() {
  const isNow = isMine();
  const news = isNow ? "Your turn" : state.show.document.finished ? standing(state.show) : "";
  if (news === heard) return;
  heard = news;
  say("news");
  tell("news", news);
  if (isNow && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(80);
}

follow({
  show(now, news) {
    const isOther = state.show?.document.session.id !== now.document.session.id;
    state.show = now;
    if (isOther) Object.assign(state, { place: null, typed: "" });
    if (state.player) heardTurn();
    if (outbox && !news) outbox.end = null;
    outbox?.send();
    redraw();
  },
  away(why) {
    trouble = why;
    redraw();
  },
  you({ player }) {
    if (state.player === player) return;
    state.player = player;
    outbox = new Outbox(player, {
      changed: redraw,
      entered(item, reply) {
        const notes = (reply?.notes ?? []).join(". ");
        const what = item.path === "undo" ? "Taken back" : item.label;
        tell("told", notes && item.body.move ? notes : `${what}. ${notes}`, 1);
      },
    });
  },
});
for (const name of ["online", "focus", "pageshow", "visibilitychange"]) {
  addEventListener(name, () => outbox?.send());
}
