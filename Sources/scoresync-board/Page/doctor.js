// The check-up: what keeps laptops apart or scores from being saved, and what to do about it.

import { element } from "./page.js";
import { button, call, CallError, toast } from "./calls.js";

const states = { problem: "Problem", warning: "Warning", ok: "All right" };

/** A command that is typed in a terminal, with a button that copies it. */
function command(text) {
  const code = element("code", {}, text);
  const copy = button("Copy", async () => {
    try { await navigator.clipboard.writeText(text); } catch {
      getSelection().selectAllChildren(code);
      document.execCommand("copy");
    }
    toast("Copied.");
  }, { "aria-label": `Copy ${text}` });
  return element("div", { class: "command" }, code, copy);
}

function check({ state, subject, text, cause, cure, commands = [] }) {
  return element("li", { class: `card ${state}` },
    element("p", {}, element("strong", {}, states[state] ?? state), subject ? ` · ${subject}` : ""),
    element("p", {}, text),
    cause ? element("p", { class: "faint" }, cause) : null,
    cure ? element("p", {}, cure) : null,
    ...commands.map(command));
}

export const doctor = {
  title: "Check-up",
  open(main) {
    let isOpen = true;
    const outcome = element("p", { role: "status" }, "Checking this laptop and its network…");
    const findings = element("ul", { class: "checks", "aria-label": "Findings" });
    const passed = element("details", { class: "passed", hidden: "" });

    async function run() {
      outcome.replaceChildren("Checking this laptop and its network…");
      findings.replaceChildren();
      passed.hidden = true;
      let checks;
      try {
        const { output } = await call("app.doctor");
        ({ checks } = JSON.parse(output));
      } catch (error) {
        const isRefused = error instanceof CallError;
        if (!isRefused && !(error instanceof SyntaxError)) throw error;
        outcome.replaceChildren(isRefused ? error.message : "The check-up did not finish.");
        return;
      }
      if (!isOpen) return;
      const bad = [
        ...checks.filter(({ state }) => state === "problem"),
        ...checks.filter(({ state }) => state === "warning"),
      ];
      const good = checks.filter(({ state }) => state === "ok");
      outcome.replaceChildren(bad.length ? `${bad.length} finding${bad.length > 1 ? "s" : ""}.`
        : "Everything is all right.");
      findings.replaceChildren(...bad.map(check));
      findings.hidden = !bad.length;
      passed.replaceChildren(element("summary", {}, `Passed: ${good.length}`),
        element("ul", {}, ...good.map(({ subject, text }) =>
          element("li", {}, subject ? `${subject}: ${text}` : text))));
      passed.hidden = !good.length;
    }

    main.append(element("p", {}, element("a", { href: "#settings" }, "‹ Settings")),
      element("h1", {}, "Check-up"), outcome, findings, passed,
      element("div", { class: "actions" },
        button("Check again", run, { class: "primary" }),
        button("Start the daemon", async () => {
          const { succeeded, output } = await call("app.start");
          toast(output.trim() || (succeeded ? "It runs." : "It did not start."), !succeeded);
          await run();
        })));
    run();
    return () => { isOpen = false; };
  },
};
