import type { RunHandle, RunOutcome, SessionMode } from "@haft/agent";
import { whoApproves } from "../ask/choose-approver.js";
import type { CliIo } from "../cli-io.js";
import type { RunCommand } from "../commands/run.js";
import { EXIT, type ExitCode } from "../exit-code.js";
import { knownError } from "../output/report-error.js";
import { CONTINUE_MESSAGE, runStart } from "../run/continued-run.js";
import { exitCodeOf } from "../run/exit-code-of.js";
import { hasSucceeded } from "../run/run-tally.js";
import type { KeyName } from "./key-reader.js";
import { MessageQueue } from "./message-queue.js";
import { SessionCommands } from "./session-commands.js";
import { SessionView } from "./session-view.js";
import { SessionWork } from "./session-work.js";
import { parseSlash } from "./slash-commands.js";
import { stopProcess } from "./stop-process.js";

/** Runs a conversation in the terminal: tasks, steering and follow-ups until the user leaves. */
export async function runSession(command: RunCommand, io: CliIo): Promise<ExitCode> {
  const start = runStart(command, io);
  let session: Session | undefined;
  const warn = (text: string) => (session === undefined ? void io.stderr.write(text) : session.warn(text));
  const work = new SessionWork({ command, start, io, warn });
  await work.open();
  session = new Session(work, io, whoApproves(command, io));
  try {
    return await session.converse(start.task, start.isNew);
  } finally {
    session.end();
    await work.close();
  }
}

class Session {
  readonly #work: SessionWork;
  readonly #io: CliIo;
  readonly #view: SessionView;
  readonly #commands: SessionCommands;
  readonly #messages = new MessageQueue();
  #handle: RunHandle | undefined;
  #outcome: RunOutcome | undefined;
  /** The message that Enter on an empty line sends, which continues the work. */
  #onEnter: string | undefined;
  #interruptedAtMs = Number.NEGATIVE_INFINITY;
  /** Whether Ctrl-C was pressed twice, which leaves the session. */
  #isInterrupted = false;
  #hasRun = false;
  /** Whether another process had the session, so that events may not be on the screen. */
  #isBehind = false;

  constructor(work: SessionWork, io: CliIo, mode: SessionMode) {
    this.#work = work;
    this.#io = io;
    this.#commands = new SessionCommands({
      io,
      work,
      mode,
      view: () => this.#view,
      handle: () => this.#handle,
      quit: () => this.#messages.close(),
    });
    this.#view = new SessionView({
      io,
      work,
      mode: () => this.#commands.mode,
      send: (text) => this.#send(text),
      press: (key) => this.#press(key),
    });
    for (const signal of LEAVING) process.on(signal, this.#leave);
    process.on("SIGINT", this.#interrupt);
    io.stdin.once("end", this.#leave);
  }

  async converse(task: string | undefined, isNew: boolean): Promise<ExitCode> {
    if (!isNew) await this.#recall(task);
    if (task !== undefined) this.#messages.put(task);
    else if (isNew) this.#view.note("Type a task. /help lists the commands.");
    for (;;) {
      const message = await this.#messages.next();
      if (message === undefined) break;
      await this.#commands.settled;
      await this.#run(message);
    }
    if (this.#isInterrupted) return EXIT.interrupted;
    // A turn that was interrupted is no failure of a session that was left as usual.
    if (this.#outcome === undefined || this.#outcome.reason === "cancelled") return EXIT.ok;
    return exitCodeOf(this.#outcome);
  }

  /** Shows a warning without disturbing the rendered rows. */
  warn(text: string): void {
    this.#view.note(text.trimEnd());
  }

  end(): void {
    for (const signal of LEAVING) process.off(signal, this.#leave);
    process.off("SIGINT", this.#interrupt);
    this.#io.stdin.off("end", this.#leave);
    this.#view.end();
    if (this.#hasRun) this.#io.stderr.write(`To continue: haft run --continue ${this.#work.runId}\n`);
  }

  /** Shows earlier events, and continues a turn that was cut off. */
  async #recall(task: string | undefined): Promise<void> {
    const { runId } = this.#work;
    const events = await this.#work.events();
    this.#hasRun = events.length > 0;
    this.#view.recall(events);
    const last = events.at(-1);
    if (task !== undefined) return;
    if (last?.type !== "run.ended") return this.#run(undefined);
    if (!hasSucceeded(last)) this.#onEnter = CONTINUE_MESSAGE;
    const next = this.#onEnter === undefined ? "Type the next task." : PRESS_ENTER;
    this.#view.remark(`Session ${runId}. ${next}`);
  }

  async #run(message: string | undefined): Promise<void> {
    try {
      this.#onEnter = undefined;
      if (this.#isBehind) this.#view.recall(await this.#work.events());
      const task = message === undefined ? undefined : this.#commands.withNotes({ text: message });
      this.#handle = await this.#work.start(task, (event) => this.#view.observe(event));
      this.#hasRun = true;
      this.#outcome = await this.#view.follow(this.#handle);
      this.#offer(this.#outcome);
    } catch (error) {
      const { code, message: why, hint } = knownError(error);
      this.#isBehind = code === "RUN_BUSY";
      if (this.#isBehind) this.#view.hideOpenCalls();
      this.#view.note(`${code}: ${why}${hint === undefined ? "" : `\n${hint}`}`);
    } finally {
      this.#handle = undefined;
    }
  }

  /** Offers to continue a run that stopped early when the user presses Enter. */
  #offer(outcome: RunOutcome): void {
    if (hasSucceeded(outcome) || outcome.reason === "detached") return;
    this.#onEnter = CONTINUE_MESSAGE;
    this.#view.note(PRESS_ENTER);
  }

  #send(text: string): void {
    this.#interruptedAtMs = Number.NEGATIVE_INFINITY;
    const slash = parseSlash(text);
    if (slash !== undefined) {
      this.#view.echo(text.trim());
      void this.#commands.run(slash);
    } else if (text.trim() !== "") this.#say(text);
    else if (this.#handle === undefined && this.#onEnter !== undefined) this.#messages.put(this.#onEnter);
  }

  /** Sends the message with the model's next turn, or as the next task. */
  #say(text: string): void {
    try {
      if (this.#handle === undefined) this.#messages.put(text);
      else this.#handle.say(text);
    } catch {
      // The run has just ended, so the message becomes the next task.
      this.#messages.put(text);
    }
  }

  #press(key: KeyName): void {
    if (key === "interrupt") this.#interrupt();
    if (key === "escape") this.#handle?.cancel("interrupted");
    if (key === "mode") this.#commands.nextMode();
    if (key === "stop") void this.#view.lend(stopProcess);
    if (key === "eof" && !this.#view.hasDraft) {
      if (this.#handle !== undefined) this.#view.note("Leaving when the work is done.");
      this.#messages.close();
    }
  }

  /** Clears the draft, then interrupts the work. Pressed twice, leaves the session. */
  readonly #interrupt = (): void => {
    if (this.#view.hasDraft) {
      this.#view.clearDraft();
      return;
    }
    const isTwice = performance.now() - this.#interruptedAtMs < TWICE_MS;
    this.#interruptedAtMs = performance.now();
    if (!isTwice) {
      this.#handle?.cancel("Ctrl-C");
      this.#view.note("Press Ctrl-C again to leave the session.");
      return;
    }
    this.#isInterrupted = true;
    this.#messages.close();
    if (this.#handle === undefined) return;
    // Ends the process even if something does not stop.
    this.end();
    process.kill(process.pid, "SIGINT");
  };

  /** On a lost terminal or a termination signal, leaves the run so that it can be continued. */
  readonly #leave = (): void => {
    this.#messages.close();
    this.#handle?.detach();
  };
}

const PRESS_ENTER = "Press Enter to continue, or type another task.";
const LEAVING = ["SIGTERM", "SIGHUP"] as const;
const TWICE_MS = 3_000;
