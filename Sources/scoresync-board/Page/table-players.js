// The players of a session: their order, names, teams, and who takes part.

import { attempt, button, call, dialog, field, form } from "./calls.js";
import { at, element, person } from "./page.js";
import { isOfMoves } from "./table-entry.js";

/** The order with a player moved to another place. */
function moved(players, id, to) {
  const ids = players.map((one) => one.id).filter((one) => one !== id);
  ids.splice(to, 0, id);
  return ids;
}

/** A field that calls `change` with its text when it was edited, and shows why that is refused. */
function edited(attributes, change) {
  const input = element("input", { autocomplete: "off", ...attributes });
  const problem = element("small", { class: "mark", role: "alert" });
  input.addEventListener("change", async () => {
    problem.replaceChildren();
    await attempt(() => change(input.value.trim()), (message) => problem.replaceChildren(message));
  });
  return [input, problem];
}

export async function playersDialog(state) {
  const { session } = state;
  const list = element("ol", { class: "seats" });
  const others = element("ul", { class: "seats" });
  const hasTeams = state.show.context.teams !== "none";
  // In a game of rounds somebody may join late.
  const hasBegun = state.show.context.rows.some((one) => one.round != null)
    && state.show.context.engine === "rows";
  const teams = element("datalist", { id: "teams" });
  let players = [];
  let dragged = null;
  const change = async (method, params) => {
    show((await call(method, { session, ...params })).players);
  };
  const itemOf = (id) => at("dialog").querySelector(`[data-player="${id}"]`);
  const focusOn = (id) => itemOf(id)?.querySelector("button:not(:disabled)")?.focus();
  const order = (ids, id) => change("player.order", { players: ids }).then(() => focusOn(id));
  const controlsOf = (item) => [...item?.querySelectorAll("input, button") ?? []];

  function row(player, index, all) {
    const step = (label, name, to) => button(label, () => order(moved(all, player.id, to), player.id),
      { "aria-label": `Move ${player.name} ${name}` });
    const item = element("li", { "data-player": player.id, draggable: "true" },
      element("span", { class: "faint" }, `${index + 1}.`),
      ...edited({ value: player.name, "aria-label": "Name", maxlength: "200" },
        (name) => change("player.rename", { player: player.id, name })),
      ...hasTeams ? edited({
        value: player.team ?? "", "aria-label": `Team of ${player.name}`, placeholder: "no team",
        list: "teams", class: "team",
      }, (team) => change("player.team", { team: team || null, players: [player.id] })) : [],
      player.computer ? element("small", { class: "faint" }, `computer, strength ${player.computer.depth}`)
        : null,
      ...hasBegun ? [element("label", { class: "faint" }, "from round ", ...edited({
        type: "number", min: "1", value: player.since ?? 1, "aria-label": `First round of ${player.name}`,
      }, (round) => change("player.start", { player: player.id, round: Number(round) })))] : [],
      player.start ? element("small", { class: "faint" }, `started with ${player.start}`) : null,
      index > 0 ? step("↑", "up", index - 1) : null,
      index < all.length - 1 ? step("↓", "down", index + 1) : null,
      button("Remove", () => change("player.remove", { players: [player.id] })
        .then(() => focusOn(player.id)),
        { "aria-label": `Remove ${player.name}`, class: "plain" }));
    item.addEventListener("dragstart", () => { dragged = player.id; });
    item.addEventListener("dragover", (event) => event.preventDefault());
    item.addEventListener("drop", (event) => {
      event.preventDefault();
      if (dragged && dragged !== player.id) order(moved(all, dragged, index), dragged);
    });
    return item;
  }

  function show(now) {
    players = now;
    const { activeElement } = document;
    const focused = activeElement.closest("[data-player]");
    const index = controlsOf(focused).indexOf(activeElement);
    const all = players.filter((one) => !one.removed).sort((one, other) => one.seat - other.seat);
    list.replaceChildren(...all.map(row));
    others.replaceChildren(...players.filter((one) => one.removed).map((player) => element("li", {
      "data-player": player.id,
    }, person(player.name), element("small", { class: "faint" }, " removed; the scores are kept"),
    button("Bring back", () => change("player.restore", { players: [player.id] })
      .then(() => focusOn(player.id))))));
    teams.replaceChildren(...[...new Set(players.map((one) => one.team ?? ""))]
      .map((value) => element("option", { value })));
    if (focused) controlsOf(itemOf(focused.dataset.player))[index]?.focus();
  }

  show((await call("player.list", { session })).players);
  const name = element("input", {
    name: "name", autocomplete: "off", maxlength: "200", required: "",
  });
  const computer = element("input", { type: "checkbox", name: "computer" });
  // A computer has a name of its own.
  computer.addEventListener("change", () => { name.required = !computer.checked; });
  const { computer: takesComputers = isOfMoves(state) } = await call("game.show", { session });
  await dialog("Players", (finish) => [
    list, teams, others,
    form([
      field("Somebody else", name),
      hasBegun ? element("label", {}, "starts with ", element("select", { name: "start" },
        element("option", { value: "nothing" }, "nothing"),
        element("option", { value: "lowest" }, "the lowest total"),
        element("option", { value: "mean" }, "the mean of the totals")), " in round ", element("input", {
        type: "number", name: "round", min: "1", placeholder: "now", "aria-label": "First round",
      })) : null,
      takesComputers ? element("label", { class: "choice" },
        computer, "a computer of strength ",
        element("input", {
          type: "number", name: "depth", min: "1", max: "20", value: "4", "aria-label": "Strength",
        }))
        : null,
      element("div", { class: "actions" }, element("button", {}, "Add")),
    ].filter((one) => one), async ({ depth, start, round }, node) => {
      const isComputer = computer.checked;
      await change("player.add", {
        names: [name.value.trim() || (isComputer ? "Computer" : "")],
        computer: isComputer ? true : null, depth: isComputer ? Number(depth) : null, start,
        round: round ? Number(round) : null,
      });
      node.reset();
      name.required = true;
      name.focus();
    }),
    element("div", { class: "actions" },
      button("Shuffle", () => change("player.shuffle", {})),
      button("Done", () => finish(), { class: "primary" })),
  ]);
}
