import {
  existsSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { DurableEvent } from "../index.js";
import { DEFAULT_RUN_LIMITS, FileRunJournalStore } from "./index.js";
import { openRunJournal } from "./run-journal-file.js";

let directory: string;
beforeEach(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), "haft-prune-runs-")));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const prune = (limits?: typeof DEFAULT_RUN_LIMITS) => new FileRunJournalStore(directory).prune(limits);
const file = (runId: string) => join(directory, `${runId}.jsonl`);
const DAY_MS = 24 * 60 * 60 * 1000;

/** Writes a run whose last event is some days old. */
function keep(
  runId: string,
  daysAgo: number,
  more: readonly object[] = [{ type: "run.ended", reason: "end_turn" }],
) {
  const at = new Date().toISOString();
  const journal = openRunJournal({ directory, runId });
  for (const [index, event] of [{ type: "message.user", id: "1", text: "x" }, ...more].entries())
    void journal.append({ v: 1, runId, seq: index + 1, at, ...event } as DurableEvent);
  void journal.close();
  age(runId, daysAgo);
}

function age(runId: string, days: number): void {
  const at = new Date(Date.now() - days * DAY_MS);
  utimesSync(file(runId), at, at);
}

const CALL = { callId: "r:1:0", index: 0, tool: "put", rawArgs: "{}", args: {}, terminate: false };
const ASKED = [
  { type: "step.ended", step: 1, text: "", calls: [CALL], finish: "tool_calls" },
  { type: "approval.requested", callId: "r:1:0", approval: { changes: [] } },
];

describe("FileRunJournalStore.prune", () => {
  it("deletes runs that are too old, including abandoned ones, and keeps the rest", () => {
    keep("old", 31);
    keep("left", 40, []);
    keep("recent", 29);
    prune();
    expect(readdirSync(directory)).toEqual(["recent.jsonl"]);
  });

  it("keeps a number of the newest, and fewer of the large ones", () => {
    for (let index = 0; index < 8; index += 1) keep(`run-${index}`, 8 - index);
    prune({ ...DEFAULT_RUN_LIMITS, minCount: 1, maxCount: 5 });
    expect(readdirSync(directory)).toEqual([3, 4, 5, 6, 7].map((index) => `run-${index}.jsonl`));
    prune({ ...DEFAULT_RUN_LIMITS, minCount: 2, maxBytes: 1 });
    expect(readdirSync(directory)).toEqual(["run-6.jsonl", "run-7.jsonl"]);
  });

  it("never deletes a run that waits for approval, is being written, or cannot be read", () => {
    keep("waits", 100, ASKED);
    keep("damaged", 100);
    writeFileSync(file("damaged"), '{"broken\n{}\n');
    age("damaged", 100);
    keep("written", 100);
    const journal = openRunJournal({ directory, runId: "written" });
    age("written", 100);
    prune();
    expect(readdirSync(directory).filter((name) => name.endsWith(".jsonl"))).toEqual([
      "damaged.jsonl",
      "waits.jsonl",
      "written.jsonl",
    ]);
    void journal.close();
    prune();
    expect(existsSync(file("written"))).toBe(false);
    expect(readdirSync(directory).sort()).toEqual(["damaged.jsonl", "waits.jsonl"]);
  });

  it("deletes runs that never started, and accepts a missing directory", () => {
    writeFileSync(file("empty"), "");
    age("empty", 31);
    prune();
    expect(readdirSync(directory)).toEqual([]);
    expect(() => new FileRunJournalStore(join(directory, "nowhere")).prune()).not.toThrow();
  });
});
