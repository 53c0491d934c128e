import { stripVTControlCharacters } from "node:util";
import fc from "fast-check";
import pico from "picocolors";
import { describe, expect, it } from "vitest";
import { MarkdownView } from "./markdown-view.js";

/** Streams a line in pieces, and returns the printed rows. */
function streamed(
  pieces: readonly string[],
  columns: number,
  before: readonly string[] = [],
): readonly string[] {
  const view = new MarkdownView(pico.createColors(true));
  const rows = before.flatMap((line) => view.line(line, columns));
  let text = "";
  for (const piece of pieces) {
    text += piece;
    const settled = view.settle(text, columns);
    rows.push(...(settled?.rows ?? []));
    text = settled?.rest ?? text;
  }
  return [...rows, ...view.line(text, columns), ...view.end(columns)];
}

const word = fc.constantFrom(
  "one",
  "some",
  "words",
  "**strong**",
  "`a b c`",
  "**",
  "`",
  "漢字漢字",
  "-",
  "x".repeat(50),
  "#",
  "  ",
  "*some emphasis*",
  "***",
  "*",
  "_under_",
  "__init__",
  "~~gone~~",
  "~~",
  "[a link](https://a.example/b_c)",
  "[",
  "](",
  ")",
  "<https://a.example>",
  "<br>",
  "&lt;",
  "&",
  "<",
  "!",
  "\\*",
  "src/*.ts",
  "**强调**文字。",
);
const start = fc.constantFrom(
  "",
  "| ",
  "- ",
  "12. ",
  "> ",
  "## ",
  "  * ",
  "```",
  "> - ",
  "- [ ] ",
  "\t",
  "---",
);

const TABLE = [
  "| file | what | lines |",
  "|:--|---|--:|",
  "| `src/total.js` | **fixed** the sign | 1 |",
  "| 漢字.md | a \\| b | 12 |",
];

describe("FU5 Markdown without colours", () => {
  it("FA12 a quote 20,000 levels deep is rendered with 16 levels, and the rest as text", () => {
    const view = new MarkdownView(pico.createColors(false));
    const rows = view.line(`${"> ".repeat(20_000)}end`, 80);
    expect(rows[0]).toMatch(/^(?:│ ){16}(?:> ?)+$/);
    expect(rows.at(-1)).toMatch(/^(?:│ ){16}.*end$/);
    expect(rows.every((row) => row.length <= 80)).toBe(true);
  });

  it("code keeps its marks", () => {
    const view = new MarkdownView(pico.createColors(false));
    expect(view.line("Call `add` **twice**.", 40)).toEqual(["Call `add` twice."]);
  });
});

describe("FU5 Markdown marks", () => {
  const shown = (text: string, columns = 80) => {
    const view = new MarkdownView(pico.createColors(true));
    const rows = text.split("\n").flatMap((line) => view.line(line, columns));
    return [...rows, ...view.end(columns)].map((row) => stripVTControlCharacters(row));
  };

  it.each([
    ["emphasis", "*one* **two words** ***three*** _four_ ~~five~~", "one two words three four five"],
    ["nested emphasis", "**a *b* `c` d** and *a **b***", "a b c d and a b"],
    [
      "emphasis without spaces around",
      "中文**强调**文字，*是*。 **Note:**text",
      "中文强调文字，是。 Note:text",
    ],
    ["code with backticks and marks", "``a ` b`` `*c*` `` `d` ``", "a ` b *c* `d`"],
    [
      "links",
      "[a](https://b.example/c_d) [e.ts](e.ts) <https://f.example>",
      "a (https://b.example/c_d) e.ts https://f.example",
    ],
    ["links to addresses with parentheses", "[a](/b_(c)) ![d](e.png)", "a (/b_(c)) d (e.png)"],
    ["entities", "&lt;T&gt; &amp;&amp; &quot;a&quot; &amp;lt; `&lt;`", '<T> && "a" &lt; &lt;'],
    ["escapes", "\\*a\\* \\`b\\` c\\d", "*a* `b` c\\d"],
  ])("%s are shown without their marks", (_what, text, expected) => {
    expect(shown(text)).toEqual([expected]);
  });

  it.each([
    "src/*.ts and test/*.ts",
    "**/*.ts, *.md, *.js",
    "2*3*4 and 2 * 3 * 4 and 2**3**4",
    "f(*args, **kwargs) and g(*args)",
    "__init__.py, snake_case_name, _a_b",
    "int *p, *q; /* comment */ a & b",
    "a && b &c &copy; &; R&D",
    "[1] and [ ] and a [b] (c)",
    "**open and *open and `open and ~~open",
    "a < b and c > d, ~/src and ~5",
    "C:\\Users\\name",
  ])("text that only looks like marks stays as it is: %s", (text) => {
    expect(shown(text)).toEqual([text]);
  });

  it("are rendered in their styles", () => {
    const { bold, italic, strikethrough, underline, dim, cyan } = pico.createColors(true);
    const view = new MarkdownView(pico.createColors(true));
    expect(view.line("*a* **b** ~~c~~ `d` [e](f)", 80)).toEqual([
      `${italic("a")} ${bold("b")} ${strikethrough("c")} ${cyan("d")} ${underline("e")}${dim(" ")}${dim("(f)")}`,
    ]);
    expect(view.line("## The `a` **b**", 80)).toEqual([
      [bold("The"), bold(cyan("a")), bold(bold("b"))].join(bold(" ")),
    ]);
  });

  it("keep the punctuation after a word on the same row", () => {
    expect(shown("aaaa bbbb **cccc**, dddd", 14)).toEqual(["aaaa bbbb", "cccc, dddd"]);
  });

  it("wrap between ideographs, but not before punctuation", () => {
    expect(shown("中文文字，中文文字。中文", 10)).toEqual(["中文文字，", "中文文字。", "中文"]);
    expect(shown("中文文字（中文）文字", 10)).toEqual(["中文文字", "（中文）文", "字"]);
  });
});

describe("FU5 Markdown blocks", () => {
  const shown = (columns: number, ...lines: readonly string[]) => {
    const view = new MarkdownView(pico.createColors(true));
    const rows = [...lines.flatMap((line) => view.line(line, columns)), ...view.end(columns)];
    return rows.map((row) => stripVTControlCharacters(row));
  };

  it("nested lists keep their indentation when they wrap", () => {
    expect(
      shown(20, "- one two three four", "  and *more of* the item", "  1. nested words that wrap", "\t- tab"),
    ).toEqual([
      "• one two three four",
      "  and more of the",
      "  item",
      "  1. nested words",
      "     that wrap",
      "    • tab",
    ]);
  });

  it("deep indentation leaves half of a narrow terminal for the text", () => {
    expect(shown(20, `${" ".repeat(30)}- one two three`)).toEqual(["        • one two", "          three"]);
  });

  it("tasks show their boxes", () => {
    expect(shown(20, "- [ ] one **two** three", "- [x] four")).toEqual(["[ ] one two three", "[x] four"]);
  });

  it("quotes may contain lists and emphasis", () => {
    expect(shown(20, "> **Note** on it", "> - one two three four five")).toEqual([
      "│ Note on it",
      "│ • one two three",
      "│   four five",
    ]);
  });

  it("rules are lines", () => {
    expect(shown(20, "---")).toEqual(["─".repeat(20)]);
    expect(shown(120, "* * *")).toEqual(["─".repeat(40)]);
  });

  it("code continues until its own fence, whatever follows the language", () => {
    expect(shown(40, '```ts title="a.ts"', "*a* **b**", "```js", "~~~", "```", "*c*")).toEqual([
      '```ts title="a.ts"',
      "*a* **b**",
      "```js",
      "~~~",
      "```",
      "c",
    ]);
    expect(shown(40, "  ````", "```", "  ````", "*c*").at(-1)).toBe("c");
  });

  it("table cells may hold several lines", () => {
    expect(shown(40, "| a | b |", "|---|---|", "| c<br>d | *e* |")).toEqual(["a  b", "─  ─", "c  e", "d"]);
  });
});

describe("FU5 Markdown tables", () => {
  const table = (columns: number, lines: readonly string[] = TABLE) => {
    const view = new MarkdownView(pico.createColors(true));
    const rows = [...lines.flatMap((line) => view.line(line, columns)), ...view.end(columns)];
    return rows.map((row) => stripVTControlCharacters(row));
  };

  it("have aligned columns", () => {
    expect(table(80)).toEqual([
      "file          what            lines",
      "────────────  ──────────────  ─────",
      "src/total.js  fixed the sign      1",
      "漢字.md       a | b              12",
    ]);
  });

  it("wrap cells that are too wide", () => {
    expect(table(28)).toEqual([
      "file       what        lines",
      "─────────  ──────────  ─────",
      "src/total  fixed the       1",
      ".js        sign",
      "",
      "漢字.md    a | b          12",
    ]);
    expect(table(28).filter((row) => row.length > 28)).toEqual([]);
  });

  it("become lists on a very narrow terminal", () => {
    expect(table(19).slice(0, 5)).toEqual([
      "file: src/total.js",
      "what: fixed the",
      "  sign",
      "lines: 1",
      "",
    ]);
  });

  it("need the delimiter row, and end with the text", () => {
    expect(table(40, ["| a | b |", "text"])).toEqual(["| a | b |", "text"]);
    expect(table(40, ["| a |"])).toEqual(["| a |"]);
    expect(table(40, [...TABLE, "", "after"]).slice(-2)).toEqual(["", "after"]);
    expect(table(40, ["```", "| a |", "|---|", "```"])).toEqual(["```", "| a |", "|---|", "```"]);
  });
});

describe("FU5 streamed Markdown", () => {
  it("renders the same in pieces as at once", () => {
    const line = fc
      .tuple(start, fc.array(word, { maxLength: 60 }))
      .map(([first, words]) => first + words.join(" "));
    const cuts = fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 40 });
    fc.assert(
      fc.property(
        line,
        cuts,
        fc.integer({ min: 20, max: 60 }),
        fc.boolean(),
        (text, lengths, columns, isCode) => {
          const pieces: string[] = [];
          let at = 0;
          for (const length of lengths) {
            pieces.push(text.slice(at, at + length));
            at += length;
          }
          const before = isCode ? ["```js"] : [];
          const shown = streamed([...pieces, text.slice(at)], columns, before);
          expect(shown.map(withoutEnd)).toEqual(whole(text, columns, before).map(withoutEnd));
        },
      ),
      { numRuns: 500 },
    );
  });

  it("prints all but the last rows of a long paragraph at once", () => {
    const view = new MarkdownView(pico.createColors(false));
    const text = Array.from({ length: 40 }, (_, index) => `word${index}`).join(" ");
    const { rows = [], rest = "" } = view.settle(`- ${text}`, 30) ?? {};
    expect(rows[0]).toBe("• word0 word1 word2 word3");
    expect(rows[1]).toBe("  word4 word5 word6 word7");
    expect(view.preview(rest, 30)).toHaveLength(3);
    expect(view.preview(rest, 30)[0]).toMatch(/^ {2}word/);
  });

  it("keeps a row back while a mark in it is open", () => {
    const view = new MarkdownView(pico.createColors(false));
    expect(view.settle(`**${"strong words ".repeat(20)}`, 30)).toBeUndefined();
  });
});

function whole(text: string, columns: number, before: readonly string[]): readonly string[] {
  const view = new MarkdownView(pico.createColors(true));
  return [...[...before, text].flatMap((line) => view.line(line, columns)), ...view.end(columns)];
}

/** Removes invisible spaces at the end of a row. */
function withoutEnd(row: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control sequences.
  return row.replace(/\s+((?:\u001b\[\d+m)*)$/, "$1");
}
