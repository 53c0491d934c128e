import type { StoredRun } from "@haft/agent/node";
import { renderInline } from "@haft/text";
import type { CliIo } from "../cli-io.js";
import { EXIT, type ExitCode } from "../exit-code.js";
import { formatTable, tableWidth } from "../output/format-table.js";
import { printJson, printText } from "../output/print.js";
import { RunScreen } from "../run/run-screen.js";
import { findRun, runStore } from "../run/run-store.js";
import { RunTerminal } from "../run/run-terminal.js";

interface RunsChoices {
  readonly workspace?: string;
  readonly json?: boolean;
}

/** Lists the sessions of a workspace, newest first. */
export async function runs(choices: RunsChoices, io: CliIo): Promise<ExitCode> {
  const stored = [...runStore(choices.workspace, io).runs()].reverse();
  if (choices.json === true) printJson(io.stdout, stored.map(summaryOf));
  else if (stored.length === 0) io.stderr.write('No session found. Start one with: haft run "TASK"\n');
  else
    printText(
      io.stdout,
      formatTable(HEADER, stored.map(toCells), { width: tableWidth(io), spare: ["CHANGES", "AGE"] }),
    );
  return EXIT.ok;
}

/** Prints one session: messages, calls and changes. */
export async function showRun(id: string, choices: RunsChoices, io: CliIo): Promise<ExitCode> {
  const run = findRun(runStore(choices.workspace, io), id);
  if (choices.json === true) {
    for (const event of run.events) printJson(io.stdout, event);
    return EXIT.ok;
  }
  const terminal = new RunTerminal({ stderr: io.stdout, env: io.env }, { isReplay: true });
  const screen = new RunScreen(terminal, { asks: false });
  for (const event of run.events) screen.show(event);
  screen.end();
  terminal.gap();
  printText(io.stdout, `${stateOf(run)}, ${changesOf(run)} changed`);
  printText(
    io.stderr,
    `Continue it: haft run --continue ${run.runId}\nUndo it: haft undo --run ${run.runId}`,
  );
  return EXIT.ok;
}

const HEADER = ["SESSION", "STATE", "AGE", "CHANGES", "TASK"];

function toCells(run: StoredRun): readonly string[] {
  const changes = run.changed.length === 0 ? "-" : changesOf(run);
  return [run.runId, stateOf(run), ageOf(run.state.lastAt), changes, lineOf(run)];
}

function summaryOf(run: StoredRun) {
  const { runId, task, startedAt, changed, state } = run;
  return { runId, task, startedAt, lastAt: state.lastAt, state: stateOf(run), steps: state.step, changed };
}

/** Describes a session in a few words. */
export function describeRun(run: StoredRun): string {
  return renderInline(`${lineOf(run)} (${stateOf(run)}, ${ageOf(run.state.lastAt)})`, { maxChars: 100 });
}

/** The task on one line. */
function lineOf({ task }: StoredRun): string {
  return task.replace(/\s+/g, " ");
}

function changesOf({ changed }: StoredRun): string {
  return `${changed.length} ${changed.length === 1 ? "file" : "files"}`;
}

function stateOf({ state, isDriven }: StoredRun): string {
  if (state.status === "waiting") return "waiting for approval";
  if (state.status !== "done") return isDriven ? "running" : "interrupted";
  const reason = state.ended?.reason ?? "end_turn";
  return STATES[reason] ?? reason;
}

const STATES: Readonly<Record<string, string>> = {
  end_turn: "done",
  terminated: "done",
  max_steps: "turn limit",
  max_tokens: "token limit",
  max_cost: "cost limit",
  deadline: "time limit",
  error: "failed",
  loop: "repeated itself",
  invalid_args: "invalid calls",
  output_limit: "output limit",
  aborted: "stopped",
};

function ageOf(at: string): string {
  const seconds = Math.max(0, Math.round((Date.now() - Date.parse(at)) / 1000));
  const unit = UNITS.find(([size]) => seconds >= size) ?? [1, "s"];
  return `${Math.floor(seconds / unit[0])} ${unit[1]}`;
}

const UNITS = [
  [86_400, "d"],
  [3_600, "h"],
  [60, "min"],
  [1, "s"],
] as const;
