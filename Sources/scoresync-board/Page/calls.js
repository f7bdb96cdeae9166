// Calls of the daemon and of the board, and what all screens of the app share.

import { at, element } from "./page.js";

/** An error of a call: its `kind` as in PROTOCOL.md, the `message` for people, and its details. */
export class CallError extends Error {
  constructor({ kind, message, ...details }) {
    super(message);
    Object.assign(this, { kind }, details);
  }
}

/** Calls a method of the control socket, or one of the board, and returns its result.
 *
 * `connection` names a connection that later calls continue, such as those of an export. A call that
 * is `last` is carried out even though the page is being left.
 * Throws a CallError, also if the laptop does not answer (kind "unreachable"). */
export async function call(method, params = {}, { connection, confirmed, last } = {}) {
  let response;
  try {
    response = await fetch("call", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ method, params, connection, confirmed }),
      keepalive: last,
    });
  } catch {
    throw new CallError({
      kind: "unreachable", message: "ScoreSync does not answer. Open it again by its icon.",
    });
  }
  if (response.ok) return response.json();
  const { error } = await response.json().catch(() => ({}));
  // The daemon's own message is for a terminal.
  if (error?.kind === "no-daemon") error.message = "ScoreSync is not running; Home can start it.";
  throw new CallError(error ?? { kind: "failed", message: `The call failed (${response.status}).` });
}

/** Calls a method that may ask before something is lost. Returns null if the person says no. */
export async function callConfirmed(method, params = {}, label = "Yes") {
  let answer = await call(method, params);
  while (answer.question) {
    if (!await ask(answer.question.text, label)) return null;
    answer = await call(method, { ...params, token: answer.question.token });
  }
  return answer;
}

/** Opens a dialog with a title and contents.
 *
 * `build` gets a function that closes the dialog with a result and returns the contents. The promise
 * has that result, or null if the dialog was left. */
export function dialog(title, build) {
  const box = at("dialog");
  return new Promise((resolve) => {
    let result = null;
    const finish = (value) => {
      result = value ?? null;
      box.close();
    };
    box.replaceChildren(
      element("h2", { id: "dialog-title" }, title), ...[build(finish)].flat());
    // The dialog that this one replaces is left.
    box.onclose?.();
    box.onclose = () => resolve(result);
    box.showModal();
    box.scrollTop = 0;
  });
}

/** Asks a question that is answered by yes or no. */
export const ask = (question, yes = "Yes", no = "Cancel") => dialog(question, (finish) => element(
  "div", { class: "actions" },
  button(yes, () => finish(true), { class: "primary" }), button(no, () => finish(null))));

/** Shows a message for a few seconds; an error stays until it is replaced or clicked. */
export function toast(text, isError = false) {
  const note = at("toast");
  clearTimeout(note.timer);
  note.className = isError ? "error" : "";
  note.replaceChildren(text);
  note.onclick = () => note.replaceChildren();
  // A dialog covers whatever was shown before it.
  note.hidePopover?.();
  note.showPopover?.();
  if (!isError) note.timer = setTimeout(() => note.replaceChildren(), 5000);
}

/** A button that calls `act`, is disabled meanwhile, and shows an error of its calls. */
export function button(label, act, attributes = {}) {
  const node = element("button", { type: "button", ...attributes }, label);
  node.addEventListener("click", () => during(node, act));
  return node;
}

/** Runs `act`; the message of a failed call goes to `show`. */
export async function attempt(act, show) {
  try { return await act(); } catch (error) {
    if (!(error instanceof CallError)) throw error;
    return show(error.message);
  }
}

/** Disables a control while `act` runs, and shows an error of its calls. */
export async function during(control, act) {
  control.disabled = true;
  try { await attempt(act, (message) => toast(message, true)); } finally { control.disabled = false; }
}

/** A checkbox that calls `change` with its new state, and changes back if the call fails. */
export function toggle(label, isOn, change, attributes = { role: "switch" }) {
  const box = element("input", { type: "checkbox", checked: isOn ? "" : null, ...attributes });
  box.addEventListener("change", () => during(box, async () => {
    try { await change(box.checked); } catch (error) {
      box.checked = !box.checked;
      throw error;
    }
  }));
  return element("label", { class: "inline" }, box, label);
}

/** A form whose fields are read by `submit(values, form)`; a CallError is shown in its alert. */
export function form(children, submit, attributes = {}) {
  const problem = element("p", { role: "alert", class: "mark" });
  const node = element("form", attributes, ...children, problem);
  node.addEventListener("submit", async (event) => {
    event.preventDefault();
    problem.replaceChildren();
    const controls = [...node.querySelectorAll("button")];
    for (const one of controls) one.disabled = true;
    try {
      await attempt(() => submit(Object.fromEntries(new FormData(node)), node),
        (message) => problem.replaceChildren(message));
    } finally { for (const one of controls) one.disabled = false; }
  });
  return node;
}

/** A labelled control. */
export const field = (label, control, note) => element(
  "label", { class: "field" }, element("span", {}, label), control,
  note ? element("small", { class: "faint" }, note) : null);

/** A part of a screen with a title, which names it. */
export function section(title, children, attributes = {}) {
  const id = `section-${title.toLowerCase().replaceAll(" ", "-")}`;
  return element("section", { "aria-labelledby": id, ...attributes },
    element("h2", { id }, title), ...children);
}

/** Replaces the contents, and keeps the focus: on the control with the same `data-key`, else on the
 * one at the same position. */
export function refill(node, ...children) {
  const controls = () => [...node.querySelectorAll("a, button, input, select, summary")];
  const index = controls().indexOf(document.activeElement);
  const { key } = document.activeElement?.dataset ?? {};
  node.replaceChildren(...children);
  if (index < 0) return;
  const again = key ? controls().find((one) => one.dataset.key === key) : controls()[index];
  if (!again?.disabled) again?.focus();
}

/** Lets files be dropped on an element: the first one goes to `receive`. */
export function takeDrops(target, receive, marked = target) {
  const hover = (isOver) => (event) => {
    if (![...event.dataTransfer.types].includes("Files")) return;
    event.preventDefault();
    marked.classList.toggle("over", isOver);
  };
  target.ondragover = hover(true);
  target.ondragleave = hover(false);
  target.ondrop = (event) => {
    hover(false)(event);
    const [file] = event.dataTransfer.files;
    if (file && marked.isConnected) receive(file);
  };
}

/** A noun with its count: `1 game`, `2 games`. */
export const counted = (count, noun) =>
  `${count} ${noun}${count === 1 ? "" : noun.endsWith("ch") ? "es" : "s"}`;

/** Goes to a screen, such as `go("table", id)`. */
export const go = (...parts) => { location.hash = parts.map(encodeURIComponent).join("/"); };

/** A time as `20:15`. */
export const clock = (text) =>
  new Date(text).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });

/** A time as "today, 20:15" or a date. */
export function when(text) {
  const time = new Date(text);
  const isToday = time.toDateString() === new Date().toDateString();
  return `${isToday ? "today" : time.toLocaleDateString([], { dateStyle: "medium" })}, ${clock(text)}`;
}
