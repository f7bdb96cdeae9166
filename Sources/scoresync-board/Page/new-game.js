import { element } from "./page.js";

export const newGame = {
  title: "New game",
  open(main) { main.append(element("h1", {}, "New game")); },
};
