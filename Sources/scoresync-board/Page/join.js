// The page that everyone scans: a phone says whose it is, and gets that player's link.

import { at, element, follow, person, setChildren, setText, showProblem } from "./page.js";

let seats = [];

/** The paths of this player's pages that this phone has opened, as their outboxes keep them. */
function known(player) {
  const prefix = "scoresync.player.";
  try {
    return Object.entries(localStorage)
      .filter(([name, value]) => name.startsWith(prefix) && value === player)
      .map(([name]) => name.slice(prefix.length));
  } catch { return []; }
}

/** Claims a player's link, and opens it; a phone that takes over from another one is asked first. */
async function claim(body, name) {
  at("problem").replaceChildren();
  let response;
  try {
    response = await fetch("claim", {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
    });
  } catch {
    at("problem").replaceChildren("The laptop does not answer. Try again.");
    return;
  }
  const answer = await response.json().catch(() => ({}));
  if (response.ok) {
    location.assign(answer.path);
  } else if (answer.error?.kind === "taken") {
    at("problem").replaceChildren(
      `Another phone enters for ${name}. `,
      element("button", { type: "button", "data-take": body.player }, "Use this phone instead"));
    at("problem").querySelector("button").focus();
  } else at("problem").replaceChildren(answer.error?.message ?? "This did not work. Try again.");
}

function draw() {
  setChildren("seats", seats.map(({ player, name, taken }) => element("li", {}, element(
    "button", { type: "button", "data-player": player },
    person(name), taken ? element("span", { class: "faint" }, " – has a phone") : null))));
}

document.addEventListener("click", ({ target }) => {
  const { player, take } = target.closest("button")?.dataset ?? {};
  const id = player ?? take;
  if (!id) return;
  claim({ player: id, paths: known(id), handsOver: take !== undefined }, seats.find((one) => one.player === id)?.name);
});
at("newcomer").addEventListener("submit", (event) => {
  event.preventDefault();
  const name = at("name").value.trim();
  if (name) claim({ name }, name);
});

follow({
  show({ document: sheet, context }) {
    setText("title", person(sheet.session.title));
    setText("game", context.gameName);
  },
  away(reason) { showProblem(reason, ""); },
  seats(all) {
    seats = all;
    draw();
  },
});
