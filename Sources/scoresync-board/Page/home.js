import { element } from "./page.js";

export const home = {
  title: "Home",
  open(main) { main.append(element("h1", {}, "Home")); },
};
