import { appendFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeChangeJournalContract } from "@haft/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import { FileChangeJournalStore } from "./file-change-journal-store.js";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "haft-change-store-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const path = () => join(directory, "journal.jsonl");

describeChangeJournalContract("files", async () => ({
  store: new FileChangeJournalStore(path()),
  reopen: () => new FileChangeJournalStore(path()),
  [Symbol.asyncDispose]: async () => {},
}));

it("FP5 skips a line that a crash tore, and starts the next one on a line of its own", async () => {
  const store = new FileChangeJournalStore(path());
  await store.append({ seq: 1 });
  appendFileSync(path(), '{"seq":2,"te');
  const { lines, position } = await store.read();
  expect(lines).toEqual([{ seq: 1 }]);
  await store.append({ seq: 3 });
  expect((await store.read(position)).lines).toEqual([{ seq: 3 }]);
  expect(readFileSync(path(), "utf8").split("\n")).toHaveLength(4);
});
