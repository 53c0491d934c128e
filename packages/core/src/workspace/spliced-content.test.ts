import { MemoryWorkspace } from "@haft/testing";
import { decodeText, lineAt, spliceText, unifiedDiff } from "@haft/text";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { describeChange, type FileChange, OverlayWorkspace } from "../workspace.js";

describe("spliceText", () => {
  it("records the same bytes and diff as writing the whole text", async () => {
    const piece = fc.constantFrom("a\n", "b", "\r\n", "\u00e9", "\ufeff", "\0", "\ud83d\ude00", "");
    const text = fc.array(piece, { maxLength: 12 }).map((all) => all.join(""));
    await fc.assert(
      fc.asyncProperty(
        text,
        text,
        fc.nat({ max: 12 }),
        fc.nat({ max: 12 }),
        async (before, put, at, count) => {
          const overlay = overlayOf(before);
          const read = await readOr(overlay);
          if (read === undefined) return;
          const start = Math.min(at, read.text.length);
          const splices = [{ start, end: Math.min(start + count, read.text.length), replacement: put }];
          const after = spliceText(read.text, splices);
          const whole = overlayOf(before);
          await whole.readTextFile("f");
          const outcome = await Promise.allSettled([
            overlay.spliceText("f", read, splices),
            whole.writeText("f", after, { format: read.format }),
          ]);
          expect(outcome[0].status).toBe(outcome[1].status);
          if (outcome[0].status === "fulfilled")
            expect(outcome[0].value.startLine).toBe(lineAt(read.text, start));
          expect(overlay.changes.map(bytesOf)).toEqual(whole.changes.map(bytesOf));
          expect(overlay.changes.map(describeChange)).toEqual(whole.changes.map(describeChange));
        },
      ),
    );
  });

  it("S4.002.a shows the written bytes for any text and splices of the caller", async () => {
    const overlay = overlayOf("one\ntwo\nthree\n");
    const read = await overlay.readTextFile("f");
    const splices = [{ start: 4, end: 7, replacement: "2" }];
    await overlay.spliceText("f", { ...read, text: "ONE\nTWO\nTHREE\n" }, splices);
    expectShownIsWritten(overlay.changes[0]);
  });

  it("S4.002.a shows the written bytes even if the caller changes the splices afterwards", async () => {
    const overlay = overlayOf("one\ntwo\nthree\n");
    const read = await overlay.readTextFile("f");
    const splice = { start: 4, end: 7, replacement: "2" };
    await overlay.spliceText("f", read, [splice]);
    splice.replacement = "harmless";
    expectShownIsWritten(overlay.changes[0]);
  });

  it("shows both of two edits in one call", async () => {
    const overlay = overlayOf("one\ntwo\nthree\n");
    await overlay.spliceText("f", await overlay.readTextFile("f"), [{ start: 0, end: 3, replacement: "1" }]);
    await overlay.spliceText("f", await overlay.readTextFile("f"), [{ start: 2, end: 5, replacement: "2" }]);
    expect(overlay.changes).toHaveLength(1);
    expectShownIsWritten(overlay.changes[0]);
  });
});

describe("spliceText of a part", () => {
  const long = `${Array.from({ length: 60 }, (_, at) => (at % 4 === 0 ? "same" : `é line ${at}`)).join("\n")}\n`;

  it("gives the same record, diff and line number as splicing the whole text", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 60 }),
        fc.constantFrom("", "same\n", "new\n", "a\nb\n", "x", "\ud83d"),
        fc.nat({ max: 20 }),
        async (line, replacement, count) => {
          const [parted, whole] = [overlayOf(long), overlayOf(long)];
          const part = await parted.readTextPart("f", { lines: [line, line] });
          const text = await whole.readTextFile("f");
          if (part === undefined) throw new Error("no part");
          const above = long
            .split("\n")
            .slice(0, part.linesAbove)
            .map((each) => `${each}\n`)
            .join("").length;
          const start =
            long
              .split("\n")
              .slice(0, line - 1)
              .join("\n").length + (line > 1 ? 1 : 0);
          const end = Math.min(start + count, above + part.text.length);
          const outcome = await Promise.allSettled([
            parted.spliceText("f", part, [{ start: start - above, end: end - above, replacement }]),
            whole.spliceText("f", text, [{ start, end, replacement }]),
          ]);
          expect(outcome[0].status).toBe(outcome[1].status);
          if (outcome[0].status === "rejected" || outcome[1].status === "rejected") {
            const [one, other] = outcome as PromiseRejectedResult[];
            expect(one?.reason).toEqual(other?.reason);
            return;
          }
          expect(outcome[0].value.startLine).toBe(outcome[1].value.startLine);
          expect(outcome[0].value.diff("f")).toBe(outcome[1].value.diff("f"));
          expect(parted.changes.map(bytesOf)).toEqual(whole.changes.map(bytesOf));
          expect(parted.changes.map(describeChange)).toEqual(whole.changes.map(describeChange));
        },
      ),
      { numRuns: 500 },
    );
  });

  it("refuses a copy of a part, which would pass for the whole text", async () => {
    const overlay = overlayOf(long);
    const part = await overlay.readTextPart("f", { lines: [30, 30] });
    if (part === undefined) throw new Error("no part");
    await expect(overlay.spliceText("f", { ...part }, [])).rejects.toThrow(TypeError);
    expect(overlay.changes).toEqual([]);
  });

  it("D28 is based on the content that was read: later writes are not lost", async () => {
    const store = new MemoryWorkspace({ f: long });
    const overlay = new OverlayWorkspace(store);
    const part = await overlay.readTextPart("f", { lines: [30, 30] });
    if (part === undefined) throw new Error("no part");
    const other = new OverlayWorkspace(store);
    await other.writeText("f", `${long}more\n`);
    await store.commit(other.changes, { callId: "other", tool: "t" });
    await overlay.spliceText("f", part, [{ start: 0, end: 0, replacement: "mine\n" }]);
    await expect(store.commit(overlay.changes, { callId: "mine", tool: "t" })).rejects.toMatchObject({
      code: "STALE_FILE",
    });
    expect(await store.readText("f")).toBe(`${long}more\n`);
  });

  it("is not available for a file that the same call has written", async () => {
    const overlay = overlayOf(long);
    await overlay.writeText("f", `${long}more\n`);
    expect(await overlay.readTextPart("f", { end: true })).toBeUndefined();
  });
});

function overlayOf(content: string): OverlayWorkspace {
  return new OverlayWorkspace(new MemoryWorkspace({ f: content }));
}

/** Undefined for bytes that are not text. */
async function readOr(overlay: OverlayWorkspace) {
  try {
    return await overlay.readTextFile("f");
  } catch {
    return undefined;
  }
}

function bytesOf(change: FileChange): Uint8Array | undefined {
  return change.kind === "modify" && change.after.type === "file" ? change.after.bytes : undefined;
}

function expectShownIsWritten(change: FileChange | undefined): void {
  if (change?.kind !== "modify" || change.after.type !== "file") throw new Error("no modification");
  const before = decodeText(change.before.bytes ?? new Uint8Array())?.text;
  const after = decodeText(change.after.bytes)?.text;
  expect(describeChange(change).diff).toBe(unifiedDiff({ path: "f", before, after }).text);
}
