// Who plays: people picked from those known on this laptop, their seats and teams, computers.

import { element, person } from "./page.js";
import { button, counted } from "./calls.js";

/** The duration of the shuffling, and of each of its steps, in ms. */
const shuffleTime = 900;
const shuffleStep = 90;

const strengths = [[1, "very easy"], [3, "easy"], [5, "medium"], [7, "strong"], [9, "very strong"]];
const teamNames = ["A", "B", "C", "D"];

/** Returns the items in a random order, each order as likely as any other. */
function shuffled(items) {
  const result = [...items];
  for (let last = result.length - 1; last > 0; last--) {
    // The remainder of 32 random bits prefers no index noticeably.
    const pick = crypto.getRandomValues(new Uint32Array(1))[0] % (last + 1);
    [result[last], result[pick]] = [result[pick], result[last]];
  }
  return result;
}

/** Creates the choice of players.
 *
 * `people` are the known names; `seats` the first choice, `{name}` each; `me` the name of this
 * laptop's player; `allowsComputer` and `allowsTeams` what the game offers. `check(seats)` returns
 * what is wrong with a number of players. The result has `node`, `seats()` (`name`, `depth` of a
 * computer, `team`), `me()` and `refresh()`. */
export function lineup({ people, seats, me, allowsComputer, allowsTeams, check }) {
  let hasTeams = false;
  let isShuffling = false;
  let dragged = null;
  const known = [...people];
  const list = element("ol", { class: "seats", "aria-label": "Players in the order of their seats" });
  const chips = element("div", { class: "chips", role: "group", "aria-label": "People to add" });
  const state = element("p", { class: "count" });
  const news = element("p", { class: "unseen", role: "status" });
  const problem = element("p", { class: "mark", role: "alert" });
  const actions = element("div", { class: "actions" });
  const name = element("input", {
    name: "new-player", "aria-label": "Name of somebody new", placeholder: "Somebody new", maxlength: 60,
    autocomplete: "off",
  });

  const say = (text) => news.replaceChildren(text);
  const order = () => seats.map((seat) => seat.name).join(", ");
  const isSame = (one, other) => one.localeCompare(other, undefined, { sensitivity: "accent" }) === 0;
  const has = (wanted) => seats.some((seat) => isSame(seat.name, wanted));

  /** Adds a player; returns whether the name is free. */
  function add(wanted, seat = {}) {
    const text = wanted.trim();
    if (has(text)) {
      problem.replaceChildren(`${text} plays already; add a letter to tell both apart.`);
      return false;
    }
    if (!seat.depth && !known.some((one) => isSame(one, text))) known.push(text);
    seats.push({ name: text, ...seat });
    say(`${text} added`);
    draw();
    return true;
  }

  function remove(seat) {
    seats.splice(seats.indexOf(seat), 1);
    if (me === seat.name) me = null;
    say(`${seat.name} removed`);
    draw();
    (chips.querySelector("button") ?? name).focus();
  }

  function move(seat, to) {
    const from = seats.indexOf(seat);
    if (to < 0 || to >= seats.length || to === from) return;
    seats.splice(to, 0, ...seats.splice(from, 1));
    say(order());
    draw();
  }

  function shuffle() {
    if (isShuffling || seats.length < 2) return;
    const result = shuffled(seats);
    const settle = () => {
      isShuffling = false;
      list.classList.remove("shuffling");
      seats.splice(0, seats.length, ...result);
      draw();
      list.firstElementChild.classList.add("starts");
      say(`${result[0].name} starts: ${order()}`);
    };
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return settle();
    isShuffling = true;
    list.classList.add("shuffling");
    const end = performance.now() + shuffleTime;
    const step = () => {
      if (performance.now() >= end) return settle();
      seats.splice(0, seats.length, ...shuffled(seats));
      draw();
      setTimeout(step, shuffleStep);
    };
    step();
  }

  function card(seat, index) {
    const { name: own } = seat;
    const key = (act) => ({ "data-key": `${act} ${own}`, "aria-label": `${act} ${own}`, class: "plain" });
    const node = element("li", { draggable: "true" },
      element("span", { class: "place", "aria-hidden": "true" }, `${index + 1}`),
      element("span", { class: "name" }, person(own), seat.depth
        ? element("select", { "aria-label": `Strength of ${own}` }, ...strengths.map(([depth, label]) =>
          element("option", { value: depth, selected: depth === seat.depth ? "" : null }, label))) : null,
      hasTeams ? element("select", { "aria-label": `Team of ${own}`, class: "team" },
        element("option", { value: "" }, "no team"), ...teamNames.map((team) => element("option", {
          value: team, selected: team === seat.team ? "" : null,
        }, `Team ${team}`))) : null),
      seat.depth ? null : element("button", {
        type: "button", class: "me", "aria-pressed": `${me === own}`, "data-key": `me ${own}`,
        "aria-label": `${own} is me`,
      }, me === own ? "that’s me" : "me?"),
      element("span", { class: "moves" },
        button("↑", () => move(seat, index - 1), { ...key("Move up"), disabled: index === 0 ? "" : null }),
        button("↓", () => move(seat, index + 1), {
          ...key("Move down"), disabled: index === seats.length - 1 ? "" : null,
        }),
        button("×", () => remove(seat), key("Remove"))));
    node.querySelector(".me")?.addEventListener("click", () => {
      me = me === own ? null : own;
      draw();
    });
    const [strength] = seat.depth ? node.querySelectorAll("select") : [];
    strength?.addEventListener("change", () => { seat.depth = Number(strength.value); });
    const team = node.querySelector(".team");
    team?.addEventListener("change", () => { seat.team = team.value || null; });
    node.addEventListener("dragstart", (event) => {
      event.dataTransfer.effectAllowed = "move";
      event.dataTransfer.setData("text/plain", own);
      dragged = { seat, node };
      node.classList.add("dragged");
    });
    node.addEventListener("dragover", (event) => {
      if (!dragged) return;
      event.preventDefault();
      if (dragged.seat === seat) return;
      const [from, to] = [seats.indexOf(dragged.seat), seats.indexOf(seat)];
      const { top, height } = node.getBoundingClientRect();
      const isPast = event.clientY > top + height / 2;
      if (from < to !== isPast) return;
      // The node that is dragged stays in the document, or else the browser ends the dragging.
      seats.splice(to, 0, ...seats.splice(from, 1));
      if (isPast) node.after(dragged.node);
      else node.before(dragged.node);
    });
    node.addEventListener("dragend", () => {
      dragged = null;
      say(order());
      draw();
    });
    node.addEventListener("drop", (event) => event.preventDefault());
    return node;
  }

  function draw() {
    const focused = document.activeElement?.dataset?.key;
    list.replaceChildren(...seats.map(card));
    chips.replaceChildren(...known.filter((one) => !has(one)).map((one) => button(
      element("span", {}, "+ ", person(one)), () => {
        add(one);
        (chips.querySelector("button") ?? name).focus();
      }, { class: "chip", "aria-label": `Add ${one}` })));
    chips.hidden = chips.childElementCount === 0;
    for (const one of actions.querySelectorAll("[data-few]")) one.disabled = seats.length < 2;
    refresh();
    if (!focused) return;
    const again = [...list.querySelectorAll("[data-key]")].filter((one) => one.dataset.key === focused);
    // A player at an end cannot be moved further; the focus stays with the player.
    const target = again[0]?.disabled ? again[0].parentElement.querySelector("button:enabled") : again[0];
    target?.focus();
  }

  function refresh() {
    const wrong = check(seats);
    state.className = wrong ? "count mark" : "count faint";
    state.replaceChildren(wrong ?? counted(seats.length, "player"));
  }

  const adding = element("div", { class: "adding" }, name,
    button("Add", () => {
      problem.replaceChildren();
      name.value = name.value.split(",").filter((one) => one.trim() && !add(one)).join(",").trim();
      name.focus();
    }));
  name.addEventListener("keydown", (event) => {
    // Enter adds the name, and does not start the game.
    if (event.key !== "Enter") return;
    event.preventDefault();
    adding.querySelector("button").click();
  });
  actions.append(button("Shuffle the seats", shuffle, { "data-few": "" }));
  if (allowsComputer) {
    actions.append(button("Add a computer", () => {
      const taken = seats.filter(({ depth }) => depth).length;
      add(taken === 0 ? "Computer" : `Computer ${taken + 1}`, { depth: 5 });
    }));
  }
  if (allowsTeams) {
    const teams = button("Teams", () => {
      hasTeams = !hasTeams;
      teams.ariaPressed = `${hasTeams}`;
      seats.forEach((seat, index) => { seat.team = hasTeams ? seat.team ?? teamNames[index % 2] : null; });
      draw();
    }, { "aria-pressed": "false", "data-few": "" });
    actions.append(teams);
  }
  const node = element("fieldset", { class: "lineup" }, element("legend", {}, "Players"),
    list, state, problem, chips, adding, actions, news);
  draw();
  return { node, seats: () => seats, me: () => me, refresh, focus: () => name.focus() };
}
