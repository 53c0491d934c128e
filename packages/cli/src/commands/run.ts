import { type RunEvent, type RunHandle, type RunJournal, type RunOutcome, startRun } from "@haft/agent";
import type { NodeRuntime } from "@haft/runtime-node";
import { type ApproveChoice, chooseApprover, whoApproves } from "../ask/choose-approver.js";
import type { CliIo } from "../cli-io.js";
import { EXIT, type ExitCode } from "../exit-code.js";
import { openRuntime, withRuntime } from "../open/open-runtime.js";
import type { RuntimeChoices } from "../open/runtime-choices.js";
import { printJson, printText } from "../output/print.js";
import { ApprovalDesk } from "../run/approval-desk.js";
import { chooseModel, type ModelChoice } from "../run/choose-model.js";
import { type JournalChoice, openRunJournalFor } from "../run/open-run-journal.js";
import { RunScreen } from "../run/run-screen.js";
import { hasSucceeded, RunTally } from "../run/run-tally.js";
import { RunTerminal } from "../run/run-terminal.js";
import { type StopSignals, stopSignals } from "../run/stop-signals.js";
import { UsageError } from "../usage-error.js";

export interface RunCommand extends RuntimeChoices, ApproveChoice, ModelChoice, JournalChoice {
  readonly task?: string;
  readonly maxSteps?: number;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** Lets a model work on a task while a person watches, approves, and can stop it at any time. */
export async function run(command: RunCommand, io: CliIo): Promise<ExitCode> {
  if ((command.task ?? "").trim() === "" && command.resume === undefined) throw noTask();
  const model = chooseModel(command, io);
  const asks = whoApproves(command, io) === "ask";
  const parts = asks
    ? { decidable: true, approvals: { timeoutMs: PATIENCE_MS } }
    : chooseApprover(command, io);
  return withRuntime(openRuntime(command, io, parts), async ({ runtime }) => {
    const journal = openRunJournalFor(command, io);
    const view = new RunView(command.json === true, asks, io);
    view.recall(journal.events);
    const handle = startRun({
      ...setting(command, runtime),
      model,
      journal,
      onEvent: (event) => view.hear(event),
    });
    return view.follow(handle, journal);
  });
}

// Whoever started a run may have lunch while it asks.
const PATIENCE_MS = 24 * 60 * 60 * 1000;

function setting({ task, maxSteps, dryRun }: RunCommand, runtime: NodeRuntime) {
  return {
    runtime: dryRun === true ? rehearsing(runtime) : runtime,
    ...(task !== undefined && { task }),
    ...(maxSteps !== undefined && { limits: { maxSteps } }),
  };
}

/** The same runtime, in which nothing any call does is real. */
function rehearsing(runtime: NodeRuntime): NodeRuntime {
  return {
    ...runtime,
    call: (tool, args, options) => runtime.call(tool, args, { ...options, dryRun: true }),
  };
}

function noTask(): UsageError {
  return new UsageError("NO_TASK", "There is nothing to do", 'Say what: haft run "fix the failing test"');
}

/** Everything a person or a program sees of a run. */
class RunView {
  readonly #io: CliIo;
  readonly #asJson: boolean;
  readonly #terminal: RunTerminal;
  readonly #screen: RunScreen;
  readonly #desk: ApprovalDesk | undefined;
  readonly #tally = new RunTally();
  #signals: StopSignals | undefined;

  constructor(asJson: boolean, asks: boolean, io: CliIo) {
    this.#io = io;
    this.#asJson = asJson;
    this.#terminal = new RunTerminal(io);
    this.#screen = new RunScreen(this.#terminal, { asks });
    const onInterrupt = () => this.#signals?.interrupt();
    this.#desk = asks ? new ApprovalDesk({ io, terminal: this.#terminal, onInterrupt }) : undefined;
  }

  /** What happened before a run was taken up: a person sees it again, a program has it already. */
  recall(events: readonly RunEvent[]): void {
    for (const event of events) {
      this.#tally.hear(event);
      if (!this.#asJson) this.#screen.show(event);
    }
  }

  hear(event: RunEvent): void {
    this.#tally.hear(event);
    if (this.#asJson) printJson(this.#io.stdout, event);
    else this.#screen.show(event);
    this.#desk?.hear(event);
  }

  async follow(handle: RunHandle, journal: RunJournal): Promise<ExitCode> {
    this.#signals = stopSignals(handle, (text) => this.#terminal.print(`${text}\n`));
    this.#desk?.attach(handle);
    // Nobody follows it any more: it is left as it is, as when the terminal is lost.
    const leave = () => handle.detach();
    const watched = [this.#io.stdout, this.#io.stderr];
    for (const stream of watched) stream.once("error", leave);
    try {
      const outcome = await handle.done;
      this.#screen.end();
      this.#close(outcome);
      return hasSucceeded(outcome) ? EXIT.ok : EXIT.failed;
    } finally {
      for (const stream of watched) stream.off("error", leave);
      this.#signals.end();
      this.#screen.end();
      journal.close();
    }
  }

  /** The model's last words are the result; on a terminal they have been read already. */
  #close(outcome: RunOutcome): void {
    const { stdout, stderr } = this.#io;
    if (this.#asJson) return;
    const isRead = this.#terminal.isLive && stdout.isTTY === true;
    if (outcome.summary !== "" && !isRead) printText(stdout, outcome.summary);
    stderr.write(this.#tally.describe(outcome, this.#terminal.colours));
  }
}
