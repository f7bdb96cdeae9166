// The submissions that the laptop has not confirmed: they are stored on the phone and sent one at a
// time. Each keeps its id for all attempts, so that it is entered only once.

import { isSame } from "./pad.js";

const maxPause = 15_000;
const requestTimeout = 10_000;
const maxItems = 200;
/** The ms after which the effect of a confirmed item is shown for certain, or the page has noticed
 * that it is out of date. */
const longestDelay = 60_000;
/** As many ids as fit into a submission. */
const maxEarlier = 180;

/** 16 random hexadecimal digits; `randomUUID` needs a secure context, which this page is not. */
const randomID = () => Array.from(crypto.getRandomValues(new Uint8Array(8)),
  (byte) => byte.toString(16).padStart(2, "0")).join("");

export class Outbox {
  /** The waiting items, with the `session` in which they were typed, and the rejected ones. */
  items = [];
  /** The reason why nothing can be sent, such as an invalid link; null if there is none. */
  problem = null;
  #storageKey;
  /** The key of the id under which an earlier page of this link stored its items. */
  #playerKey;
  #handlers;
  #isSending = false;
  #timer = null;
  #failures = 0;
  /** Whether the last write to storage failed, such as for lack of space. */
  #isUnsaved = false;
  /** The items that were confirmed within `longestDelay`. */
  #confirmed = [];
  /** Items that this page has removed, which another page may still write back. */
  #removed = new Set();

  /** Calls `handlers.changed()` after any change, `handlers.entered(item, reply)` on success. */
  constructor(link, player, handlers) {
    this.#playerKey = `scoresync.player.${link}`;
    this.#handlers = handlers;
    let last = null;
    try { last = localStorage.getItem(this.#playerKey); } catch { /* Nothing was stored. */ }
    this.#storageKey = `scoresync.outbox.${last ?? player}`;
    this.moveTo(player);
    // Pages of the same player share the outbox.
    addEventListener("storage", () => this.#load());
  }

  /** Continues for the same player under another id, which the player has in another game. */
  moveTo(player) {
    const [items, before] = [this.#stored(), this.#storageKey];
    this.#storageKey = `scoresync.outbox.${player}`;
    if (before !== this.#storageKey) {
      this.items = [];
      const others = this.#stored();
      this.#store([...others, ...items.filter(({ id }) => !others.some((other) => other.id === id))]);
    }
    try {
      localStorage.setItem(this.#playerKey, player);
      if (before !== this.#storageKey) localStorage.removeItem(before);
    } catch { /* Nothing is stored. */ }
    this.send();
  }

  get waiting() { return this.items.filter((item) => !item.refusal); }

  /** Adds an item and sends it; false if the outbox is full. */
  add(path, body, label, session, more) {
    const items = this.#stored();
    if (items.length >= maxItems) return false;
    this.#store([...items, { id: randomID(), path, body, label, session, ...more }]);
    this.send();
    return true;
  }

  /** The ids of the items that were typed before and of which the sheet may not show the effect: of
   * those for a cell or, without one, of the moves. */
  earlier(place) {
    const start = performance.now() - longestDelay;
    this.#confirmed = this.#confirmed.filter((item) => item.at > start);
    return [...this.#confirmed, ...this.waiting]
      .filter((item) => item.path === "undo"
        || (place ? isSame(item.place, place) : item.body.move))
      .map((item) => item.id).slice(-maxEarlier);
  }

  /** Sends a rejected item again in another form. */
  resend(id, fields) {
    this.#update(id, { refusal: undefined, conflict: undefined, ...fields });
    this.send();
  }

  /** Removes an item, and the undo of it if there is one. */
  remove(id) {
    this.#removed.add(id);
    this.#store(this.#stored().filter((item) => item.takes !== id));
  }

  /** Undoes the last item: removes it, or adds an undo if it may have arrived. */
  undo(session) {
    this.#load();
    const last = this.waiting.findLast((item) =>
      item.path === "enter" && !this.items.some((one) => one.takes === item.id));
    if (last && !last.tried) this.remove(last.id);
    else this.add("undo", {}, "Undo", last?.session ?? session, { takes: last?.id });
  }

  async send() {
    clearTimeout(this.#timer);
    this.#load();
    if (this.#isSending) return;
    this.#isSending = true;
    let pause;
    while (!pause && this.waiting.length) pause = await this.#send(this.waiting[0]);
    this.#isSending = false;
    if (pause) this.#timer = setTimeout(() => this.send(), pause);
  }

  /** Sends an item; returns the pause before the next attempt in ms, 0 if none is needed. */
  async #send({ id, ...item }) {
    this.#update(id, { tried: true });
    if (!this.items.some((one) => one.id === id)) return 0;
    let response, reply;
    const control = new AbortController();
    const timer = setTimeout(() => control.abort(), requestTimeout);
    try {
      response = await fetch(item.path, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ id, session: item.session, ...item.body }),
        signal: control.signal,
      });
      reply = await response.json();
    } catch { /* The item is sent again later. */ }
    clearTimeout(timer);
    // A captive portal responds too, but not with the board's JSON.
    const isRejected = reply?.error?.kind && !response.ok && response.status < 500;
    if (!isRejected && !(response?.ok && typeof reply?.known === "boolean")) {
      return Math.min(1000 * 2 ** this.#failures++, maxPause);
    }
    this.#failures = 0;
    if (response.status === 429) return 1000 * (Number(response.headers.get("Retry-After")) || 1);
    if ([404, 410].includes(response.status)) {
      this.problem = reply.error.message;
      this.#handlers.changed();
      // Retries, because a removed player may come back.
      return 5_000;
    }
    this.problem = null;
    if (isRejected) {
      // The undo of a rejected submission is dropped, because it would undo an earlier entry
      // instead.
      this.#store(this.#stored().filter((one) => one.takes !== id));
      const { message, kind, conflict } = reply.error;
      this.#update(id, { refusal: message || kind, conflict });
    } else {
      this.#removed.add(id);
      this.#confirmed.push({ ...item, id, at: performance.now() });
      this.#store(this.#stored());
      this.#handlers.entered(item, reply.reply);
    }
    return 0;
  }

  /** The stored items, which another page of the player may have changed. */
  #stored() {
    let { items } = this;
    try {
      const stored = JSON.parse(localStorage.getItem(this.#storageKey));
      const others = (stored ?? []).filter((one) => !items.some((item) => item.id === one.id));
      if (stored) items = this.#isUnsaved ? [...items, ...others] : stored;
    } catch { /* Without storage, items last as long as the page is open. */ }
    return items.filter((item) => !this.#removed.has(item.id));
  }

  #load() {
    this.items = this.#stored();
    this.#handlers.changed();
  }

  #update(id, fields) {
    this.#store(this.#stored().map((one) => (one.id === id ? { ...one, ...fields } : one)));
  }

  #store(items) {
    this.items = items;
    try {
      localStorage.setItem(this.#storageKey, JSON.stringify(items));
      this.#isUnsaved = false;
    } catch {
      this.#isUnsaved = true;
    }
    this.#handlers.changed();
  }
}
