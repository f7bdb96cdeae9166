// Keeps the screen of a phone on while the page is shown.

import { at, element, hide } from "./page.js";

const knowsKey = "scoresync.screen";

/** Asks the browser to keep the screen on. Browsers allow that only in secure contexts, which the
 * pages of a laptop are not: then the person is told once what to set. */
export function keepAwake() {
  const request = () => {
    if (!document.hidden) navigator.wakeLock.request("screen").catch(() => {});
  };
  if (navigator.wakeLock) {
    request();
    document.addEventListener("visibilitychange", request);
    return;
  }
  if (localStorage.getItem(knowsKey) || !matchMedia("(pointer: coarse)").matches) return;
  const close = element("button", { type: "button" }, "Got it");
  close.addEventListener("click", () => {
    localStorage.setItem(knowsKey, "1");
    hide("tip", true);
  });
  at("tip").replaceChildren(
    "Does the screen go dark between turns? Set a longer screen timeout in the phone's settings. ",
    close);
  hide("tip", false);
}
