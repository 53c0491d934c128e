import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ToolError } from "@haft/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type TemporaryWorkspace, temporaryWorkspace } from "../../test-support/temporary-workspace.js";

const line = (at: number) => `line ${at} – é😀`;
const long = `${Array.from({ length: 20_000 }, (_, at) => line(at + 1)).join("\n")}\n`;

let temp: TemporaryWorkspace;
beforeEach(async () => {
  temp = await temporaryWorkspace({
    "long.txt": long,
    "marked.txt": `\ufeff${long}`,
    "short.txt": "line 1\n",
  });
});
afterEach(() => temp.dispose());

const now = (path: string) => readFileSync(join(temp.root, path), "utf8");

describe("a part of a long file", () => {
  it.each(["long.txt", "marked.txt"])(
    "P5 is spliced, committed and undone like the whole: %s",
    async (path) => {
      const before = now(path);
      await temp.change(
        async (ws) => {
          const part = await ws.readTextPart(path, { find: [line(15_000)] });
          if (part === undefined) throw new Error("no part");
          expect(part.text.length).toBeLessThan(1_000);
          expect(part.hash).toBe(await temp.workspace.hashOf(path));
          const start = part.text.indexOf(line(15_000));
          const splices = [{ start, end: start + line(15_000).length, replacement: "naïve" }];
          const { startLine, diff } = await ws.spliceText(path, part, splices);
          expect(startLine).toBe(15_000);
          expect(diff("f")).toContain(`@@ -14997,7 +14997,7 @@\n`);
        },
        { callId: "parted" },
      );
      expect(now(path)).toBe(before.replace(line(15_000), () => "naïve"));
      await temp.workspace.undo("parted");
      expect(now(path)).toBe(before);
    },
  );

  it("is undefined for a short file, other encodings, CRLF and missing files", async () => {
    temp.put({
      "latin.txt": Buffer.from("caf\xe9 au lait\n".repeat(20_000), "latin1"),
      "crlf.txt": `${long}\r\n`,
      "binary.bin": new Uint8Array(300_000),
    });
    for (const path of ["short.txt", "latin.txt", "crlf.txt", "binary.bin"])
      expect(await temp.workspace.textPart(path, { end: true }), path).toBeUndefined();
    expect(await temp.workspace.textPart("long.txt", { find: ["line 0"] })).toBeUndefined();
    const missing = await temp.workspace.textPart("nothing.txt", { end: true }).catch((error) => error);
    expect(ToolError.is(missing) && missing.code).toBe("FILE_NOT_FOUND");
  });

  it("chunks that are passed on equal those that are kept", async () => {
    const [stay, pass] = [[] as Buffer[], [] as Buffer[]];
    const range = { start: 5, end: 400_000 };
    for await (const chunk of temp.workspace.stream("long.txt", range)) stay.push(Buffer.from(chunk));
    for await (const chunk of temp.workspace.stream("long.txt", { ...range, passing: true }))
      pass.push(Buffer.from(chunk));
    expect(Buffer.concat(pass).equals(Buffer.concat(stay))).toBe(true);
    expect(Buffer.concat(pass).length).toBe(400_000 - 5);
  });
});
