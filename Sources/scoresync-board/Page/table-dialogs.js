// Dialogs of the table: history, options, and the keys.

import { button, call, dialog, field, form, toast, when } from "./calls.js";
import { cellName, entryText, playerOf, seated } from "./sheet.js";
import { isOver } from "./pad.js";
import { element, person } from "./page.js";
import { correct, settle } from "./table-entry.js";
import { optionControls } from "./options.js";

function historyItem(state, entry, reopen) {
  const { show } = state;
  const player = show.document.players.find((one) => one.name === entry.player);
  const cell = { player: player?.id, row: entry.row, round: entry.round };
  const before = entry.replaced.map((value, index) =>
    entryText({ value, text: entry.replacedTexts?.[index] }));
  const current = player && entry.winner && entry.value !== null && !isOver(state);
  const act = (label, work) => button(label, async () => {
    await work();
    reopen();
  }, { class: "plain" });
  return element("li", {},
    element("span", {}, person(entry.player), `, ${cellName(entry, show.context.rows)}: `,
      element("b", {}, person(entryText(entry))),
      before.length ? ` (before: ${before.join(", ")})` : ""),
    element("small", { class: "faint" },
      `${when(entry.at)}, by `, person(entry.by), entry.phone ? ", by phone" : ""),
    ...current ? [
      act("Change", () => correction(state, cell, entry)),
      act("Remove", () => settle(state, "clear", cell)),
    ] : []);
}

/** Asks for another value of an entry, and keeps asking while the rules refuse it. */
const correction = (state, cell, entry) => dialog(
  `${entry.player}, ${cellName(entry, state.show.context.rows)}`, (finish) => {
    const value = entry.text ?? String(entry.value);
    const input = element("input", { name: "value", value, autocomplete: "off" });
    return form([field("New value", input), element("div", { class: "actions" },
      element("button", { class: "primary" }, "Change"))], async ({ value: typed }) => {
      if (typed.trim()) await correct(state, cell, typed.trim());
      finish();
    });
  });

/** Ends the game with the word of the table on who has won. */
export async function verdictDialog({ session, show }) {
  const end = (fields) => call("session.finish", { session, finished: true, ...fields });
  await dialog("Who has won?", (finish) => {
    const boxes = seated(show).map((player) => element("label", { class: "tick" },
      element("input", { type: "checkbox", name: "winner", value: player.id }), person(player.name)));
    const choice = (label, fields) => button(label, async () => {
      await end(fields);
      finish();
    });
    return form([
      element("p", { class: "faint" }, "This ends the game, whatever the totals are."), ...boxes,
      element("div", { class: "actions" },
        element("button", { class: "primary" }, "They have won"),
        choice("All won", { verdict: "all-won" }), choice("All lost", { verdict: "all-lost" }),
        choice("Nobody", { verdict: "no-winner" }), button("Cancel", () => finish())),
    ], async () => {
      const winners = boxes.map((box) => box.firstChild).filter((box) => box.checked)
        .map((box) => box.value);
      if (!winners.length) return toast("Choose at least one player.", true);
      await end({ winners });
      return finish();
    });
  });
}

/** Who wrote what and when: everything, or one cell of a player. */
export async function historyDialog(state, player, row) {
  const { entries } = await call("history", { session: state.session, player, row, limit: 200 });
  const title = player && row ? `Who wrote this? ${playerOf(state.show, player).name}` : "History";
  await dialog(title, (finish) => [
    entries.length ? element("ul", { class: "history" }, ...entries.map((entry) => historyItem(
      state, entry, () => historyDialog(state, player, row))))
      : element("p", {}, "Nothing has been entered yet."),
    element("div", { class: "actions" }, button("Close", () => finish())),
  ]);
}

export async function optionsDialog({ session }) {
  const [{ options }, { sheet }] = await Promise.all([
    call("session.option", { session, words: [] }), call("game.show", { session })]);
  const { nodes } = optionControls(options, JSON.parse(sheet), async (name, value) => {
    const words = [`${name}=${value || "default"}`];
    const { notes } = await call("session.option", { session, words });
    if (notes?.length) toast(notes.join(". "));
  });
  await dialog("Options", (finish) => [
    ...nodes.length ? nodes : [element("p", {}, "This game has no options.")],
    element("div", { class: "actions" }, button("Close", () => finish(), { class: "primary" })),
  ]);
}

const keys = [
  ["0 – 9", "type a score"], ["Enter", "write it and go on to the next player"],
  ["Tab", "after typing: the same as Enter"], ["← ↑ → ↓", "another cell"],
  ["Delete", "empty the cell"], ["Esc", "forget what was typed"],
  ["u", "undo (Ctrl Z while letters are typed)"], ["?", "this list"],
];

export const keysDialog = () => dialog("Keys", (finish) => [
  element("dl", { class: "keys" }, ...keys.flatMap(([name, act]) =>
    [element("dt", {}, element("kbd", {}, name)), element("dd", {}, act)])),
  element("p", { class: "faint" }, "Sums such as 12+7+9 can be typed, too."),
  element("div", { class: "actions" }, button("Close", () => finish(), { class: "primary" })),
]);
