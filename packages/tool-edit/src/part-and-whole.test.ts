import { MemoryWorkspace } from "@haft/testing";
import { encodeText } from "@haft/text";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { editRuntime } from "./testing.fixture.js";

// A call on a part of a file has the same effect and result as on the whole, refusals included.
const RUNS = Number(process.env.HAFT_PART_RUNS ?? 400);

const line = fc.constantFrom("a", "b", "a b", "", "  a", "\ta ", "é", "日本", "😀", "x = 1;", "a\r", "“q”");
/** Long enough that most lines are outside a part. Many lines are alike; numbered ones occur once. */
const text = fc
  .tuple(
    fc.array(fc.tuple(line, fc.nat({ max: 30 })), { minLength: 1, maxLength: 8, size: "max" }),
    fc.constantFrom("\n", "\n", "\n", "\r\n", "mixed"),
    fc.boolean(),
  )
  .map(([runs, ending, isOpen]) => {
    const alike = runs.flatMap(([each, times]) => Array.from({ length: times + 1 }, () => each));
    const lines = alike.map((each, at) => (each === "x = 1;" ? `x = ${at};` : each));
    const ends = lines.map((_, at) => (ending === "mixed" ? (at % 3 === 0 ? "\r\n" : "\n") : ending));
    const whole = lines.map((each, at) => each + ends[at]).join("");
    return isOpen ? whole.slice(0, -(ends.at(-1)?.length ?? 0)) : whole;
  });
const format = fc.constantFrom(
  { encoding: "utf-8", bom: false },
  { encoding: "utf-8", bom: false },
  { encoding: "utf-8", bom: true },
  { encoding: "utf-16le", bom: true },
);
const put = fc.constantFrom("", "a", "new", "é\n😀", "a\n", "\n", "a\r\nb", "\ud83d", "x\ny\nz\n", "\ufeff");

/** Where a call searches: often a part of the text itself, sometimes one that nearly is. */
const sought = (whole: string) =>
  fc.oneof(
    fc
      .tuple(fc.nat({ max: whole.length }), fc.integer({ min: 1, max: 9 }))
      .map(([at, length]) => whole.slice(at, at + length)),
    fc.constantFrom("a", "aa", "a\na", "b\n", "\n\n", "nowhere", "\ufeff", '"q"', "\ude00", "a\r\n", " a"),
  );

const call = (whole: string) => {
  const wanted = sought(whole);
  const number = fc.nat({ max: whole.split("\n").length + 1 });
  const edit = fc.record({ old_string: wanted, new_string: put, replace_all: fc.boolean() });
  const operation = fc.record(
    {
      operation: fc.constantFrom("insert", "delete", "replace"),
      start_line: number,
      end_line: fc.integer({ min: 1, max: whole.split("\n").length + 1 }),
      content: put,
      expected: fc.constantFrom("a", "b", "a\na"),
    },
    { requiredKeys: ["operation", "start_line", "content"] },
  );
  return fc.oneof(
    edit.map((args) => ({ tool: "edit", args: { path: "f", ...args } })),
    fc
      .array(edit, { minLength: 1, maxLength: 3 })
      .map((edits) => ({ tool: "edit", args: { path: "f", edits } })),
    operation.map((args) => ({ tool: "edit_lines", args: { path: "f", ...args } })),
    fc
      .array(operation, { minLength: 1, maxLength: 3 })
      .map((edits) => ({ tool: "edit_lines", args: { path: "f", edits } })),
    fc
      .record(
        { find: wanted, replace: put, expected_count: fc.nat({ max: 3 }) },
        { requiredKeys: ["find", "replace"] },
      )
      .map((args) => ({ tool: "replace_in_file", args: { path: "f", ...args } })),
    fc
      .tuple(fc.array(hunk(whole), { minLength: 1, maxLength: 3 }), fc.boolean())
      .map(([hunks, isMarked]) => ({
        tool: "apply_patch",
        args: { patch: isMarked ? marked(hunks) : unified(hunks) },
      })),
  );
};

interface Hunk {
  readonly start: number;
  readonly old: readonly string[];
  readonly added: readonly string[];
}

function hunk(whole: string): fc.Arbitrary<Hunk> {
  const lines = whole.split("\n").map((each) => each.replace(/\r$/, ""));
  return fc
    .record({
      at: fc.nat({ max: lines.length - 1 }),
      count: fc.integer({ min: 1, max: 4 }),
      away: fc.integer({ min: -20, max: 20 }),
      isTrimmed: fc.boolean(),
      added: fc.array(fc.constantFrom("a", "new", "é"), { maxLength: 2 }),
    })
    .map(({ at, count, away, isTrimmed, added }) => {
      const old = lines.slice(at, at + count);
      return {
        start: Math.max(1, at + 1 + away),
        old: isTrimmed ? old.map((each) => each.trim()) : old,
        added,
      };
    });
}

const body = ({ old, added }: Hunk) => [...old.map((each) => `-${each}`), ...added.map((each) => `+${each}`)];

function marked(hunks: readonly Hunk[]): string {
  const lines = hunks.flatMap((each) => ["@@", ...body(each)]);
  return ["*** Begin Patch", "*** Update File: f", ...lines, "*** End Patch"].join("\n");
}

function unified(hunks: readonly Hunk[]): string {
  const lines = hunks.flatMap((each) => [
    `@@ -${each.start},${each.old.length} +${each.start},${each.added.length} @@`,
    ...body(each),
  ]);
  return ["--- a/f", "+++ b/f", ...lines, ""].join("\n");
}

async function outcome(bytes: Uint8Array, { tool, args }: { tool: string; args: object }, isParted: boolean) {
  const store = new MemoryWorkspace({ f: bytes });
  const { runtime } = editRuntime({}, { workspace: store });
  let parts = 0;
  const textPart = store.textPart.bind(store);
  Object.defineProperty(store, "textPart", {
    value: !isParted
      ? undefined
      : async (...given: Parameters<typeof textPart>) => {
          const part = await textPart(...given);
          if (part !== undefined && part.text.length < bytes.length / 2) parts += 1;
          return part;
        },
  });
  const { callId: _own, durationMs: _time, ...seen } = await runtime.call(tool, args);
  return { parts, seen: { ...seen, after: [...(await store.readBytes("f"))] } };
}

describe("P5 editing a part of a file equals editing the whole", () => {
  it(`in ${RUNS} random calls, with any result or error`, async () => {
    let parted = 0;
    const given = fc
      .tuple(text, format)
      .chain(([whole, as]) => fc.record({ bytes: fc.constant(encodeText(whole, as)), asked: call(whole) }));
    await fc.assert(
      fc.asyncProperty(given, async ({ bytes, asked }) => {
        const part = await outcome(bytes, asked, true);
        const whole = await outcome(bytes, asked, false);
        parted += part.seen.ok && part.parts > 0 ? 1 : 0;
        expect(part.seen).toEqual(whole.seen);
      }),
      { numRuns: RUNS },
    );
    expect(parted).toBeGreaterThan(RUNS / 100);
  });
});
