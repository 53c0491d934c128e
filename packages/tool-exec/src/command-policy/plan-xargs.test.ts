import { describe, expect, it } from "vitest";
import { createCommandPolicy } from "./command-policy.js";
import { lexicalPathCheck } from "./lexical-path-check.js";
import { planXargs } from "./plan-xargs.js";

const policy = createCommandPolicy({ checkPath: lexicalPathCheck("/work/ws") });

describe("planXargs", () => {
  it.each([
    ["xargs", "a b\n'c d' e\\ f", [["echo", "a", "b", "c d", "e f"]]],
    [
      "xargs -n 2 wc -l",
      "a b c",
      [
        ["wc", "-l", "a", "b"],
        ["wc", "-l", "c"],
      ],
    ],
    [
      "xargs -n1 basename",
      "x/a\ny/b\n",
      [
        ["basename", "x/a"],
        ["basename", "y/b"],
      ],
    ],
    ["xargs -0 head", "a b\0c\n\0", [["head", "a b", "c\n"]]],
    [
      "xargs -L 1 echo",
      "a b\n\nc\n",
      [
        ["echo", "a", "b"],
        ["echo", "c"],
      ],
    ],
    ["xargs -r wc", "", []],
    ["xargs wc", "", [["wc"]]],
  ])("%s gets its arguments from %j", (text, input, expected) => {
    expect(batches(text, input).map(({ argv }) => argv)).toEqual(expected);
  });

  it.each([".env", "../x", "/etc/passwd", "src/a.ts .env", '".env"', "-f .env", "--file=.env"])(
    "%s from a pipe is refused like any argument",
    (input) => {
      expect(batches("xargs grep x", input).map(({ decision }) => decision.verdict)).toEqual(["deny"]);
    },
  );
});

function batches(text: string, input: string) {
  return planXargs(text.split(" "), { text: input, policy, cwd: "." });
}
