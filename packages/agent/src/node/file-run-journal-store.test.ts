import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RunJournalStore } from "@haft/core/stores";
import { describeRunJournalContract } from "@haft/testing";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { DurableEvent } from "../event/run-event.js";
import { FileRunJournalStore } from "./file-run-journal-store.js";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "haft-run-store-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const open = () => new FileRunJournalStore(directory) as unknown as RunJournalStore;

describeRunJournalContract("files", async () => ({
  store: open(),
  reopen: open,
  [Symbol.asyncDispose]: async () => {},
}));

test("reads a journal again only after it has grown", async () => {
  const store = new FileRunJournalStore(directory);
  const journal = await store.open("one");
  const event = (seq: number) => ({ v: 1, runId: "one", seq, at: "", type: "run.resumed" }) as DurableEvent;
  const parse = vi.spyOn(JSON, "parse");
  const parsedBy = async (work: () => Promise<unknown>) => {
    parse.mockClear();
    await work();
    return parse.mock.calls.length;
  };
  await journal.append(event(1));
  expect(await store.read("one")).toHaveLength(1);
  expect(await parsedBy(() => store.read("one", 1))).toBe(0);
  expect(await parsedBy(() => store.list())).toBe(0);
  await journal.append(event(2));
  expect((await store.read("one", 1)).map(({ seq }) => seq)).toEqual([2]);
  parse.mockRestore();
  await journal.close();
});

test("a run counts as driven while its journal is open", async () => {
  const store = new FileRunJournalStore(directory);
  const journal = await store.open("one");
  await journal.append({ v: 1, runId: "one", seq: 1, at: "", type: "run.resumed" } as DurableEvent);
  expect(store.runs()).toMatchObject([{ runId: "one", isDriven: true }]);
  await journal.close();
  expect(store.runs()).toMatchObject([{ runId: "one", isDriven: false }]);
});
