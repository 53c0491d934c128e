import { expect, it } from "vitest";
import { parseCommand } from "./parse-command.js";
import { walkDirectories } from "./walk-directories.js";

it.each([
  ["ls", [["."]]],
  ["cd a && ls", [["."], ["a"]]],
  ["cd a; ls", [["."], [".", "a"]]],
  ["cd a && cd b && ls", [["."], ["a"], ["a/b"]]],
  ["cd a && ls; ls", [["."], ["a"], [".", "a"]]],
  ["cd a || ls", [["."], [".", "a"]]],
  ["true || cd a && ls", [["."], ["."], [".", "a"]]],
  ["! cd a && ls", [["."], [".", "a"]]],
  ["cd /x && ls", [["."], ["/x"]]],
  ["cd a | cat; ls", [["."], ["."]]],
])("%s runs in %j", (text, expected) => {
  const parsed = parseCommand(text);
  expect(parsed.kind === "plan" && walkDirectories(parsed.plan.steps, ".")).toEqual(expected);
});
