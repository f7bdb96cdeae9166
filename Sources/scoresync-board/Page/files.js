// Sessions as files: export by download, import by choosing or dropping a file.

import { element, person } from "./page.js";
import { ask, attempt, button, call, CallError, counted, field, takeDrops, toast } from "./calls.js";

/** The bytes of a file that are read and sent at once, cut at the end of a line. */
const pieceBytes = 256 << 10;

const connectionName = () => `file-${crypto.getRandomValues(new Uint32Array(2)).join("-")}`;

/** Saves text as a file of the browser. */
function download(name, parts, type) {
  const url = URL.createObjectURL(new Blob(parts, { type }));
  const link = element("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Exports sessions, the latest first, and reports the progress from 0 to 1. */
async function exported(sessions, withKey, progress) {
  const connection = connectionName();
  const parts = [];
  for (const [index, session] of sessions.entries()) {
    const begun = await call("export.begin", { session, withKey }, { connection, confirmed: withKey });
    if (!index) parts.push(begun.header);
    for (let page = {}; !page.isLast;) {
      page = await call("export.next", {}, { connection });
      parts.push(page.text);
      progress((index + Math.min(1, page.rows / Math.max(1, begun.rows))) / sessions.length);
    }
  }
  parts.push(`{"sessions":${sessions.length},"type":"end"}\n`);
  return parts;
}

const formats = {
  scoresync: { label: "ScoreSync, to bring them back", ending: "json", type: "application/json" },
  csv: { label: "Spreadsheet (CSV)", ending: "csv", type: "text/csv" },
  bgstats: { label: "BG Stats (finished games)", ending: "jsonl", type: "application/jsonl" },
};

const choices = (pairs) => pairs.map(([value, label]) => element("option", { value }, label));

/** The export: which sessions, in which format, with or without keys. */
export function exportForm(sessions) {
  const select = element("select", { name: "session" },
    ...choices([["", "All games"], ...sessions.map(({ id, title }) => [id, title])]));
  const format = element("select", { name: "format" },
    ...choices(Object.entries(formats).map(([name, { label }]) => [name, label])));
  const keys = element("input", { type: "checkbox" });
  const withKeys = element("label", { class: "inline" }, keys,
    "With keys, so that another laptop of yours can go on playing");
  const bar = element("progress", { max: 1, value: 0, hidden: "", "aria-label": "Export" });
  format.addEventListener("change", () => { withKeys.hidden = format.value !== "scoresync"; });

  async function lossless() {
    const chosen = select.value ? [select.value] : sessions.map(({ id }) => id);
    if (keys.checked && !await ask("The file will contain the key of each game: anyone who has it "
      + "can read and change the scores. Save it?", "Save with keys")) return null;
    bar.hidden = false;
    try {
      return await exported(chosen, keys.checked, (share) => { bar.value = share; });
    } finally { bar.hidden = true; }
  }

  async function forOthers() {
    const { succeeded, output } = await call("app.export", {
      format: format.value, session: select.value || null,
    });
    // Spreadsheets recognize UTF-8 in a file by the byte order mark.
    if (succeeded && output) return format.value === "csv" ? ["\uFEFF", output] : [output];
    toast(succeeded ? "There is no finished game to save." : "The export failed.", true);
    return null;
  }

  const save = button("Save as a file", async () => {
    const parts = await (format.value === "scoresync" ? lossless() : forOthers());
    if (!parts) return;
    const title = sessions.find(({ id }) => id === select.value)?.title ?? "scores";
    const { ending, type } = formats[format.value];
    download(`${title.replace(/[^\p{L}\p{N} _-]/gu, "_")}.${ending}`, parts, type);
    toast("Saved. Your browser shows where.");
  });
  return element("div", {}, field("Games to save", select), field("Format", format), withKeys,
    element("div", { class: "actions" }, save), bar);
}

/** Sends a file to the daemon, to be checked or to be imported, and returns its sessions. */
async function send(file, dryRun, progress) {
  const connection = connectionName();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const sessions = [];
  let rest = "";
  await call("import.begin", { dryRun }, { connection });
  const add = async (text) => {
    if (text) sessions.push(...(await call("import.add", { text }, { connection })).sessions);
  };
  for (let offset = 0; offset < file.size; offset += pieceBytes) {
    const bytes = await file.slice(offset, offset + pieceBytes).arrayBuffer();
    try { rest += decoder.decode(bytes, { stream: true }); } catch {
      throw new CallError({ message: "This is not an export of ScoreSync." });
    }
    const end = rest.lastIndexOf("\n") + 1;
    await add(rest.slice(0, end));
    rest = rest.slice(end);
    progress(Math.min(1, (offset + pieceBytes) / file.size));
  }
  // An editor may have removed the last line break.
  await add(rest ? `${rest}\n` : "");
  sessions.push(...(await call("import.finish", {}, { connection })).sessions);
  return sessions;
}

const effects = {
  new: (one, isDone) => isDone ? "added" : "is new",
  changed: ({ entries }, isDone) => `${isDone ? "got" : "gets"} `
    + (entries ? counted(entries, "score") : "other changes"),
  same: () => "is here already",
};

/** A place to drop a file, or to choose one. */
export function importForm(changed) {
  const input = element("input", { type: "file", accept: ".json,application/json" });
  const output = element("div", { role: "status" });
  const bar = element("progress", { max: 1, value: 0, hidden: "", "aria-label": "Import" });
  const zone = element("div", { class: "drop" },
    element("label", { class: "field" },
      element("span", {}, "Choose an exported file, or drop it here"), input), bar, output);

  async function run(file, dryRun) {
    bar.value = 0;
    bar.hidden = false;
    try { return await send(file, dryRun, (share) => { bar.value = share; }); } finally {
      bar.hidden = true;
    }
  }
  const list = (sessions, isDone) => element("ul", {}, ...sessions.map((one) => element("li", {},
    element("b", {}, person(one.title || "A game without a title")), " ",
    effects[one.outcome]?.(one, isDone) ?? "")));

  async function check(file) {
    output.replaceChildren(`Checking ${file.name}…`);
    await attempt(async () => {
      const sessions = await run(file, true);
      const isNeeded = sessions.some(({ outcome }) => outcome !== "same");
      output.replaceChildren(
        element("p", {}, isNeeded ? `${file.name} contains:` : `Everything in ${file.name} is here:`),
        list(sessions, false),
        ...(isNeeded ? [element("div", { class: "actions" }, button("Import", async () => {
          const done = await run(file, false);
          output.replaceChildren(element("p", {}, "Imported:"), list(done, true),
            ...(done.some((one) => !one.hasKey) ? [element("p", { class: "faint" },
              "Games without a key can be used here, and sync after this laptop has joined them.")]
              : []));
          changed();
        }, { class: "primary" }), button("Cancel", () => output.replaceChildren()))] : []));
    }, (message) =>
      output.replaceChildren(element("p", { role: "alert", class: "mark" }, message)));
    input.value = "";
  }
  input.addEventListener("change", () => { if (input.files[0]) check(input.files[0]); });
  takeDrops(zone, check);
  return zone;
}
