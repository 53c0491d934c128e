import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DurableEvent } from "@haft/agent";
import { FileRunJournalStore } from "@haft/agent/node";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { RunList } from "./run-list.js";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "haft-run-list-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const nobody = () => undefined;
const base = (seq: number) => ({ v: 1 as const, runId: "one", seq, at: `2026-03-12T14:00:0${seq}.000Z` });
const LIMITS = { maxSteps: 10 } as never;
const STARTED = {
  ...base(1),
  type: "run.started",
  role: "coder",
  workspace: "/w",
  tools: [],
  limits: LIMITS,
  summary: "none",
} as DurableEvent;
const SAID = { ...base(2), type: "message.user", id: "m", text: "Mend it." } as DurableEvent;
const ENDED = { ...base(3), type: "run.ended", reason: "end_turn", summary: "Done." } as DurableEvent;
const lines = (...events: readonly DurableEvent[]) =>
  events.map((event) => `${JSON.stringify(event)}\n`).join("");

test("S4 console: lists runs from the run store, and follows other processes", async () => {
  const store = new FileRunJournalStore(directory);
  const read = vi.spyOn(store, "read");
  const list = new RunList(store);
  writeFileSync(join(directory, "one.jsonl"), lines(STARTED, SAID));
  expect(await list.read(nobody)).toMatchObject([{ runId: "one", task: "Mend it.", isDrivenHere: false }]);
  appendFileSync(join(directory, "one.jsonl"), lines(ENDED));
  expect(await list.read(nobody)).toMatchObject([{ status: "done", reason: "end_turn", lastAt: ENDED.at }]);
  expect(read.mock.calls.map(([, afterSeq]) => afterSeq)).toEqual([0, 2]);
  rmSync(join(directory, "one.jsonl"));
  expect(await list.read(nobody)).toEqual([]);
});

test("S4 console: notices runs that other processes start, continue or delete", async () => {
  const store = new FileRunJournalStore(directory);
  const list = new RunList(store);
  const hasNews = () => list.hasNews(() => false);
  const newsAfter = async (change: () => void) => {
    change();
    const found = await hasNews();
    await list.read(nobody);
    return [found, await hasNews()];
  };
  const path = join(directory, "one.jsonl");
  expect(await hasNews()).toBe(false);
  expect(await newsAfter(() => writeFileSync(path, lines(STARTED, SAID)))).toEqual([true, false]);
  expect(await newsAfter(() => appendFileSync(path, lines(ENDED)))).toEqual([true, false]);
  const reopened = { ...base(4), type: "run.reopened" } as DurableEvent;
  expect(await newsAfter(() => appendFileSync(path, lines(reopened)))).toEqual([true, false]);
  appendFileSync(path, lines({ ...SAID, ...base(5) }));
  expect(await list.hasNews(() => true)).toBe(false);
  expect(await newsAfter(() => rmSync(path))).toEqual([true, false]);
});

test("S4 console: a damaged journal hides only its own run", async () => {
  writeFileSync(join(directory, "one.jsonl"), lines(STARTED, SAID));
  writeFileSync(join(directory, "two.jsonl"), `{"v":1}\n${lines(STARTED, { ...SAID, seq: 9 })}`);
  const found = await new RunList(new FileRunJournalStore(directory)).read(nobody);
  expect(found.map(({ runId }) => runId)).toEqual(["one"]);
});
