// What a page keeps in its browser; without storage, until the page is closed.

const memory = new Map();

export function kept(name) {
  try { return JSON.parse(localStorage.getItem(`scoresync.${name}`)) ?? memory.get(name) ?? null; } catch {
    return memory.get(name) ?? null;
  }
}

export function keep(name, value) {
  memory.set(name, value);
  try { localStorage.setItem(`scoresync.${name}`, JSON.stringify(value)); } catch {}
}
