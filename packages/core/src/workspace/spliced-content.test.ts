import { MemoryWorkspace } from "@haft/testing";
import { decodeText, lineAt, spliceText, unifiedDiff } from "@haft/text";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { describeChange, type FileChange, OverlayWorkspace } from "../index.js";

describe("spliceText", () => {
  it("records the bytes and shows the diff that writing the whole text does", async () => {
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

  it("S4.002.a shows what is written, whatever text and splices the caller claims", async () => {
    const overlay = overlayOf("one\ntwo\nthree\n");
    const read = await overlay.readTextFile("f");
    const splices = [{ start: 4, end: 7, replacement: "2" }];
    await overlay.spliceText("f", { ...read, text: "ONE\nTWO\nTHREE\n" }, splices);
    expectShownIsWritten(overlay.changes[0]);
  });

  it("S4.002.a shows what is written when the caller changes the splices afterwards", async () => {
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

function overlayOf(content: string): OverlayWorkspace {
  return new OverlayWorkspace(new MemoryWorkspace({ f: content }));
}

/** Undefined for what is no text. */
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
