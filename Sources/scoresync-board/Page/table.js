import { element } from "./page.js";

export const table = {
  title: "Table",
  open(main) { main.append(element("h1", {}, "Table")); },
};
