// Runs the process that dies until it does not die any more, and looks at what is left.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DurableEvent, RunDecision, RunOutcome } from "../src/index.js";
import { parseJournal } from "../src/journal/journal-lines.js";
import { type ChatRequest, type ScriptedTurn, startScriptedModel } from "../src/scripted-model/node/index.js";
import type { KilledRun, KillPoint } from "./killed-run.js";
import { danglingCalls } from "./scripted-run.js";

export interface Killing {
  readonly bundle: string;
  readonly answer: RunDecision;
  /** One death after the other, then a life to the end. */
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
      const point = "seq" in kill ? { kill } : kill;
      const said = await live(bundle, { ...setting, ...point, ...taskOf(setting.runs) });
      if (said === undefined) deaths += 1;
    }
    const said = await live(bundle, { ...setting, ...taskOf(setting.runs) });
    if (said === undefined) throw new Error("it died although nobody killed it");
    const { events } = parseJournal(readFileSync(join(setting.runs, "killed.jsonl")));
    return {
      outcome: JSON.parse(said) as RunOutcome,
      log: events,
      edited: readFileSync(join(workspace, "a.txt"), "utf8"),
      appended: readFileSync(join(workspace, "notes.txt"), "utf8"),
      effects: textOf(join(workspace, "effects.log")).length,
      deaths,
      dangling: server.requests.flatMap(({ messages }) => danglingCalls(messages)),
    };
  } finally {
    await server.close();
    rmSync(base, { recursive: true, force: true });
  }
}

/** The same turn for the same history, however often it is asked for: read, edit and add a note, run a command, sum up. */
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

function call(name: string, args: object) {
  return { name, args };
}

/** The task is given once: a run whose journal has it is taken up without. */
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

/** What it said at its end; undefined when it was killed. */
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
