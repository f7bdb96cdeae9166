// The settings of this laptop, its files, and what else the app can do.

import { element, person } from "./page.js";
import {
  ask, attempt, button, call, CallError, callConfirmed, field, form, refill, section, toast, toggle, when,
} from "./calls.js";
import { exportForm, importForm } from "./files.js";
import { presence } from "./laptops.js";
import { phones } from "./others.js";

const card = (title, ...children) => section(title, children, { class: "card" });
const note = (text) => element("p", { class: "faint" }, text);

const bytes = (count) => `${(count / 1e6).toFixed(1)} MB`;

/** A list, or a text if it is empty. */
const listed = (items, empty) => items.length
  ? element("ul", { class: "rows" }, ...items) : note(empty);

// MARK: Sections

function laptop({ daemon }) {
  return card("This laptop",
    form([
      field("Name, which other laptops show",
        element("input", { name: "name", value: daemon.name, required: "" })),
      element("button", {}, "Rename"),
    ], async ({ name }) => {
      const reply = await call("daemon.rename", { name: name.trim() });
      toast(`This laptop is now ${reply.name}.`);
    }, { class: "line-form" }),
    toggle("Offline", daemon.offline, (offline) => call("daemon.offline", { offline })),
    note("Scores are kept, and sent to the other laptops when you are online again."));
}

function phonePart(board) {
  const box = element("div", {});
  const renewed = (now) => refill(box, ...phones(now, { change, renewed }));
  async function change(changes) { renewed(await call("app.change", changes)); }
  renewed(board);
  return card("Phones and televisions", box);
}

function ownGames(games, reload) {
  return card("Games of your own", listed(games.map((game) => element("li", {},
    element("span", {}, person(game.name)),
    button("Remove", async () => {
      if (await callConfirmed("game.remove", { game: game.id }, "Remove")) await reload();
    }, { class: "plain", "aria-label": `Remove ${game.name}` }))),
  "None. New game shows how to add one."));
}

function otherLaptops(peers, session, reload) {
  const seen = ({ online, synced, lastSeen }) => (online || synced ? ""
    : lastSeen ? `, last seen ${when(lastSeen)}` : ", not reached yet");
  return card("Other laptops",
    note("Laptops in the same network find each other. If they do not, enter the address of one."),
    listed(peers.map((peer) => element("li", {},
      element("span", {}, person(peer.name), element("small", { class: "faint" },
        ` ${peer.address && peer.address !== peer.name ? `${peer.address} · ` : ""}`
          + presence(peer) + seen(peer))),
      peer.online ? null : button("Remove", async () => {
        await call("peer.remove", { session, address: peer.device ?? peer.address });
        await reload();
      }, { class: "plain", "aria-label": `Remove ${peer.name}` }))), "None yet."),
    form([
      field("Address", element("input", {
        name: "address", required: "", placeholder: "192.168.0.7", autocomplete: "off",
      })),
      element("button", {}, "Add"),
    ], async ({ address }) => {
      await call("peer.add", { session, address: address.trim() });
      await reload();
    }, { class: "line-form", "aria-label": "Add an address" }));
}

function knownLaptops(laptops, reload) {
  return card("Laptops that played here",
    note("They join by your yes alone, without symbols to compare."),
    listed(laptops.map(({ device, name, lastPlayed }) => element("li", {},
      element("span", {}, person(name),
        element("small", { class: "faint" }, ` joined ${when(lastPlayed)}`)),
      button("Forget", async () => {
        await call("peer.forget", { names: [device] });
        await reload();
      }, { class: "plain", "aria-label": `Forget ${name}` }))), "None yet."));
}

/** A proposal for a backup: in the directory of the user, if the usual home is used. */
function proposal(directory) {
  const [user, rest] = directory.split("/.local/");
  const day = new Date().toISOString().slice(0, 10);
  return rest === undefined ? "" : `${user}/scoresync-${day}.db`;
}

function backups({ directory, copies }, reload) {
  async function restore(file) {
    if (!await ask("Replace all games, people and results of this laptop by those of the backup? "
      + "The present ones are kept in a file beside them.", "Restore")) return;
    const { succeeded, output } = await call("app.restore", { file });
    const [text] = output.trim().split("\n");
    toast(succeeded ? "Restored." : text.replace(/^scorectl: /, ""), !succeeded);
    if (succeeded) await reload();
  }
  const path = (label, name, value) => field(label, element("input", {
    name, value, required: "", placeholder: "/media/stick/scores.db", autocomplete: "off",
    spellcheck: "false",
  }));
  return card("Backups",
    note("A backup contains everything, with the keys of all games: keep it safe."),
    form([path("Write a backup to", "file", proposal(directory)),
      element("button", {}, "Back up")], async ({ file }) => {
      let replace;
      if (!file.startsWith("/")) {
        throw new CallError({ message: "Enter the whole path, which begins with /." });
      }
      try { await write(); } catch (error) {
        if (error.kind !== "refused" || !await ask(`${error.message}. Replace the file?`, "Replace")) {
          throw error;
        }
        replace = true;
        await write();
      }
      async function write() {
        const { copy } = await call("backup.make", { file, replace });
        toast(`Wrote ${copy.file}: ${copy.sessions} games, ${bytes(copy.bytes)}.`);
      }
    }, { class: "line-form" }),
    element("h3", {}, "Automatic backups"),
    listed(copies.map((copy) => element("li", {},
      element("span", {}, when(copy.madeAt), element("small", { class: "faint" },
        ` ${bytes(copy.bytes)}, ${copy.reason === "weekly" ? "weekly" : "before an update"}`)),
      button("Restore…", () => restore(copy.file),
        { class: "plain", "aria-label": `Restore the backup of ${when(copy.madeAt)}` }))),
    "The first one is made ten minutes after the start."),
    form([path("Restore another backup", "file", ""), element("button", {}, "Restore…")],
      ({ file }) => restore(file), { class: "line-form" }));
}

function about(version, main) {
  return card("This app",
    element("p", {}, `ScoreSync ${version}`),
    element("div", { class: "actions" },
      element("a", { class: "button", href: "#doctor" }, "Check-up"),
      button("Quit the app…", async () => {
        if (!await ask("Quit the app? Phones and televisions lose their pages. Scores are kept, and "
          + "this laptop stays in sync.", "Quit")) return;
        await call("app.quit");
        main.replaceChildren(element("h1", {}, "The app has ended"),
          element("p", {}, "You can close this page. To open ScoreSync again, use its icon in the "
            + "menu of programs, or type scorectl app."));
        document.getElementById("nav").replaceChildren();
        main.focus();
      }, { class: "danger" })));
}

// MARK: The screen

export const settings = {
  title: "Settings",
  open(main) {
    let isOpen = true;

    async function load() {
      const [state, status, { games }, { sessions }, kept, { laptops }] = await Promise.all([
        call("app.state"), ...["status", "game.list", "session.list", "backup.list", "peer.known"]
          .map((method) => call(method))]);
      const current = sessions.find((one) => one.current);
      const { peers } = current ? await call("peer.list", { session: current.id }) : { peers: [] };
      if (!isOpen) return;
      main.replaceChildren(element("h1", {}, "Settings"), element("div", { class: "columns" },
        laptop(status), phonePart(state),
        card("Save and bring games", ...(sessions.length ? [exportForm(sessions)] : []),
          importForm(() => {})),
        backups(kept, load),
        ...(current ? [otherLaptops(peers, current.id, load)] : []),
        knownLaptops(laptops, load),
        ownGames(games.filter(({ own }) => own), load),
        about(state.version, main)));
    }
    main.append(element("h1", {}, "Settings"));
    attempt(load, (message) => isOpen && main.append(
      element("p", { role: "alert", class: "mark" }, message),
      element("div", { class: "actions" },
        element("a", { class: "button primary", href: "#doctor" }, "Check-up"))));
    return () => { isOpen = false; };
  },
};
