// A process that drives one run over a real folder, and kills itself where it is told to.
import "@haft/tool-edit";
import "@haft/tool-exec";
import "@haft/tool-fs";
import "@haft/tool-search";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { createNodeRuntime } from "@haft/runtime-node";
import { type RunDecision, type RunJournal, startRun } from "../src/index.js";
import { journalLine } from "../src/journal/journal-lines.js";
import { openRunJournal } from "../src/node/index.js";
import { openAiModel } from "../src/openai/index.js";

export interface KilledRun {
  readonly workspace: string;
  readonly stateDirectory: string;
  readonly runs: string;
  readonly runId: string;
  readonly modelUrl: string;
  readonly task?: string;
  readonly answer: RunDecision;
  readonly kill?: KillPoint;
  /** Die after so long, wherever that is. */
  readonly killAfterMs?: number;
}

export interface KillPoint {
  readonly seq: number;
  /** Before the record is written, with half of it, or when it is on the disk. */
  readonly when: "before" | "torn" | "after";
}

const setting = JSON.parse(process.argv[2] as string) as KilledRun;
const die = () => process.kill(process.pid, "SIGKILL");

function killing(journal: RunJournal): RunJournal {
  const { seq, when } = setting.kill ?? { seq: -1, when: "after" };
  const append: RunJournal["append"] = (event, options) => {
    if (event.seq === seq && when === "before") die();
    if (event.seq === seq && when === "torn") {
      const line = journalLine(event);
      appendFileSync(join(setting.runs, `${setting.runId}.jsonl`), line.subarray(0, line.length / 2));
      die();
    }
    journal.append(event, options);
    if (event.seq === seq) die();
  };
  return { ...journal, runId: journal.runId, events: journal.events, append, close: () => journal.close() };
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
    // A moment later, as a person would; whoever was faster has decided.
    setTimeout(() => void run.decide(event.approval.stepId, answer).catch(() => {}), 30);
  },
});
const outcome = await run.done;
process.stdout.write(`${JSON.stringify(outcome)}\n`);
await runtime.dispose();
