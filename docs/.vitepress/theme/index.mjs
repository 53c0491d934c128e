import DefaultTheme from "vitepress/theme-without-fonts";
import { h } from "vue";
import "./style.css";

/** Shows the diff of an approval beside the name on the start page. */
const QUESTION = [
  ["command", '$ haft run "fix the failing test"'],
  ["title", "edit needs approval to modify src/discount.js"],
  ["", "risk medium, role coder, 1 file, +1 −1 lines"],
  ["removed", "│ -  return isMember ? sum - sum / 10 : 0;"],
  ["added", "│ +  return isMember ? sum / 10 : 0;"],
  ["title", "Approve? y = yes · n = no · v = view · e = edit"],
  ["command", "> y"],
  ["", "✓ edit src/discount.js"],
  ["command", "$ haft undo"],
  ["", "modify src/discount.js"],
];

const lines = () => QUESTION.flatMap(([kind, text]) => [h("span", { class: kind || undefined }, text), "\n"]);

export default {
  extends: DefaultTheme,
  Layout: () =>
    h(DefaultTheme.Layout, undefined, {
      "home-hero-image": () => h("pre", { class: "question", tabindex: "0" }, lines()),
    }),
};
