// The clock for the turns of the board. It belongs to one page: no laptop and no other page knows it.
//
// A chess clock counts the time of each player, up, or down from a limit; a sand timer starts again
// with each turn. Time counts while a page is open, which keeps it when it is loaded again.

import { keep, kept } from "./kept.js";

const units = { s: 1_000, m: 60_000, h: 3_600_000 };
const maxLimit = 24 * units.h;
/** The time of a turn of a sand timer for which none is named. */
const usualTurn = units.m;

/** The limit in ms that a text such as `90s`, `10m` or `1h` names; null for none, undefined if it
 * is not a time. */
function limitOf(text) {
  if (!text) return null;
  const [, count, unit] = /^(\d{1,5})([smh])$/.exec(text) ?? [];
  const limit = count * units[unit];
  return limit > 0 && limit <= maxLimit ? limit : undefined;
}

/** The clock that a text such as `chess`, `chess:10m` or `sand:90s` describes: null for none,
 * undefined if the text is not understood. */
function clockOf(text) {
  if (!text) return null;
  const [kind, time, ...rest] = text.split(":");
  const limit = limitOf(time);
  if (!["chess", "sand"].includes(kind) || limit === undefined || rest.length) return undefined;
  return { kind, limit: limit ?? (kind === "sand" ? usualTurn : null) };
}

/** Seconds as `1:05` or `1:00:05`, with a minus after the limit. */
function timeText(seconds) {
  const all = Math.abs(seconds);
  const [hours, minutes] = [Math.floor(all / 3_600), Math.floor(all / 60) % 60];
  const two = (number) => String(number).padStart(2, "0");
  return `${seconds < 0 ? "−" : ""}${hours ? `${hours}:${two(minutes)}` : minutes}:${two(all % 60)}`;
}

export class TurnClock {
  /** The description, as in an address; empty for none. */
  text = "";
  #clock = null;
  #state = null;
  #countedAt = performance.now();
  #savedAt = 0;

  /** Takes the clock that a text describes; returns whether it is understood. */
  choose(text) {
    const clock = clockOf(text);
    if (clock === undefined) return false;
    [this.#clock, this.text] = [clock, text];
    this.#countedAt = performance.now();
    if (this.#state && !clock) this.restart();
    return true;
  }

  /** Follows a sheet. A new turn ends a pause, and before the first turn the clock waits. */
  follow({ session, turn, turnNumber = null, finished }) {
    this.count();
    if (!this.#state) this.#state = kept("clock.state");
    if (this.#state?.session !== session.id) this.#state = {
      session: session.id, turn, turnNumber, used: {}, inTurn: 0,
      isPaused: turnNumber === 1, player: null,
    };
    const state = this.#state;
    if (state.turn !== turn || state.turnNumber !== turnNumber) {
      Object.assign(state, { turn, turnNumber, inTurn: 0, isPaused: false });
    }
    state.player = finished ? null : turn;
    this.save();
  }

  get isOn() { return this.#clock !== null; }
  get isShown() { return this.isOn && (this.#state?.player ?? null) !== null; }
  get isPaused() { return this.#state?.isPaused ?? true; }
  get isWaiting() { return this.isPaused && this.#state?.turnNumber === 1 && !this.#state.inTurn; }
  get player() { return this.#state?.player ?? null; }

  /** Adds the time since the last call to the player whose turn it is. */
  count() {
    const now = performance.now();
    const time = now - this.#countedAt;
    this.#countedAt = now;
    if (!this.isShown || this.isPaused) return;
    const { used, player } = this.#state;
    used[player] = (used[player] ?? 0) + time;
    this.#state.inTurn += time;
    if (now - this.#savedAt > 1_000) this.save();
  }

  /** The time in ms that players have used together; null for players without a time. */
  #used(ids) {
    if (!this.isOn || !this.#state) return null;
    const { used, inTurn } = this.#state;
    if (this.#clock.kind === "sand") return ids.includes(this.player) ? inTurn : null;
    return ids.reduce((sum, id) => sum + (used[id] ?? 0), 0);
  }

  /** The text of what a player or side has used, or has left of the limit; null without a time. */
  textOf(ids) {
    const used = this.#used(ids);
    if (used === null) return null;
    const seconds = Math.floor(used / 1_000);
    const { limit } = this.#clock;
    return timeText(limit === null ? seconds : limit / 1_000 - seconds);
  }

  isUp(ids) {
    const limit = this.#clock?.limit ?? null;
    return limit !== null && (this.#used(ids) ?? 0) >= limit;
  }

  pause() {
    this.count();
    if (this.#state) this.#state.isPaused = !this.#state.isPaused;
    this.save();
  }

  /** Forgets all times. */
  restart() {
    if (!this.#state) return;
    Object.assign(this.#state, { used: {}, inTurn: 0 });
    this.save();
  }

  save() {
    this.#savedAt = performance.now();
    keep("clock.state", this.#state);
  }
}
