// The other laptops of a game, as all pages list them that phones do not open.

import { element, person } from "./page.js";

const problems = { "disk-full": "its disk is full", "read-only": "its disk is read-only" };

/** Whether a laptop is there, and has everything. */
export function presence({ online, synced, storage }) {
  if (!online) return synced ? "has the final scores" : "away";
  if (storage) return `cannot save: ${problems[storage] ?? "its disk fails"}`;
  return synced ? "in sync" : "catching up";
}

/** The items of a list of the class `peers`. */
export const laptopItems = (peers) => peers.map((peer) => element(
  "li", { class: peer.online ? "here" : "gone" }, person(peer.name), " ",
  element("span", { class: peer.storage ? "mark" : "faint" }, presence(peer))));
