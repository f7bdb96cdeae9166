// The event streams of a browser's pages. As a SharedWorker this module keeps one stream for all
// pages that show the same path, because a browser opens only six connections to a laptop. A page
// without such workers imports it and keeps a stream of its own.

/** The silence in ms after which a stream is lost; the board sends a heartbeat every 15 s. */
const silenceTimeout = 40_000;
/** The gap in ms between two ticks of the clock that shows that the device slept. */
const sleepGap = 5_000;

const names = ["snapshot", "change", "away", "beat", "you", "links", "seats", "chart", "play", "refused"];
const silent = "The laptop that shows this does not answer. Trying again…";

/** The messages about responses that show that an address cannot be opened now, by their status. */
const problems = {
  403: "This browser was not let in. Open ScoreSync again by its icon.",
  404: "This address is no longer valid. Scan the code on the board again.",
  410: "You are not in the game that the board shows now. This page comes back when you are.",
};

class Stream {
  #url;
  #page;
  #receivers = new Set();
  #events = null;
  #timer = null;
  #heardAt = 0;
  #tickedAt = 0;
  #problem = silent;

  constructor(url, page) { [this.#url, this.#page] = [url, page]; }

  /** Adds a receiver of `(name, data)`. Everyone gets a snapshot then, as after any interruption. */
  add(receiver) {
    this.#receivers.add(receiver);
    this.#listen();
  }

  /** Removes a receiver; returns whether it was the last one, which ends the stream. */
  remove(receiver) {
    this.#receivers.delete(receiver);
    if (!this.#receivers.size) this.#close();
    return !this.#receivers.size;
  }

  #send(name, data) {
    for (const receiver of this.#receivers) receiver(name, data);
  }

  #close() {
    this.#events?.close();
    clearInterval(this.#timer);
  }

  #listen() {
    this.#close();
    this.#heardAt = this.#tickedAt = Date.now();
    this.#timer = setInterval(() => this.#tick(), 1000);
    const events = this.#events = new EventSource(this.#url);
    for (const name of names) events.addEventListener(name, ({ data }) => {
      this.#problem = silent;
      this.#heardAt = Date.now();
      this.#send(name, data);
    });
    events.addEventListener("error", () => this.#lost());
  }

  #tick() {
    const now = Date.now();
    const hasSlept = now - this.#tickedAt > sleepGap;
    this.#tickedAt = now;
    if (hasSlept) {
      this.#send("stale");
      this.#listen();
    } else if (now - this.#heardAt > silenceTimeout) this.#lost();
  }

  #lost() {
    this.#close();
    this.#send("problem", this.#problem);
    this.#timer = setTimeout(() => this.#listen(), 1000);
    // Only a response shows that the address is no longer valid; a laptop that does not answer may
    // come back.
    fetch(this.#page, { method: "HEAD" }).then((response) => {
      const problem = problems[response.status];
      if (!problem) return;
      this.#problem = problem;
      this.#send("problem", problem);
    }, () => {});
  }
}

const streams = new Map();

/** Subscribes to the stream of a URL; `page` is the URL of the page. Returns a function that ends
 * the subscription. */
export function subscribe({ url, page }, receiver) {
  if (!streams.has(url)) streams.set(url, new Stream(url, page));
  const stream = streams.get(url);
  stream.add(receiver);
  return () => {
    if (stream.remove(receiver)) streams.delete(url);
  };
}

// A page that connects sends what it subscribes to, and null when it is hidden or left.
if (globalThis.SharedWorkerGlobalScope) addEventListener("connect", ({ ports: [port] }) => {
  let end = null;
  port.onmessage = ({ data: subscription }) => {
    end?.();
    if (subscription) port.postMessage(["subscribed"]);
    end = subscription && subscribe(subscription, (name, data) => port.postMessage([name, data]));
  };
});
