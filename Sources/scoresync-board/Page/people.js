import { element } from "./page.js";

export const people = {
  title: "People",
  open(main) { main.append(element("h1", {}, "People")); },
};
