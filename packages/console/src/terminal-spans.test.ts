import { describe, expect, test } from "vitest";
import { spansOf } from "../client/parts/terminal-spans.js";

const ESC = "\u001b";
const looks = (text: string) =>
  spansOf(text).map(({ style: { flags, ink, paper }, text: part }) => [
    part,
    ink,
    paper,
    [...flags].join(" "),
  ]);

describe("S4 console: terminal output keeps its colours", () => {
  test.each([
    ["16 colours", `${ESC}[31mred${ESC}[0m`, [["red", "var(--term-1)", undefined, ""]]],
    ["bright colours", `${ESC}[92;104mx`, [["x", "var(--term-10)", "var(--term-12)", ""]]],
    ["256 colours", `${ESC}[38;5;208mx`, [["x", "rgb(255 135 0)", undefined, ""]]],
    ["256 colours: named", `${ESC}[38;5;9mx`, [["x", "var(--term-9)", undefined, ""]]],
    ["256 colours: grey", `${ESC}[48;5;240mx`, [["x", undefined, "rgb(88 88 88)", ""]]],
    ["truecolor", `${ESC}[38;2;255;100;0;48;2;1;2;3mx`, [["x", "rgb(255 100 0)", "rgb(1 2 3)", ""]]],
    ["truecolor with colons", `${ESC}[38:2:9:8:7mx`, [["x", "rgb(9 8 7)", undefined, ""]]],
    [
      "styles",
      `${ESC}[1;3;4mx${ESC}[22;24my`,
      [
        ["x", undefined, undefined, "bold italic underline"],
        ["y", undefined, undefined, "italic"],
      ],
    ],
    [
      "default colours",
      `${ESC}[31;41mx${ESC}[39;49my`,
      [
        ["x", "var(--term-1)", "var(--term-1)", ""],
        ["y", undefined, undefined, ""],
      ],
    ],
    ["a progress bar", "10%\r50%\r100%\ndone\r\n", [["100%\ndone\n", undefined, undefined, ""]]],
    ["other sequences", `${ESC}]0;title\u0007${ESC}[2J${ESC}[?25lx`, [["x", undefined, undefined, ""]]],
  ])("%s", (_, text, expected) => expect(looks(text)).toEqual(expected));

  test.each([
    `${ESC}[38;2;1);background:url(//evil.example)mx`,
    `${ESC}[38;5;999mx`,
    `${ESC}[38;5mx`,
    `${ESC}[38;2;1e9;-5;300mx`,
    `${ESC}[38mx`,
    `${ESC}[999mx`,
  ])("malformed codes cannot become anything but a colour: %j", (text) => {
    for (const { style } of spansOf(text))
      expect([style.ink, style.paper].filter(Boolean).join()).toMatch(
        /^(rgb\(\d+ \d+ \d+\)|var\(--term-\d+\)|inherit|,)*$/,
      );
  });
});
