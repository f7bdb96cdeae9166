// The options of a game as form controls.

import { attempt } from "./calls.js";
import { element } from "./page.js";

const capitalized = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** The name of an option for people. */
const optionLabel = (name) => capitalized(name.replaceAll("-", " "));

/** A value as it is typed; empty for none. */
const text = (value) => (typeof value === "boolean" ? (value ? "yes" : "no") : `${value ?? ""}`);

const values = (controls) => Object.fromEntries(controls
  .map(({ option, value }) => [option.name, value()]).filter(([, value]) => value !== ""));

function input(option, kind) {
  const value = option.value ?? "";
  switch (kind.kind) {
    case "boolean":
      return element("input", { type: "checkbox", checked: option.value === true ? "" : null });
    case "choice":
      return element("select", {}, ...kind.choices.map((word) => element("option", {
        value: word, selected: word === value ? "" : null,
      }, capitalized(word.replaceAll("-", " ")))));
    case "integer": {
      const { from, to } = kind.range ?? {};
      return element("input", {
        type: "number", inputmode: "numeric", value, min: from, max: to, step: kind.odd ? 2 : 1,
        placeholder: option.default ?? "off",
      });
    }
    default:
      return element("input", { type: "text", value, autocomplete: "off" });
  }
}

/** Creates the controls of options, as `game.show` or `session.option` lists them, with the kinds
 * that the sheet says. `changed(name, value)` gets a changed value as typed; a CallError that it
 * throws is shown beside the control.
 *
 * `nodes` are the labelled controls, `values()` the values as typed, `chosen()` those that are not the
 * default, `invalid()` is the first control with a wrong value, and `reset()` restores the defaults. */
export function optionControls(options, sheet, changed = () => {}) {
  const kinds = new Map((sheet.options ?? []).map((option) => [option.name, option]));
  const controls = options.map((option) => {
    const kind = kinds.get(option.name) ?? {};
    const control = input(option, kind);
    const isTick = control.type === "checkbox";
    const problem = element("small", { class: "mark", role: "alert" });
    const help = element("small", { class: "faint" }, option.help);
    control.name = `option-${option.name}`;
    const say = (text) => {
      problem.replaceChildren(text);
      control.ariaInvalid = `${text !== ""}`;
    };
    const check = () => {
      const isValid = control.validity.valid;
      say(isValid ? "" : `${optionLabel(option.name)} takes ${option.takes}.`);
      return isValid;
    };
    control.addEventListener("change", async () => {
      if (!check()) return;
      await attempt(() => changed(option.name, value()), say);
    });
    const label = element("span", {}, optionLabel(option.name));
    const node = isTick
      ? element("label", { class: "tick" }, control, element("span", {}, label, problem, help))
      : element("label", { class: "field" }, label, control, problem, help);
    const value = () => (isTick ? text(control.checked) : control.value.trim());
    const write = (to) => {
      if (isTick) control.checked = to === true;
      else control.value = to ?? "";
      check();
    };
    return { option, control, node, value, write };
  });
  return {
    nodes: controls.map(({ node }) => node),
    values: () => values(controls),
    chosen: () => values(controls.filter(({ option, value }) => value() !== text(option.default))),
    invalid: () => controls.find(({ control }) => !control.validity.valid)?.control,
    reset() {
      for (const { option, write } of controls) write(option.default);
      changed();
    },
  };
}
