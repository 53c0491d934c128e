import { mkdirSync, readdirSync, realpathSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stateDirectoryOf } from "@haft/runtime-node";
import { expect, it } from "vitest";
import { processIo } from "../cli-io.js";
import { temporaryWorkspace } from "../fixtures/temporary-workspace.js";
import { openRunJournalFor } from "./open-run-journal.js";

it("a new run forgets those that are older than a month", () => {
  const { folder, remove } = temporaryWorkspace();
  try {
    const io = { ...processIo(), cwd: folder, env: { XDG_STATE_HOME: `${folder}-state` } };
    const runs = join(stateDirectoryOf(realpathSync(folder), io.env), "runs");
    mkdirSync(runs, { recursive: true });
    writeFileSync(join(runs, "old.jsonl"), "");
    utimesSync(join(runs, "old.jsonl"), 0, 0);
    const journal = openRunJournalFor({}, io);
    expect(readdirSync(runs).filter((name) => name.endsWith(".jsonl"))).toEqual([`${journal.runId}.jsonl`]);
    journal.close();
  } finally {
    remove();
  }
});
