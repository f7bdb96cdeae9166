// Telling a person that it is their turn: a sound, and a notification while the page is hidden.

const storageKey = "scoresync.tells-turn";
let sound = null;
/** The turn that was told last; undefined before the first sheet. */
let lastTurn;

export const canTell = "AudioContext" in window;
export const isTelling = () => localStorage.getItem(storageKey) === "yes";

/** Allows sounds and asks for notifications, once for this browser. */
export async function startTelling() {
  localStorage.setItem(storageKey, "yes");
  beep();
  if ("Notification" in window) await Notification.requestPermission();
}

function beep() {
  sound ??= new AudioContext();
  const [tone, volume] = [sound.createOscillator(), sound.createGain()];
  const now = sound.currentTime;
  tone.frequency.value = 660;
  volume.gain.setValueAtTime(0.2, now);
  volume.gain.exponentialRampToValueAtTime(0.001, now + 0.4);
  tone.connect(volume).connect(sound.destination);
  tone.start(now);
  tone.stop(now + 0.4);
}

/** Tells that a turn has begun; null if it is somebody else's. */
export function tellTurn(turn, title) {
  const isNew = turn !== null && lastTurn === null;
  lastTurn = turn;
  if (!isNew || !isTelling()) return;
  beep();
  if (document.hidden && "Notification" in window && Notification.permission === "granted") {
    const note = new Notification("Your turn", { body: title, icon: "icon.svg", tag: "turn" });
    note.onclick = () => {
      focus();
      note.close();
    };
  }
}

export function forgetTurn() { lastTurn = undefined; }
