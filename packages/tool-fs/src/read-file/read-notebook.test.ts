import { Pace } from "@haft/core/workspace";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { realRuntime } from "../../fixtures/real-runtime.js";
import { parseNotebook } from "./parse-notebook.js";

const code = (source: unknown, outputs: readonly object[] = []) => ({ cell_type: "code", source, outputs });
const notebook = (cells: readonly unknown[]) =>
  JSON.stringify({ nbformat: 4, metadata: { kernelspec: { language: "julia" } }, cells });

describe("read_file on notebooks", () => {
  it("S2.READ.8 D33 shows cells with their sources and short text outputs", async () => {
    const cells = [
      { cell_type: "markdown", source: ["# Title\n", "text"] },
      code("y = 2", [{ output_type: "stream", text: ["2\n"] }]),
      code("plot()", [
        { output_type: "display_data", data: { "image/png": "A".repeat(56_000), "text/plain": "<Figure>" } },
        {
          output_type: "error",
          ename: "ValueError",
          evalue: "bad",
          traceback: ["\u001b[31mline 1\u001b[0m"],
        },
      ]),
    ];
    const { succeed } = await realRuntime({ files: { "a.ipynb": notebook(cells) } });
    const { value, text } = await succeed("read_file", { path: "a.ipynb" });
    expect(value).toMatchObject({ kind: "notebook", totalCells: 3, part: "1-3" });
    expect(text).toBe(
      [
        "[1] markdown\n# Title\ntext",
        "[2] code julia\ny = 2\nOutput:\n2",
        "[3] code julia\nplot()\nOutput:\n<image/png 41 KB>\n<Figure>\nOutput:\nValueError: bad\nline 1",
      ].join("\n\n"),
    );
  });

  it("reads the requested cells and says how to continue", async () => {
    const { succeed, fail } = await realRuntime({
      files: { "a.ipynb": notebook([code("a"), code("b"), code("c")]) },
    });
    expect((await succeed("read_file", { path: "a.ipynb", cells: "2" })).text).toBe(
      '[2] code julia\nb\n(Showing cells 2 of 3. Use cells="3-" to continue.)',
    );
    expect((await fail("read_file", { path: "a.ipynb", cells: "4" })).code).toBe("INVALID_RANGE");
  });

  it("truncates long outputs and pages through a long notebook", async () => {
    const long = Array.from({ length: 100 }, (_, index) => `row ${index + 1}\n`).join("");
    const { succeed } = await realRuntime({
      files: {
        "a.ipynb": notebook([code("x", [{ output_type: "stream", text: long }])]),
        "long.ipynb": notebook(Array.from({ length: 900 }, () => code("value = compute()\n".repeat(5)))),
      },
    });
    expect((await succeed("read_file", { path: "a.ipynb" })).text).toContain("row 20\n… 80 more lines");
    const { value, text } = await succeed("read_file", { path: "long.ipynb" });
    const { nextOffset } = value as unknown as { nextOffset: number };
    expect(text).toContain(`Use offset=${nextOffset} to continue.`);
    const next = await succeed("read_file", { path: "long.ipynb", offset: nextOffset });
    expect(next.value).toMatchObject({ startLine: nextOffset });
  });

  it("a truncated notebook is shown as text, with a note", async () => {
    const cut = notebook([code("y = 2")]).slice(0, -5);
    const { succeed } = await realRuntime({ files: { "cut.ipynb": cut, "empty.ipynb": "" } });
    const { value, text } = await succeed("read_file", { path: "cut.ipynb" });
    expect(value).toMatchObject({ kind: "text", content: cut });
    expect(text).toContain("Note: cut.ipynb is not a valid notebook, so it is shown as text");
    expect((await succeed("read_file", { path: "empty.ipynb" })).text).toContain("(empty file, 0 bytes)");
  });

  it.each([
    ["nothing", "null"],
    ["cells of the wrong kind", '{"cells": {"length": 9}}'],
    ["a list", "[1, 2]"],
    ["deep nesting", `${"[".repeat(100_000)}`],
  ])("%s is not taken for a notebook", async (_name, text) => {
    expect(await parseNotebook(text, new Pace())).toBeUndefined();
  });

  it("FR6 omits a cell that is too costly to parse, and shows the others", async () => {
    const huge = `{"cell_type":"code","source":"","outputs":[${"1,".repeat(400_000)}1]}`;
    const text = `{"cells":[{"cell_type":"markdown","source":"before"},${huge},{"cell_type":"markdown","source":"after"}]}`;
    const { succeed } = await realRuntime({ files: { "huge.ipynb": text } });
    const read = await succeed("read_file", { path: "huge.ipynb" });
    expect(read.text).toMatch(/before[\s\S]*left out: it holds 400\d+ values[\s\S]*after/);
  });

  it.each(['{"cells":[01],"cells":[]}', '{"a":01,"a":1,"cells":[]}', '{"cells":01,"cells":[]}'])(
    "FR6 refuses %s, whose first member is not JSON",
    async (text) => {
      expect(cellsByParsing(text)).toBeUndefined();
      expect(await parseNotebook(text, new Pace())).toBeUndefined();
    },
  );

  it("FR6 parses cell by cell what JSON.parse would parse at once", async () => {
    const token = fc.constantFrom(
      ...[
        '{"cells":',
        '"cells":',
        '"metadata":{"kernelspec":{"language":"r"}}',
        '"a\\"b"',
        '"\\u0063ells"',
        "1e5",
      ],
      ...["null", "[", "]", "{", "}", ",", ":", " ", "\n", '"', "\\", "01", '"source":"x"'],
    );
    const broken = fc.array(token, { maxLength: 14 }).map((parts) => parts.join(""));
    const whole = fc
      .tuple(fc.array(fc.jsonValue({ maxDepth: 3 }), { maxLength: 4 }), fc.jsonValue({ maxDepth: 2 }))
      .map(([cells, metadata]) => JSON.stringify({ metadata, cells, nbformat: 4 }, undefined, 1));
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          broken,
          whole,
          broken.map((text) => `{"cells":[${text}]}`),
        ),
        async (text) => {
          expect((await parseNotebook(text, new Pace()))?.cells).toEqual(cellsByParsing(text));
        },
      ),
      { numRuns: 3_000 },
    );
  });

  it("shows malformed cells as far as possible", async () => {
    const cells = [
      null,
      7,
      { cell_type: 3, source: { a: 1 } },
      code([1, "ok"], [null as never, { data: 5 }]),
    ];
    const { succeed } = await realRuntime({
      files: { "odd.ipynb": notebook(cells), "no.ipynb": notebook([]) },
    });
    expect((await succeed("read_file", { path: "odd.ipynb" })).text).toContain("[4] code julia\nok");
    expect((await succeed("read_file", { path: "no.ipynb" })).text).toBe("(a notebook without cells)");
  });
});

function cellsByParsing(text: string): unknown {
  try {
    const { cells } = JSON.parse(text) as { cells?: unknown };
    return Array.isArray(cells) ? cells : undefined;
  } catch {
    return undefined;
  }
}
