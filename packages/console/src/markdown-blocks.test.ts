import { expect, test } from "vitest";
import { measureProcessorTime } from "../../../tooling/testing/processor-time.js";
import type { Block } from "../client/parts/markdown-block.js";
import { blocksOf } from "../client/parts/markdown-blocks.js";

test("FU5 headings, paragraphs and lists need no blank line between them", () => {
  expect(blocksOf("# Title\nText\nbelow.\n- one\n- two\n## Next\nMore.")).toEqual([
    { kind: "heading", text: "Title" },
    paragraph("Text below."),
    list(undefined, ["one"], ["two"]),
    { kind: "heading", text: "Next" },
    paragraph("More."),
  ]);
});

test("FU5 lists keep their numbers, nesting, tasks and continued text", () => {
  const text =
    "3. three\n   - a\n   - b\n\n     more of b\n4. four\nlazy\n\n- [x] done\n- [ ] open\n\nAfter.";
  expect(blocksOf(text)).toEqual([
    {
      kind: "list",
      start: 3,
      items: [
        item(paragraph("three"), {
          kind: "list",
          start: undefined,
          items: [item(paragraph("a")), item(paragraph("b"), paragraph("more of b"))],
        }),
        item(paragraph("four lazy")),
      ],
    },
    {
      kind: "list",
      start: undefined,
      items: [
        { isDone: true, blocks: [paragraph("done")] },
        { isDone: false, blocks: [paragraph("open")] },
      ],
    },
    paragraph("After."),
  ]);
});

test("FU5 code keeps every character, also in a list, unterminated, and with an info string", () => {
  expect(blocksOf("```ts title=a\n# no heading\n\n```\n~~~\n``` inside\n~~~")).toEqual([
    { kind: "code", text: "# no heading\n", language: "ts" },
    { kind: "code", text: "``` inside", language: "" },
  ]);
  expect(blocksOf("- run\n  ```sh\n  ls\n    -l\n  ```\n- then")).toEqual([
    {
      kind: "list",
      start: undefined,
      items: [
        item(paragraph("run"), { kind: "code", text: "ls\n  -l", language: "sh" }),
        item(paragraph("then")),
      ],
    },
  ]);
  expect(blocksOf("```\nno end")).toEqual([{ kind: "code", text: "no end", language: "" }]);
});

test("FU5 parses quotes, rules, tables and hard line breaks; a number at the start of a line is not a list", () => {
  expect(
    blocksOf("> a\n> - b\n\n---\n| x | y |\n| - | - |\n| `a\\|b` | 2 |\nNode\n24. Done  \nnext"),
  ).toEqual([
    { kind: "quote", blocks: [paragraph("a"), list(undefined, ["b"])] },
    { kind: "rule" },
    {
      kind: "table",
      rows: [
        ["x", "y"],
        ["`a|b`", "2"],
      ],
    },
    { kind: "paragraph", lines: ["Node 24. Done", "next"] },
  ]);
});

test("FR2 hostile Markdown takes time proportional to its length", () => {
  const usedMs = measureProcessorTime();
  for (const part of ["> ", "- ", "  - \n", "1. a\n  ", "|-", "# ", "```\n", "* * ", "- a\n\n"])
    blocksOf(part.repeat(20_000));
  const gap = " ".repeat(100_000);
  const dashes = "-".repeat(100_000);
  for (const text of [`# a${gap}b`, `a|b\n${dashes}|x`, `- a\n${"  b\n".repeat(200_000)}`]) blocksOf(text);
  expect(usedMs()).toBeLessThan(5_000);
});

function paragraph(text: string): Block {
  return { kind: "paragraph", lines: [text] };
}

function item(...blocks: readonly Block[]) {
  return { isDone: undefined, blocks };
}

function list(start: number | undefined, ...items: readonly (readonly string[])[]): Block {
  return { kind: "list", start, items: items.map((texts) => item(...texts.map(paragraph))) };
}
