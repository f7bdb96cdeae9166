import { element } from "./page.js";

export const results = {
  title: "Results",
  open(main) { main.append(element("h1", {}, "Results")); },
};
