// Dialogs about a session that several screens have.

import { button, call, callConfirmed, dialog, field, form, go } from "./calls.js";
import { element } from "./page.js";

/** Asks how the same people play again, starts that game and goes to it. */
export async function playAgain({ id, title }) {
  const seats = [["", "Same seats"], ["rotate", "The next one starts"], ["shuffle", "Shuffled seats"]];
  const wish = await dialog(`Play “${title}” again`, (finish) => form([
    element("fieldset", {}, element("legend", {}, "Who starts"), ...seats.map(([value, label]) =>
      element("label", { class: "tick" }, element("input", {
        type: "radio", name: "seats", value, checked: value === "" ? "" : null,
      }), label))),
    element("label", { class: "tick" },
      element("input", { type: "checkbox", name: "replay" }), "With the same deal, if there is one"),
    field("Title", element("input", { name: "title", maxlength: 200, autocomplete: "off" }),
      "Left empty, it is numbered after the last one."),
    element("div", { class: "actions" }, element("button", { class: "primary" }, "Start"),
      button("Cancel", () => finish())),
  ], (values) => finish(values)));
  if (!wish) return;
  const { session: next } = await callConfirmed("session.again", {
    session: id, options: {}, title: wish.title.trim() || null, rotate: wish.seats === "rotate",
    shuffle: wish.seats === "shuffle", replay: Boolean(wish.replay),
  }, "Start") ?? {};
  if (next) go("table", next.id);
}

/** Asks for a new title. */
export const rename = ({ id, title }) => dialog("Rename", (finish) => form([
  field("Title", element("input", {
    name: "title", value: title, maxlength: 200, required: "", autocomplete: "off",
  })),
  element("div", { class: "actions" }, element("button", { class: "primary" }, "Rename"),
    button("Cancel", () => finish())),
], async ({ title: name }) => {
  await call("session.rename", { session: id, title: name });
  finish(true);
}));

/** The day of an evening, which lasts until five in the morning. */
function evening(time) {
  if (!time) return "Without a date";
  const shifted = (milliseconds) => new Date(milliseconds - 5 * 3_600_000);
  const day = shifted(new Date(time).getTime());
  const isAgo = (days) =>
    shifted(Date.now() - days * 24 * 3_600_000).toDateString() === day.toDateString();
  return isAgo(0) ? "Today" : isAgo(1) ? "Yesterday" : day.toLocaleDateString([], {
    weekday: "long", day: "numeric", month: "long", year: "numeric",
  });
}

/** Results by the evening on which they ended, in their order. */
export function byEvening(results) {
  const days = new Map();
  for (const result of results) {
    const day = evening(result.at);
    days.set(day, [...days.get(day) ?? [], result]);
  }
  return [...days];
}

/** The lines of a result: the teams with the names of their members, and who plays alone, by rank. */
export function sidesOf(players, teams) {
  const isOf = (team) => ({ id }) => team.players.includes(id);
  const sides = teams.map((team) => {
    const members = players.filter(isOf(team));
    // A member of a team that is one scorer has its total, in each part of a match, too.
    const { rank, total, winner } = team.together && members.length ? members[0] : team;
    return { name: team.name, rank, total, winner, members: members.map(({ name }) => name) };
  });
  return [...sides, ...players.filter((player) => !teams.some((team) => isOf(team)(player)))]
    .sort((one, other) => (one.rank ?? Infinity) - (other.rank ?? Infinity));
}
