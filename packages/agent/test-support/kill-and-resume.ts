// Starts a run's process again until it survives, and collects the result.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ApprovalAnswer } from "@haft/core";
import type { DurableEvent, RunOutcome } from "../src/index.js";
import { parseJournal } from "../src/journal/journal-lines.js";
import { type ChatRequest, type ScriptedTurn, startScriptedModel } from "../src/scripted-model/node/index.js";
import type { KilledRun, KillPoint } from "./killed-run.js";
import { danglingCalls } from "./scripted-run.js";

export interface Killing {
  readonly bundle: string;
  readonly answer: ApprovalAnswer;
  /** Lets several processes die in turn, then runs one to the end. */
  readonly kills: readonly (KillPoint | { readonly killAfterMs: number })[];
}

export interface Left {
  readonly outcome: RunOutcome;
  readonly log: readonly DurableEvent[];
  readonly edited: string;
  readonly appended: string;
  readonly effects: number;
  readonly deaths: number;
  readonly dangling: readonly string[];
  /** The distinct results of the append call sent to the model. */
  readonly appendResults: readonly string[];
}

export async function killAndResume({ bundle, answer, kills }: Killing): Promise<Left> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "haft-killed-run-")));
  const workspace = join(base, "ws");
  mkdirSync(workspace);
  writeFileSync(join(workspace, "a.txt"), "one\ntwo\n");
  writeFileSync(join(workspace, "notes.txt"), "note\n");
  writeFileSync(
    join(workspace, "effect.mjs"),
    'import("node:fs").then((fs) => fs.appendFileSync("effects.log", "x"));\n',
  );
  const server = await startScriptedModel(nextTurn);
  const setting = {
    workspace,
    stateDirectory: join(base, "state"),
    runs: join(base, "runs"),
    runId: "killed",
    modelUrl: server.url,
    answer,
  };
  try {
    let deaths = 0;
    for (const kill of kills) {
      const point = "at" in kill ? { kill } : kill;
      const said = await live(bundle, { ...setting, ...point, ...taskOf(setting.runs) });
      if (said === undefined) deaths += 1;
    }
    const said = await live(bundle, { ...setting, ...taskOf(setting.runs) });
    if (said === undefined) throw new Error("the process was killed unexpectedly");
    const { events } = parseJournal(readFileSync(join(setting.runs, "killed.jsonl")));
    return {
      outcome: JSON.parse(said) as RunOutcome,
      log: events,
      edited: readFileSync(join(workspace, "a.txt"), "utf8"),
      appended: readFileSync(join(workspace, "notes.txt"), "utf8"),
      effects: textOf(join(workspace, "effects.log")).length,
      deaths,
      dangling: server.requests.flatMap(({ messages }) => danglingCalls(messages)),
      appendResults: [...new Set(server.requests.flatMap(({ messages }) => resultsOf(messages, "call_2_1")))],
    };
  } finally {
    await server.close();
    rmSync(base, { recursive: true, force: true });
  }
}

/** Returns the same turn for the same history: read, edit and append, run a command, summarize. */
function nextTurn({ messages }: ChatRequest): ScriptedTurn {
  const turns: readonly ScriptedTurn[] = [
    { calls: [call("read_file", { path: "a.txt" }), call("read_file", { path: "notes.txt" })] },
    {
      calls: [
        call("edit", { path: "a.txt", old_string: "two", new_string: "TWO" }),
        call("append_file", { path: "notes.txt", content: "more\n" }),
      ],
    },
    { calls: [call("execute_command", { command: "node effect.mjs" })] },
    { text: "Edited, noted and run." },
  ];
  return turns[messages.filter(({ role }) => role === "assistant").length] ?? { text: "Too many turns." };
}

function resultsOf(messages: ChatRequest["messages"], callId: string): readonly string[] {
  return messages.flatMap(({ tool_call_id, content }) => (tool_call_id === callId ? [String(content)] : []));
}

function call(name: string, args: object) {
  return { name, args };
}

/** The task is passed only until the journal contains it. */
function taskOf(runs: string): { readonly task?: string } {
  return textOf(join(runs, "killed.jsonl")).includes('"message.user"') ? {} : { task: "Change it." };
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

/** Returns the output, or undefined if the process was killed. */
async function live(bundle: string, setting: KilledRun): Promise<string | undefined> {
  const child = spawn(process.execPath, [bundle, JSON.stringify(setting)], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  let failed = "";
  child.stdout.on("data", (chunk) => {
    said += chunk;
  });
  child.stderr.on("data", (chunk) => {
    failed += chunk;
  });
  const signal = await new Promise((resolve) => {
    child.once("close", (_, by) => resolve(by));
  });
  if (signal === "SIGKILL") return undefined;
  if (said === "") throw new Error(`it failed: ${failed}`);
  return said;
}
