import { PassThrough } from "node:stream";
import xterm from "@xterm/headless";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LiveRegion } from "./live-region.js";

const COLUMNS = 30;
const ROWS = 10;

/** What an emulated terminal shows after all that was written to it, also what scrolled away. */
async function screenAfter(write: (region: LiveRegion) => void): Promise<readonly string[]> {
  const terminal = new xterm.Terminal({
    cols: COLUMNS,
    rows: ROWS,
    scrollback: 1000,
    allowProposedApi: true,
  });
  const stream = Object.assign(new PassThrough(), { isTTY: true, rows: ROWS });
  const bytes: Buffer[] = [];
  stream.on("data", (chunk) => bytes.push(chunk));
  write(new LiveRegion(stream));
  // A terminal device turns a line feed into both.
  const text = Buffer.concat(bytes)
    .toString("utf8")
    .replace(/(?<!\r)\n/g, "\r\n");
  await new Promise<void>((resolve) => terminal.write(text, resolve));
  const { active } = terminal.buffer;
  const lines = Array.from(
    { length: active.length },
    (_, row) => active.getLine(row)?.translateToString(true) ?? "",
  );
  while (lines.at(-1) === "") lines.pop();
  return lines;
}

describe("the rows that are drawn anew", () => {
  it("leave nothing behind: what was printed stands above, whole and in order", async () => {
    const step = fc.oneof(
      fc.record({ print: fc.constantFrom("one", "two", "x".repeat(COLUMNS - 1)) }),
      fc.record({
        draw: fc.array(fc.constantFrom("row", "日本語".repeat(9), "y".repeat(90)), { maxLength: 14 }),
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const printed = steps.flatMap((one) => ("print" in one ? [one.print] : []));
        const shown = await screenAfter((region) => {
          for (const one of steps) {
            if ("print" in one) region.print(`${one.print}\n`);
            else region.set(one.draw);
          }
          region.set([]);
        });
        expect(shown).toEqual(printed);
      }),
      { numRuns: 60 },
    );
  });

  it("are cut to the screen, with a count of what is not shown", async () => {
    const shown = await screenAfter((region) =>
      region.set(Array.from({ length: 20 }, (_, row) => `row ${row}`)),
    );
    expect(shown).toHaveLength(ROWS - 2);
    expect(shown.at(-1)).toBe("  … and 13 more lines");
  });
});
