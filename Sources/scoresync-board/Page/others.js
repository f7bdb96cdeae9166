// Others in: laptops by a code, phones and televisions by a picture to scan.

import { ask, button, call, dialog, during, refill, toggle, when } from "./calls.js";
import { laptopItems } from "./laptops.js";
import { showKnocks } from "./nearby.js";
import { element, person } from "./page.js";

const picture = (src, alt) => element("img", { src, alt, width: "180", height: "180", class: "code" });

function laptops(state, invite, redraw) {
  const { peers } = state.show.context;
  const open = async (close) => redraw({
    invite: await call("session.invite", { session: state.session, close }),
  });
  return element("section", {}, element("h3", {}, "Laptops with ScoreSync"),
    ...invite?.code ? [
      element("p", { class: "invite" }, invite.code.replaceAll("-", " ")),
      picture(`code/${encodeURIComponent(invite.code)}`, "The code to scan"),
      element("p", { class: "faint" },
        `They open ScoreSync and choose this game, or enter this code, until ${when(invite.expires)}.`),
      button("Close the invite", () => open(true)),
    ] : [
      element("p", {}, "Others then see this game on their own laptops, and you let each of them in."),
      button("Let laptops in", () => open(false), { class: "primary" }),
    ],
    peers.length ? element("ul", { class: "peers", "aria-label": "Laptops" }, ...laptopItems(peers))
      : element("p", { class: "faint" }, "No other laptop is in this game yet."));
}

/** What lets phones and televisions in: `change` changes the board, `renewed` shows it with new links. */
export function phones(board, { change, renewed }) {
  const address = element("select", {}, ...[["", "chosen by ScoreSync"],
    ...board.addresses.map((one) => [one.address, `${one.address} (${one.interface})`])]
    .map(([value, label]) => element("option", { value }, label)));
  address.value = board.address ?? "";
  address.addEventListener("change", () => during(address, () => change({ address: address.value })));
  return [
    toggle("Let phones in", board.shared, (shared) => change({ shared })),
    ...!board.shared ? [element("p", { class: "faint" },
      "Phones in the same Wi-Fi can then enter scores; they need no app. The connection is not "
        + "encrypted: switch it on in networks that you trust.")]
      : !board.joinURL ? [element("p", { class: "mark" },
        "This laptop is in no network that phones could use.")]
        : [
          picture(`join.svg?${encodeURIComponent(board.joinURL)}`, "The code for everyone to scan"),
          element("p", {}, "Everyone scans this code and says who they are: ",
            element("a", { href: board.joinURL, target: "_blank", rel: "noopener" }, board.joinURL)),
          toggle("New people may add themselves", board.newPlayers,
            (newPlayers) => change({ newPlayers })),
          element("details", {}, element("summary", {}, "A link for each player"),
            element("ul", { class: "links" }, ...board.links.map((link) => element("li", {},
              element("a", { href: link.address, target: "_blank", rel: "noopener" },
                picture(link.qr, ""), person(link.name)),
              element("small", { class: "faint" }, link.opened ? "open on a phone" : "not opened yet"))))),
          element("details", {}, element("summary", {}, "Television"),
            element("p", {}, "Open this address on the television: ",
              element("a", { href: board.boardURL, target: "_blank", rel: "noopener" }, board.boardURL)),
            picture(`board.svg?${encodeURIComponent(board.boardURL)}`, "The code of the board")),
          element("details", {}, element("summary", {}, "Addresses"),
            element("label", { class: "field" }, element("span", {}, "The address that is shown"), address),
            button("New links", async () => {
              const question = "Make new links? The phones and televisions that are connected now lose "
                + "their pages, and scan a code again.";
              renewed(await ask(question, "New links") ? await call("app.renew") : board);
            })),
        ],
    element("p", {}, element("a", { href: board.boardPath, target: "_blank", rel: "noopener" },
      "Open the board on this laptop")),
  ];
}

export async function othersDialog(state) {
  const box = element("div", { class: "others" });
  const knocks = element("ul", { class: "cards", role: "alert", hidden: "" });
  let [board, invite] = [await call("app.state"), null];
  const redraw = (now = {}) => {
    invite = now.invite ?? invite;
    const open = [...box.querySelectorAll("details")].map((one) => one.open);
    const { inUse } = state.show.context;
    refill(box, laptops(state, invite, redraw), element("section", {},
      element("h3", {}, "Phones and televisions"),
      ...inUse ? [
        element("p", { class: "mark" }, "They show ", person(inUse.title), ", the current game."),
        button("Show this game", () => call("session.use", { session: state.session })),
      ] : phones(board, { change, renewed: () => othersDialog(state) })));
    box.querySelectorAll("details").forEach((one, index) => { one.open = open[index] ?? false; });
  };
  async function change(params) {
    board = await call("app.change", params);
    redraw();
  }
  redraw();
  const timer = setInterval(async () => {
    const now = await call("app.state").catch(() => board);
    if (JSON.stringify(now) === JSON.stringify(board)) return;
    board = now;
    redraw();
  }, 3000);
  showKnocks(knocks, state.show.context.knocks);
  const peers = () => JSON.stringify([state.show.context.peers, state.show.context.inUse]);
  let seen = peers();
  state.onShow = () => {
    showKnocks(knocks, state.show.context.knocks);
    if (seen !== peers()) redraw();
    seen = peers();
  };
  await dialog("Others in", (finish) => [knocks, box, element("div", { class: "actions" },
    // Not the answer to a knock, which somebody could give by accident.
    button("Done", () => finish(), { class: "primary", autofocus: "" }))]);
  clearInterval(timer);
  state.onShow = null;
}
