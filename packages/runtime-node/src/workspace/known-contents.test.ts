import {
  appendFileSync,
  linkSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type TemporaryWorkspace, temporaryWorkspace } from "../../test-support/temporary-workspace.js";

let temp: TemporaryWorkspace;
beforeEach(async () => {
  temp = await temporaryWorkspace({ "a.txt": "first" });
});
afterEach(() => temp.dispose());

const at = (path: string) => join(temp.root, path);
const hash = (text: string) => temp.workspace.hash(Buffer.from(text));

describe("the cached content of a file", () => {
  it("D28 is dropped after any write: of the same size, back-dated, or in the same moment", async () => {
    await sleep(80);
    expect((await temp.workspace.readTextFile("a.txt")).hash).toBe(hash("first"));
    const { atime, mtime } = statSync(at("a.txt"));
    for (const text of ["other", "third", "forth"]) {
      writeFileSync(at("a.txt"), text);
      utimesSync(at("a.txt"), atime, mtime);
      expect(await temp.workspace.hashOf("a.txt")).toBe(hash(text));
      expect(await temp.workspace.readTextFile("a.txt")).toMatchObject({ text, hash: hash(text) });
      expect(await temp.workspace.snapshot("a.txt")).toMatchObject({ hash: hash(text) });
    }
  });

  it("a change based on it is stale if the file was written since", async () => {
    await sleep(80);
    await temp.workspace.readTextFile("a.txt");
    const changes = await temp.rehearse(async (ws) => {
      await ws.readText("a.txt");
      await ws.writeText("a.txt", "mine");
    });
    writeFileSync(at("a.txt"), "their");
    await expect(temp.workspace.commit(changes, { callId: "c", tool: "t" })).rejects.toMatchObject({
      code: "STALE_FILE",
    });
    expect(readFileSync(at("a.txt"), "utf8")).toBe("their");
  });
});

describe("the former content of a long file", () => {
  const trash = () => readdirSync(join(temp.stateDirectory, "trash")).length;
  const long = "x".repeat(2 * 1024 * 1024);

  it("is kept by a second name, and can be restored", async () => {
    writeFileSync(at("a.txt"), long);
    await temp.change((ws) => ws.writeText("a.txt", "short"), { callId: "write" });
    expect(trash()).toBe(1);
    await temp.workspace.undo("write");
    expect([readFileSync(at("a.txt"), "utf8") === long, statSync(at("a.txt")).nlink, trash()]).toEqual([
      true,
      1,
      0,
    ]);
  });

  it("is copied if another name could change it", async () => {
    writeFileSync(at("a.txt"), long);
    linkSync(at("a.txt"), at("b.txt"));
    await temp.change((ws) => ws.writeText("a.txt", "short"), { callId: "write" });
    expect(trash()).toBe(0);
    appendFileSync(at("b.txt"), "more");
    await temp.workspace.undo("write");
    expect(readFileSync(at("a.txt"), "utf8")).toBe(long);
  });
});
