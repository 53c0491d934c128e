import { type RunEvent, type RunHandle, type RunJournal, type RunOutcome, startRun } from "@haft/agent";
import { type ApproveChoice, chooseApprover, whoApproves } from "../ask/choose-approver.js";
import { type CliIo, isInteractive } from "../cli-io.js";
import type { ExitCode } from "../exit-code.js";
import { IN_THE_BOX, OVERNIGHT, openRuntime, withRuntime } from "../open/open-runtime.js";
import type { RuntimeChoices } from "../open/runtime-choices.js";
import { printJson, printText } from "../output/print.js";
import { CONTINUE_MESSAGE, type ContinueChoice, type RunStart, runStart } from "../run/continued-run.js";
import { exitCodeOf } from "../run/exit-code-of.js";
import type { ModelChoice } from "../run/model-settings.js";
import { RunScreen } from "../run/run-screen.js";
import { projectOf, runSetup } from "../run/run-setup.js";
import { hasSucceeded, RunTally } from "../run/run-tally.js";
import { RunTerminal } from "../run/run-terminal.js";
import { type StopSignals, stopSignals } from "../run/stop-signals.js";
import { TerminalApprover } from "../run/terminal-approver.js";
import { UsageError } from "../usage-error.js";

export interface RunCommand extends RuntimeChoices, ApproveChoice, ModelChoice, ContinueChoice {
  readonly dryRun?: boolean;
  readonly json?: boolean;
  /** Exit after the task instead of waiting for the next message. */
  readonly once?: boolean;
}

/** Runs a model: as a session on a terminal, otherwise one task with plain output. */
export async function run(given: RunCommand, io: CliIo): Promise<ExitCode> {
  const command = given.task === "-" ? { ...given, task: await readTask(io) } : given;
  if (!isSession(command, given, io)) return runOnce(command, io);
  const { runSession } = await import("../session/run-session.js");
  return runSession(command, io);
}

function isSession({ json, once }: RunCommand, { task }: RunCommand, io: CliIo): boolean {
  const isTerminal =
    isInteractive(io) && io.stderr.isTTY === true && io.stdout.isTTY === true && io.env.TERM !== "dumb";
  return isTerminal && json !== true && once !== true && task !== "-";
}

async function readTask({ stdin }: CliIo): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString("utf8").replaceAll("\r\n", "\n").trim();
}

async function runOnce(command: RunCommand, io: CliIo): Promise<ExitCode> {
  const start = runStart(command, io);
  if ((start.task ?? "").trim() === "" && start.isNew) throw noTask();
  const asks = whoApproves(command, io) === "ask";
  const parts = asks ? { decidable: true, approvals: OVERNIGHT } : chooseApprover(command, io);
  const opening = openRuntime(command, io, { ...IN_THE_BOX, ...parts, warm: "idle", asksForTrust: true });
  return withRuntime(opening, async (opened) => {
    const { options } = await runSetup(command, opened, io);
    const { journal, task } = await openJournal(start);
    const view = new RunView(command.json === true, asks, io);
    view.recall(journal.events);
    const handle = startRun({
      ...options,
      project: projectOf(opened),
      ...(task !== undefined && { task }),
      journal,
      onEvent: (event) => view.observe(event),
    });
    return view.follow(handle);
  });
}

/** Opens the journal and chooses the next message. A session that stopped early needs no new task. */
async function openJournal({ store, runId, isNew, task }: RunStart): Promise<OpenedRun> {
  const journal = await store.open(runId);
  if (isNew) store.prune();
  const last = journal.events.at(-1);
  if (task !== undefined) return { journal, task };
  if (last?.type !== "run.ended") return { journal };
  if (!hasSucceeded(last)) return { journal, task: CONTINUE_MESSAGE };
  await journal.close();
  throw new UsageError(
    "RUN_OVER",
    `Session ${runId} is done`,
    `Name the next task: haft run --continue ${runId} "TASK"`,
  );
}

interface OpenedRun {
  readonly journal: RunJournal;
  readonly task?: string;
}

function noTask(): UsageError {
  return new UsageError("NO_TASK", "No task given", 'Name one: haft run "fix the failing test"');
}

/** Shows a run to a person or prints it for a program. */
class RunView {
  readonly #io: CliIo;
  readonly #asJson: boolean;
  readonly #terminal: RunTerminal;
  readonly #screen: RunScreen;
  readonly #approver: TerminalApprover | undefined;
  readonly #tally = new RunTally();
  #signals: StopSignals | undefined;

  constructor(asJson: boolean, asks: boolean, io: CliIo) {
    this.#io = io;
    this.#asJson = asJson;
    this.#terminal = new RunTerminal(io);
    this.#screen = new RunScreen(this.#terminal, { asks });
    const onInterrupt = () => this.#signals?.interrupt();
    this.#approver = asks ? new TerminalApprover({ io, terminal: this.#terminal, onInterrupt }) : undefined;
  }

  /** Shows earlier events of a continued run. Programs already have them. */
  recall(events: readonly RunEvent[]): void {
    for (const event of events) {
      this.#tally.observe(event);
      if (!this.#asJson) this.#screen.show(event);
    }
  }

  observe(event: RunEvent): void {
    this.#tally.observe(event);
    if (this.#asJson) printJson(this.#io.stdout, event);
    else this.#screen.show(event);
    this.#approver?.observe(event);
  }

  async follow(handle: RunHandle): Promise<ExitCode> {
    this.#signals = stopSignals(handle, (text) => this.#terminal.print(`${text}\n`));
    this.#approver?.attach(handle);
    // Losing an output stream detaches the run, like losing the terminal.
    const leave = () => handle.detach();
    const watched = [this.#io.stdout, this.#io.stderr];
    for (const stream of watched) stream.once("error", leave);
    try {
      const outcome = await handle.done;
      this.#screen.end();
      this.#close(outcome);
      return exitCodeOf(outcome);
    } finally {
      for (const stream of watched) stream.off("error", leave);
      this.#signals.end();
      this.#screen.end();
    }
  }

  /** Prints the model's last message as the result, unless the terminal has already shown it. */
  #close(outcome: RunOutcome): void {
    const { stdout, stderr } = this.#io;
    if (this.#asJson) return;
    const isShown = this.#terminal.isTerminal && stdout.isTTY === true;
    if (outcome.summary !== "" && !isShown) printText(stdout, outcome.summary);
    stderr.write(this.#tally.describe(outcome, this.#terminal));
  }
}
