// Calls of the daemon and of the board, and what all screens of the app share.

import { at, element } from "./page.js";

/** An error of a call: its `kind` as in PROTOCOL.md, the `message` for people, and its details. */
class CallError extends Error {
  isCallError = true;

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
    box.onclose = () => resolve(result);
    box.showModal();
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
  if (!isError) note.timer = setTimeout(() => note.replaceChildren(), 5000);
}

/** A button that calls `act`, is disabled meanwhile, and shows an error of its calls. */
export function button(label, act, attributes = {}) {
  const node = element("button", { type: "button", ...attributes }, label);
  node.addEventListener("click", () => during(node, act));
  return node;
}

/** Disables a control while `act` runs, and shows an error of its calls. */
export async function during(control, act) {
  control.disabled = true;
  try { await act(); } catch (error) {
    if (!error.isCallError) throw error;
    toast(error.message, true);
  } finally { control.disabled = false; }
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
    try { await submit(Object.fromEntries(new FormData(node)), node); } catch (error) {
      if (!error.isCallError) throw error;
      problem.replaceChildren(error.message);
    } finally { for (const one of controls) one.disabled = false; }
  });
  return node;
}

/** A labelled control. */
export const field = (label, control, note) => element(
  "label", { class: "field" }, element("span", {}, label), control,
  note ? element("small", { class: "faint" }, note) : null);

/** Goes to a screen, such as `go("table", id)`. */
export const go = (...parts) => { location.hash = parts.map(encodeURIComponent).join("/"); };

/** A time as "today, 20:15" or a date. */
export function when(text) {
  const time = new Date(text);
  const isToday = time.toDateString() === new Date().toDateString();
  const clock = time.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  return isToday ? `today, ${clock}` : `${time.toLocaleDateString([], { dateStyle: "medium" })}, ${clock}`;
}
