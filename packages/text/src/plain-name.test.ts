import { expect, it } from "vitest";
import { isPlainName } from "./plain-name.js";

it.each(["a b", "é 日本 😀", "\u202e", "\ufffd", "\xa0", ""])("%j is a plain name", (name) => {
  expect(isPlainName(name)).toBe(true);
});

it.each(["a\nb", "\0", "\x1b[2J", "\x7f", "\x9b", "\t"])("%j is not a plain name", (name) => {
  expect(isPlainName(name)).toBe(false);
});
