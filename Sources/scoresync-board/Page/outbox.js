// What was typed and is not entered yet: it stays in the phone until the laptop has answered, and
// goes out one by one. Each has an id of its own for all attempts, so that it is entered once.

const longestPause = 15_000;
const patience = 10_000;
const most = 200;

/** 16 random hexadecimal digits; the page has no secure context, and so no `randomUUID`. */
const randomID = () => Array.from(crypto.getRandomValues(new Uint8Array(8)),
  (byte) => byte.toString(16).padStart(2, "0")).join("");

export class Outbox {
  /** What waits, with the `session` for which it was typed, and what was refused. */
  items = [];
  /** Why nothing is taken now; null while it is. */
  end = null;
  #place;
  #hears;
  #isSending = false;
  #timer = null;
  #failures = 0;
  /** Whether what is here could not be stored: there may be no room. */
  #isUnkept = false;
  /** What this page has taken out, which another one may still write. */
  #gone = new Set();

  /** `hears.changed()` is called when something differs, `hears.entered(item, reply)` for each. */
  constructor(player, hears) {
    this.#place = `scoresync.outbox.${player}`;
    this.#hears = hears;
    this.#load();
    // Another page of the same player has the same outbox.
    addEventListener("storage", () => this.#load());
  }

  get waiting() { return this.items.filter((item) => !item.refusal); }

  /** Puts something in, to be sent; false where there is no room. */
  add(path, body, label, session, more) {
    const items = this.#kept();
    if (items.length >= most) return false;
    this.#keep([...items, { id: randomID(), path, body, label, session, ...more }]);
    this.send();
    return true;
  }

  /** Takes something out, with the undo meant for it. */
  drop(id) {
    this.#gone.add(id);
    this.#keep(this.#kept().filter((item) => item.takes !== id));
  }

  /** Takes back what was typed last: out of here, or by an undo if it may have arrived. */
  undo(session) {
    this.#load();
    const last = this.waiting.findLast((item) =>
      item.path === "enter" && !this.items.some((one) => one.takes === item.id));
    if (last && !last.tried) this.drop(last.id);
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

  /** Sends one; how long to wait before the next attempt, 0 once it is settled. */
  async #send({ id, ...item }) {
    this.#note(id, { tried: true });
    if (!this.items.some((one) => one.id === id)) return 0;
    let answer, said;
    const control = new AbortController();
    const timer = setTimeout(() => control.abort(), patience);
    try {
      answer = await fetch(item.path, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ id, session: item.session, ...item.body }),
        signal: control.signal,
      });
      said = await answer.json();
    } catch { /* Sent again. */ }
    clearTimeout(timer);
    // A Wi-Fi with a login answers too, but not in the board's words.
    const isRefused = said?.error?.kind && !answer.ok && answer.status < 500;
    if (!isRefused && !(answer?.ok && typeof said?.known === "boolean")) {
      return Math.min(1000 * 2 ** this.#failures++, longestPause);
    }
    this.#failures = 0;
    if (answer.status === 429) return 1000 * (Number(answer.headers.get("Retry-After")) || 1);
    if ([404, 410].includes(answer.status)) {
      this.end = "This link is no longer good: scan the code on the board again.";
      this.#hears.changed();
      // The player may come back.
      return 5_000;
    }
    this.end = null;
    if (isRefused) {
      // The undo meant for it would take back what was entered before.
      this.#keep(this.#kept().filter((one) => one.takes !== id));
      this.#note(id, { refusal: said.error.message || said.error.kind });
    } else {
      this.#gone.add(id);
      this.#keep(this.#kept());
      this.#hears.entered(item, said.reply);
    }
    return 0;
  }

  /** What is kept now, by whichever page of the player. */
  #kept() {
    let { items } = this;
    try {
      const kept = JSON.parse(localStorage.getItem(this.#place));
      const others = (kept ?? []).filter((one) => !items.some((item) => item.id === one.id));
      if (kept) items = this.#isUnkept ? [...items, ...others] : kept;
    } catch { /* Without storage it is kept as long as the page is open. */ }
    return items.filter((item) => !this.#gone.has(item.id));
  }

  #load() {
    this.items = this.#kept();
    this.#hears.changed();
  }

  #note(id, news) {
    this.#keep(this.#kept().map((one) => (one.id === id ? { ...one, ...news } : one)));
  }

  #keep(items) {
    this.items = items;
    try {
      localStorage.setItem(this.#place, JSON.stringify(items));
      this.#isUnkept = false;
    } catch {
      this.#isUnkept = true;
    }
    this.#hears.changed();
  }
}
