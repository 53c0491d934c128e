// Drives one run over a real folder, and kills its own process at a given point.
import "@haft/tool-edit";
import "@haft/tool-exec";
import "@haft/tool-fs";
import "@haft/tool-search";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import type { ApprovalAnswer } from "@haft/core";
import { createNodeRuntime } from "@haft/runtime-node";
import { type DurableEvent, type RunJournal, startRun } from "../src/index.js";
import { journalLine } from "../src/journal/journal-lines.js";
import { openRunJournal } from "../src/node/run-journal-file.js";
import { openAiModel } from "../src/openai/index.js";

export interface KilledRun {
  readonly workspace: string;
  readonly stateDirectory: string;
  readonly runs: string;
  readonly runId: string;
  readonly modelUrl: string;
  readonly task?: string;
  readonly answer: ApprovalAnswer;
  readonly kill?: KillPoint;
  /** Kill the process after this time. */
  readonly killAfterMs?: number;
}

export interface KillPoint {
  /** The record to stop at, by number or by type and call. */
  readonly at: number | { readonly type: DurableEvent["type"]; readonly callId: string };
  /** Before the record is written, with half of it written, or after it is on disk. */
  readonly when: "before" | "torn" | "after";
}

const setting = JSON.parse(process.argv[2] as string) as KilledRun;
const die = () => process.kill(process.pid, "SIGKILL");

function killing(journal: RunJournal): RunJournal {
  const { at, when } = setting.kill ?? { at: -1, when: "after" };
  const append: RunJournal["append"] = (event, options) => {
    const isLast = isAt(event, at);
    if (isLast && when === "before") die();
    if (isLast && when === "torn") {
      const line = journalLine(event);
      appendFileSync(join(setting.runs, `${setting.runId}.jsonl`), line.subarray(0, line.length / 2));
      die();
    }
    void journal.append(event, options);
    if (isLast) die();
  };
  return { ...journal, runId: journal.runId, events: journal.events, append, close: () => journal.close() };
}

function isAt(event: DurableEvent, at: KillPoint["at"]): boolean {
  if (typeof at === "number") return event.seq === at;
  return event.type === at.type && "callId" in event && event.callId === at.callId;
}

const { workspace, stateDirectory, runs, runId, answer } = setting;
const runtime = await createNodeRuntime({
  workspace,
  stateDirectory,
  role: "coder",
  decidable: true,
  env: { PATH: process.env.PATH },
  commands: { allow: ["node effect.mjs"] },
  rules: [{ effect: "ask", tool: "execute_command" }],
});
if (setting.killAfterMs !== undefined) setTimeout(die, setting.killAfterMs);
const run = startRun({
  runtime,
  model: openAiModel({ baseUrl: setting.modelUrl, model: "scripted" }),
  journal: killing(openRunJournal({ directory: runs, runId })),
  ...(setting.task !== undefined && { task: setting.task }),
  system: "You change files.",
  onEvent: (event) => {
    if (event.type !== "approval.requested") return;
    // After a short delay, like a person; another process may already have decided.
    setTimeout(() => void run.decide(event.approval.stepId, answer).catch(() => {}), 30);
  },
});
const outcome = await run.done;
process.stdout.write(`${JSON.stringify(outcome)}\n`);
await runtime.dispose();
