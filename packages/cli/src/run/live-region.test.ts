import { PassThrough } from "node:stream";
import xterm from "@xterm/headless";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LiveRegion } from "./live-region.js";

const COLUMNS = 30;
const ROWS = 10;

interface Drawing {
  readonly region: LiveRegion;
  /** Resizes the terminal, which rewraps its rows. */
  resize(columns: number): Promise<void>;
}

/** Returns everything that an emulated terminal shows, including scrolled-off rows. */
async function screenAfter(write: (drawing: Drawing) => Promise<void> | void): Promise<readonly string[]> {
  const terminal = new xterm.Terminal({
    cols: COLUMNS,
    rows: ROWS,
    scrollback: 1000,
    allowProposedApi: true,
  });
  const stream = Object.assign(new PassThrough(), { isTTY: true, rows: ROWS, columns: COLUMNS });
  const flush = () => {
    // A terminal device converts a line feed to both characters.
    const text = String(stream.read() ?? "").replace(/(?<!\r)\n/g, "\r\n");
    return new Promise<void>((resolve) => terminal.write(text, resolve));
  };
  const resize = async (columns: number) => {
    await flush();
    terminal.resize(columns, ROWS);
    stream.columns = columns;
  };
  await write({ region: new LiveRegion(stream), resize });
  await flush();
  return linesOf(terminal);
}

/** Returns the lines as written, without wrapping. */
function linesOf({ buffer: { active } }: InstanceType<typeof xterm.Terminal>): readonly string[] {
  const lines: string[] = [];
  for (let row = 0; row < active.length; row += 1) {
    const line = active.getLine(row);
    const text = line?.translateToString(true) ?? "";
    if (line?.isWrapped === true) lines.push(`${lines.pop() ?? ""}${text}`);
    else lines.push(text);
  }
  while (lines.at(-1) === "") lines.pop();
  return lines;
}

describe("redrawn rows", () => {
  it("leave no remains: printed output stays above, complete and in order", async () => {
    const step = fc.oneof(
      fc.record({ print: fc.constantFrom("one", "two", "x".repeat(COLUMNS - 1)) }),
      fc.record({
        draw: fc.array(fc.constantFrom("row", "日本語".repeat(9), "y".repeat(90)), { maxLength: 14 }),
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const printed = steps.flatMap((one) => ("print" in one ? [one.print] : []));
        const shown = await screenAfter(({ region }) => {
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

  it("FU5 leave no remains when the terminal changes its width", async () => {
    const step = fc.oneof(
      fc.record({ print: fc.constantFrom("one", "two", "x".repeat(19)) }),
      fc.record({
        draw: fc.array(fc.constantFrom("row", "日本語".repeat(4), "y".repeat(28)), { maxLength: 2 }),
      }),
      fc.record({ columns: fc.integer({ min: 20, max: 60 }) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const printed = steps.flatMap((one) => ("print" in one ? [one.print] : []));
        const shown = await screenAfter(async ({ region, resize }) => {
          for (const one of steps) {
            if ("print" in one) region.print(`${one.print}\n`);
            else if ("draw" in one) region.set([...one.draw, "›"]);
            else await resize(one.columns);
          }
          region.set([]);
        });
        expect(shown).toEqual(printed);
      }),
      { numRuns: 200 },
    );
  });

  it("are cut to the screen, with a count of the hidden rows", async () => {
    const shown = await screenAfter(({ region }) =>
      region.set(Array.from({ length: 20 }, (_, row) => `row ${row}`)),
    );
    expect(shown).toHaveLength(ROWS - 2);
    expect(shown.at(-1)).toBe("  … and 13 more lines");
  });
});
