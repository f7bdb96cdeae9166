// The people of this laptop: who plays here, and who is selected for the next game.

import { element, person } from "./page.js";
import { ask, button, call, during, field, form, go, dialog } from "./calls.js";

/** Replaces the contents and keeps the focus on the control with the same name. */
function redraw(node, ...children) {
  const key = document.activeElement?.dataset?.key;
  node.replaceChildren(...children);
  const again = key && [...node.querySelectorAll("[data-key]")].find((one) => one.dataset.key === key);
  if (again && !again.disabled) again.focus();
}

export const people = {
  title: "People",
  open(main) {
    const list = element("ul", { class: "rows", "aria-label": "People of this laptop" });
    const chosen = element("section", { "aria-label": "Next game" });

    function toggle(one) {
      const box = element("input", { type: "checkbox", "data-key": `pick ${one.name}` });
      box.checked = one.seat !== null;
      box.addEventListener("change", () => during(box, async () => {
        try {
          draw(await call("people.select", { names: [one.name], selected: box.checked }));
        } catch (error) {
          box.checked = !box.checked;
          throw error;
        }
      }));
      return element("label", { class: "inline" }, box, person(one.name));
    }

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

    function draw({ people: all }) {
      redraw(list, ...all.map((one) => element("li", {}, toggle(one),
        element("span", { class: "actions" },
          button("Rename", () => rename(one),
            { class: "plain", "aria-label": `Rename ${one.name}`, "data-key": `name ${one.name}` }),
          button("Remove", () => remove(one),
            { class: "plain", "aria-label": `Remove ${one.name}`, "data-key": `gone ${one.name}` })))));
      if (!all.length) list.append(element("li", { class: "faint" }, "Nobody yet."));
      const next = all.filter(({ seat }) => seat !== null);
      redraw(chosen, element("h2", {}, "Next game"), ...(next.length ? [
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
    call("people.list").then(draw);
  },
};
