// The table of the app: the sheet of a session, on which anything can be entered for anybody.

import { button, call, callConfirmed, during, go, toast } from "./calls.js";
import { figure, leadersText, playerOf, ranked, scorers, seated } from "./sheet.js";
import { changeText } from "./changes.js";
import { chart } from "./chart.js";
import { dartboard } from "./drawing.js";
import { drawnPanels } from "./panels.js";
import { dartsOf } from "./moves.js";
import { isOver, letterKey } from "./pad.js";
import {
  announce, at, element, follow, hide, list, person, setChildren, setText, showProblem,
  throttledDraw,
} from "./page.js";
import { firstPlace, pagePlayers, sheetPages, sheetTable } from "./table-sheet.js";
import {
  actions, commit, drawEntry, drawPad, enter, isOfMoves, keepSelection, look, notEntered,
  pressInCell, say, select, sendAgain, troubles, undo,
} from "./table-entry.js";
import { historyDialog, keysDialog, optionsDialog, verdictDialog } from "./table-dialogs.js";
import { playAgain, rename } from "./sessions.js";
import { playersDialog } from "./table-players.js";
import { showKnocks } from "./nearby.js";
import { othersDialog } from "./others.js";
import { canTell, forgetTurn, isTelling, startTelling, tellTurn } from "./turns.js";

const narrow = matchMedia("(max-width: 44rem)");

export const table = {
  title: "Table",
  open(main, session) {
    const state = {
      session, show: null, chart: null, player: null, place: null, typed: "", isDirty: false,
      mode: "total", ring: "S", darts: "3", pending: [], computers: new Set(), focus: null,
      problem: null, away: null, isStopped: false, isLeft: false, showWaiters: [], onShow: null, wasFinished: null,
      get me() { return this.show && this.player ? playerOf(this.show, this.player) : null; },
      /** The entries of the player that wait, and the selected cell, so that the pads know it. */
      get waiting() {
        const own = this.pending.filter((item) => !item.problem && item.player === this.player);
        return this.place ? [...own, { place: this.place }] : own;
      },
      /** Waits for the next change of the sheet, or a moment. */
      nextShow() {
        return new Promise((resolve) => {
          this.showWaiters.push(resolve);
          setTimeout(resolve, 300);
        });
      },
    };
    main.append(at("table").content.cloneNode(true));
    at("tools").append(...tools(state));
    at("endings").append(...endings(state));
    state.draw = () => at("pad") && draw(state);
    state.redraw = throttledDraw(state.draw);
    const listeners = new AbortController();
    listen(state, main, listeners.signal);
    const end = follow({
      show(show, change) { if (at("pad")) receive(state, show, change); },
      away(reason, isOfSession = false) {
        state.away = reason;
        state.isStopped = reason !== null && !isOfSession;
        state.redraw();
      },
      chart(data) {
        state.chart = data;
        state.redraw();
      },
    }, { path: `events/${session ?? ""}`.replace(/\/$/, ""), keepsHidden: () => true });
    return () => {
      commit(state);
      state.isLeft = true;
      const lost = notEntered(state);
      if (lost) toast(`Not entered: ${lost}`, true);
      end?.();
      listeners.abort();
      forgetTurn();
      showProblem(null, "");
    };
  },
};

/** The buttons of the table. */
const tools = (state) => [
  button("Start ScoreSync", () => call("app.start"), { id: "start", class: "primary", hidden: "" }),
  button("Undo", () => undo(state), { title: "Undo (u)" }),
  // A dialog gives the focus back to its button, which is enabled by then.
  button("Others in", () => { othersDialog(state); }),
  button("Tell me when it is my turn", async () => {
    await startTelling();
    state.redraw();
  }, { id: "tell" }),
  button("Finish", () => finish(state, true), { id: "finish" }),
  menu("More", [
    button("Players", () => { playersDialog(state); }),
    button("Options", () => { optionsDialog(state); }),
    button("History", () => { historyDialog(state); }),
    button("Who has won?", () => { verdictDialog(state); }),
    button("Rename", () => { rename(state.show.document.session); }),
    button("Back to earlier rules", () => {
      callConfirmed("session.restore", { session: state.session }, "Restore");
    }),
    button("Reset", () => {
      callConfirmed("reset", { session: state.session }, "Reset").then(() => say());
    }),
    button("Keys", () => { keysDialog(); }, { title: "Keys (?)" }),
  ]),
];

/** A button that shows others, until one is clicked or the focus leaves. */
function menu(label, buttons) {
  const node = element("details", { class: "menu" },
    element("summary", { class: "button" }, label), element("div", {}, ...buttons));
  const close = () => { node.open = false; };
  node.lastChild.addEventListener("click", () => {
    close();
    node.firstChild.focus();
  }, true);
  node.addEventListener("focusout", ({ relatedTarget }) => node.contains(relatedTarget) || close());
  node.addEventListener("keydown", ({ key }) => key === "Escape" && close());
  return node;
}

const endings = (state) => [
  button("Play again", () => { playAgain(state.show.document.session); }, { class: "primary" }),
  button("Home", () => go("")),
  button("Who has won?", () => { verdictDialog(state); }),
  button("Reopen", () => finish(state, false), { id: "reopen" }),
];

const finish = (state, finished) => call("session.finish", { session: state.session, finished });

// MARK: News

function receive(state, show, change) {
  const { session, finished } = show.document;
  const isNew = state.session !== session.id || !state.show;
  if (isNew) {
    const lost = notEntered(state);
    if (lost) toast(`Not entered before the next game: ${lost}`, true);
    state.session = session.id;
    Object.assign(state, {
      pending: [], typed: "", isDirty: false, seen: null, problem: null, refused: null, chart: null,
    });
    // The person may have just left for another screen.
    if (location.hash.startsWith("#table")) history.replaceState(null, "", `#table/${session.id}`);
    say();
    if (state.show) announce("news", `Next game: ${session.title}`);
  }
  // The winners are celebrated only if the game ends while the page is open.
  const isEnd = finished && !isNew && !state.wasFinished;
  if (isEnd || !finished) at("ceremony").classList.toggle("ceremony", isEnd);
  state.wasFinished = finished;
  state.show = show;
  if (!change) {
    readPlayers(state);
    sendAgain(state);
  }
  if (change) announce("news", changeText(show, change));
  if (state.isToldPast?.(show.document.turnNumber)) {
    state.isToldPast = null;
    say();
  }
  keepSelection(state, isNew);
  if (isNew) state.focus = isOfMoves(state) ? "typed" : "entry";
  for (const done of state.showWaiters.splice(0)) done();
  const { title } = show.document.session;
  const mover = playerOf(show, show.document.turn);
  const isMine = mover && mover.id === show.context.me && !finished;
  document.title = finished ? `${leadersText(show) || "Over"} – ${title}`
    : isMine ? `● Your turn – ${title}` : mover ? `${mover.name} is to play – ${title}`
      : `${title} – ScoreSync`;
  tellTurn(isMine ? show.document.turn : null, title);
  state.onShow?.();
  state.redraw();
}

/** Reads which players are computers; the sheet does not say. */
async function readPlayers(state) {
  try {
    const { players } = await call("player.list", { session: state.session });
    state.computers = new Set(players.filter((one) => one.computer).map((one) => one.id));
    state.redraw();
  } catch { /* The next snapshot asks again. */ }
}

// MARK: Input: drawn at once, so that the next key finds its field

function listen(state, main, signal) {
  const on = (target, name, handle) => target.addEventListener(name, handle, { signal });
  on(main, "click", (event) => {
    const key = event.target.closest("[data-act], button");
    // The second tap of a double tap would answer the question that comes next.
    const isRepeated = key === state.pressed?.key && event.timeStamp - state.pressed.at < 300;
    const { act, value } = key?.dataset ?? {};
    if (!act || !state.show || key.getAttribute("aria-disabled")) return;
    if (act === "answer" && isRepeated) return;
    state.pressed = { key, at: event.timeStamp };
    if (act === "history") historyDialog(state, state.player, value);
    else {
      const work = actions[act](state, value);
      if (act === "settle") work.catch((error) => toast(error.message, true));
    }
    if (["type", "word", "dart", "back", "clear"].includes(act)) {
      look(state);
      state.focus = "entry";
    }
    state.draw();
  });
  on(main, "input", ({ target }) => {
    if (!["entry", "typed"].includes(target.id)) return;
    Object.assign(state, { typed: target.value, isDirty: true });
    look(state);
    state.draw();
  });
  on(main, "focusout", ({ target, relatedTarget }) => {
    if (target.id !== "entry" || !relatedTarget || at("pad").contains(relatedTarget)) return;
    commit(state);
    state.redraw();
  });
  on(at("entering"), "submit", (event) => {
    event.preventDefault();
    enter(state);
    state.draw();
  });
  on(at("me"), "change", ({ target }) => during(target, async () => {
    await call("player.me", { session: state.session, player: target.value || null });
    if (!isOfMoves(state) && target.value) select(state, firstPlace(state, target.value));
    state.redraw();
  }));
  on(document, "keydown", (event) => press(state, event));
  on(narrow, "change", state.redraw);
  let timer;
  on(at("sheet"), "scroll", () => {
    clearTimeout(timer);
    timer = setTimeout(() => turnPage(state), 120);
  });
}

function press(state, event) {
  const { key, target } = event;
  if (!state.show || at("dialog").open || event.altKey || event.isComposing) return;
  const isCell = target.id === "entry";
  const isField = isCell || target.matches("input, textarea, select");
  const isTyping = isField && (state.typed !== "" || !["entry", "typed"].includes(target.id)
    || target.inputMode === "text" || /choice|order/.test(target.dataset.kind));
  const square = target.closest("[data-act]");
  if (event.ctrlKey || event.metaKey) {
    if (key !== "z" || isTyping) return;
    undo(state);
  } else if (isCell && pressInCell(state, event)) state.draw();
  else if (key === "u" && !isTyping && !letterKey(key)) undo(state);
  else if (key === "?" && !isTyping) keysDialog();
  else if (square?.namespaceURI.endsWith("svg") && ["Enter", " "].includes(key)) {
    square.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  } else if (isField) return;
  else if (letterKey(key)) letterKey(key).click();
  else if (/^[^\s]$/u.test(key) && (at("entry") ?? at("typed")).offsetParent) {
    (at("entry") ?? at("typed")).focus();
    at("entry")?.select();
    return;
  } else return;
  event.preventDefault();
}

/** Selects the player whose page a narrow window shows after scrolling. */
function turnPage(state) {
  if (!narrow.matches || !state.show || isOfMoves(state)) return;
  const pages = [...at("sheet").children];
  const start = at("sheet").getBoundingClientRect().left;
  const page = pages.find((one) => Math.abs(one.getBoundingClientRect().left - start) < 20);
  const player = page?.dataset.page;
  state.page = player;
  if (player && player !== state.player) select(state, firstPlace(state, player), false);
  state.redraw();
}

// MARK: Drawing

function draw(state) {
  showProblem(state.away, state.show ? leadersText(state.show) : "");
  for (const tool of at("tools").children) {
    tool.hidden = tool.id === "start" ? !state.isStopped : !state.show;
  }
  if (!state.show) return;
  const entry = at("entry");
  const hasFocus = entry && document.activeElement === entry;
  for (const part of [header, ceremony, board, sheet, totalsChart, drawPad, everyone]) part(state);
  // A cell that moves within the sheet gets another field.
  if (hasFocus && at("entry") !== entry) state.focus ??= "entry";
  drawEntry(state);
}

function header(state) {
  const { document: sheet, context } = state.show;
  setText("title", person(sheet.session.title));
  setText("game", context.gameName + (sheet.finished ? " – over" : "")
    + (context.offline ? " – this laptop is offline" : ""));
  const players = seated(state.show);
  setChildren("me", [["", "nobody here"], ...players.map((one) => [one.id, one.name])]
    .map(([value, label]) => element("option", { value }, label)));
  at("me").value = players.some((one) => one.id === context.me) ? context.me : "";
  const mover = playerOf(state.show, sheet.turn);
  const isMine = mover?.id === context.me;
  hide("turn", !mover || sheet.finished);
  at("turn").classList.toggle("mine", isMine);
  setText("turn", ...(isMine ? ["Your turn"] : mover ? [person(mover.name), " is to play"] : []));
  hide("tell", !mover || !context.me || isTelling() || !canTell);
  hide("finish", isOver(state));
  setChildren("troubles", troubles(state));
  hide("trouble", at("troubles").hidden);
}

function ceremony(state) {
  const { document: sheet, context } = state.show;
  hide("ceremony", !sheet.finished);
  if (!sheet.finished) return;
  setText("ceremony-title", leadersText(state.show) || "The game is over");
  const all = ranked(state.show);
  setChildren("places", all.map((player, index) => {
    const item = element("li", { class: player.winner ? "winner" : null },
      element("span", { class: "place" }, player.winner ? "★" : player.rank ? `${player.rank}.` : ""),
      person(player.name), element("b", {}, String(player.total)));
    // The winner appears last.
    item.style.setProperty("--turn", Math.min(all.length - 1 - index, 8));
    return item;
  }));
  hide("reopen", !isOver(state));
  const { next } = context;
  if (next) setText("told", "The next game is ", person(next.title));
}

function board(state) {
  const { document: sheet, context } = state.show;
  const isOpen = !sheet.finished && !isOver(state) && !state.computers.has(state.player);
  const takesDarts = isOpen && context.moves?.input === "darts";
  const typed = dartsOf(state.typed);
  const shown = takesDarts ? { document: { ...sheet, darts: [] }, context } : state.show;
  setChildren("panels", [
    ...drawnPanels(shown, isOpen && sheet.turn !== null),
    ...takesDarts ? [element("figure", { class: "darts" },
      dartboard(typed.length ? typed.map((dart) => dart.toUpperCase()) : sheet.darts ?? [], true))] : [],
  ]);
}

function sheet(state) {
  const isShown = !isOfMoves(state) && state.show.context.engine === "rows";
  const isPaged = isShown && narrow.matches;
  hide("tabs", !isPaged);
  at("sheet").classList.toggle("pages", isPaged);
  hide("sheet", !isShown);
  if (!isShown) return;
  if (!isPaged) return setChildren("sheet", [element("div", { class: "scroll" },
    sheetTable(state, scorers(state.show), !isOver(state)))]);
  setChildren("sheet", sheetPages(state));
  const page = state.page === "" ? "" : state.player;
  setChildren("tabs", [...pagePlayers(state), { id: "", name: "Everybody" }].map(({ id, name }) =>
    element("button", {
      type: "button", "data-act": "page", "data-value": id, "aria-pressed": String(id === page),
    }, person(name))));
  if (state.shownPage !== page) showPage(page);
  state.shownPage = page;
}

/** Scrolls to a page of a narrow window. */
function showPage(page) {
  const target = [...at("sheet").children].find((one) => one.dataset.page === page);
  if (target) at("sheet").scrollTo({ left: target.offsetLeft - at("sheet").offsetLeft });
}

actions.page = (state, id) => {
  state.page = id;
  if (id) select(state, firstPlace(state, id) ?? { player: id, ...state.place });
};

function totalsChart(state) {
  const { chart: data, show } = state;
  const isShown = data?.session.id === show.document.session.id && data.steps.length > 1
    && data.players.some(({ totals }) => new Set(totals).size > 1);
  hide("chart", !isShown);
  if (isShown) setChildren("drawing", [chart(data)]);
}

function everyone(state) {
  const { document: sheet, context } = state.show;
  const isShown = isOfMoves(state) || context.engine !== "rows";
  hide("all", !isShown);
  setChildren("standings", isShown ? ranked(state.show).map((player) => {
    const [number, kind] = figure(state.show, player);
    return element("li", {}, element("button", {
      type: "button", "data-act": "seat", "data-value": player.id,
      "aria-pressed": String(player.id === state.player && !sheet.finished),
    }, element("span", { class: "place" }, player.winner ? "★" : player.rank ? `${player.rank}.` : ""),
    person(player.name), player.id === sheet.turn ? element("small", {}, " to play") : null,
    player.id === context.me ? element("small", {}, " you") : null,
    element("b", {}, number, element("small", { class: "faint" }, ` ${kind}`))));
  }) : []);
  showKnocks(at("knocks"), context.knocks);
  setChildren("notes", context.notes.map((note) => element("li", {}, person(note))));
}
