import { element } from "./page.js";

export const settings = {
  title: "Settings",
  open(main) { main.append(element("h1", {}, "Settings")); },
};
