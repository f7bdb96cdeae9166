import { element } from "./page.js";

export const doctor = {
  title: "Check-up",
  open(main) { main.append(element("h1", {}, "Check-up")); },
};
