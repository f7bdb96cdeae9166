// The people of this laptop: who plays here, and who is selected for the next game.

import { element, person } from "./page.js";
import { ask, button, call, dialog, field, form, go, refill, toggle } from "./calls.js";

export const people = {
  title: "People",
  open(main) {
    const list = element("ul", { class: "rows", "aria-label": "People of this laptop" });
    const chosen = element("section", { "aria-label": "Next game" });

    const tick = (one) => toggle(person(one.name), one.seat !== null, async (selected) => {
      draw(await call("people.select", { names: [one.name], selected }));
    }, { "data-key": `pick ${one.name}` });

    const rename = (one) => dialog(`Rename ${one.name}`, (finish) => form([
      field("Name", element("input", { name: "name", value: one.name, required: "", maxlength: 64 }),
        "Games that were played keep the old name."),
      element("div", { class: "actions" },
        element("button", { class: "primary" }, "Rename"),
        button("Cancel", () => finish(null))),
    ], async ({ name }) => {
      draw(await call("people.rename", { person: one.name, name }));
      finish(name);
    }));

    async function remove(one) {
      if (!await ask(`Remove ${one.name}? Games and results keep the name.`, "Remove")) return;
      draw(await call("people.remove", { names: [one.name] }));
    }

    let isDrawn = false;
    function draw({ people: all }) {
      isDrawn = true;
      refill(list, ...all.map((one) => element("li", {}, tick(one),
        element("span", { class: "actions" },
          button("Rename", () => rename(one),
            { class: "plain", "aria-label": `Rename ${one.name}`, "data-key": `name ${one.name}` }),
          button("Remove", () => remove(one),
            { class: "plain", "aria-label": `Remove ${one.name}`, "data-key": `gone ${one.name}` })))));
      if (!all.length) list.append(element("li", { class: "faint" }, "Nobody yet."));
      const next = all.filter(({ seat }) => seat !== null);
      refill(chosen, element("h2", {}, "Next game"), ...(next.length ? [
        element("ol", { class: "order" }, ...next.map(({ name }) => element("li", {}, person(name)))),
        element("div", { class: "actions" },
          button("New game with them", () => go("new"), { class: "primary" }),
          button("Shuffle", async () => draw(await call("people.shuffle")),
            { "data-key": "shuffle" }),
          button("Select nobody",
            async () => draw(await call("people.select", { selected: false })))),
      ] : [element("p", { class: "faint" }, "Select who plays next.")]));
    }

    const name = element("input", { name: "name", required: "", maxlength: 64, autocomplete: "off" });
    main.append(
      element("h1", {}, "People"),
      element("p", { class: "faint" }, "The people who play on this laptop. New games suggest them."),
      list,
      form([field("New person", name), element("button", { class: "primary" }, "Add")],
        async (values, node) => {
          draw(await call("people.add", { names: [values.name.trim()] }));
          node.reset();
          name.focus();
        }, { class: "line-form", "aria-label": "Add a person" }),
      chosen);
    // What the first list says is old once something was changed.
    call("people.list").then((all) => isDrawn || draw(all));
  },
};
