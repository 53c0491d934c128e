import {
  type DurableEvent,
  type RunEvent,
  type RunHandle,
  type RunLimits,
  type RunOptions,
  startRun,
} from "@haft/agent";
import type { ImageContent } from "@haft/core";
import type { CliIo } from "../cli-io.js";
import type { RunCommand } from "../commands/run.js";
import {
  type CommandParts,
  type CommandRuntime,
  IN_THE_BOX,
  OVERNIGHT,
  openRuntime,
} from "../open/open-runtime.js";
import type { RunStart } from "../run/continued-run.js";
import type { ModelSettings } from "../run/model-settings.js";
import { projectOf, type RunSetup, runSetup } from "../run/run-setup.js";

interface SessionParts {
  readonly command: RunCommand;
  readonly start: RunStart;
  readonly io: CliIo;
  readonly host?: SessionHost;
  /** Receives warnings. Default: standard error. */
  warn?(text: string): void;
}

/** Additions by the program that shows the session, applied to every runtime the session opens. */
export interface SessionHost extends Pick<CommandParts, "guardPolicies"> {
  /** Called before a runtime's first call. */
  prepare?(opened: CommandRuntime): Promise<void>;
}

/** Owns the runtime, model and journal of a session. Reopens them when the role or model changes. */
export class SessionWork {
  readonly #io: CliIo;
  readonly #start: RunStart;
  readonly #host: SessionHost;
  readonly #warn: SessionParts["warn"];
  #command: RunCommand;
  #opened: CommandRuntime | undefined;
  #setup: RunSetup | undefined;

  constructor({ command, start, io, host = {}, warn }: SessionParts) {
    this.#command = command;
    this.#start = start;
    this.#io = io;
    this.#host = host;
    this.#warn = warn;
  }

  get runId(): string {
    return this.#start.runId;
  }

  get settings(): ModelSettings {
    return this.#ready.settings;
  }

  get limits(): Partial<RunLimits> {
    return this.#ready.limits;
  }

  get runtime() {
    return this.#openedRuntime.runtime;
  }

  get role(): string {
    return this.runtime.role.name;
  }

  async open(): Promise<void> {
    const { guardPolicies, prepare } = this.#host;
    const opened = await openRuntime(this.#command, this.#io, {
      ...IN_THE_BOX,
      ...(guardPolicies && { guardPolicies }),
      ...(this.#warn && { warn: this.#warn }),
      decidable: true,
      approvals: OVERNIGHT,
      asksForTrust: true,
    });
    this.#opened = opened;
    try {
      await opened.mountServers();
      await prepare?.(opened);
      this.#setup = await runSetup(this.#command, opened, this.#io);
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  /** Applies new choices from the next message on. Keeps the current ones if that fails. */
  async change(choices: Pick<RunCommand, "role" | "model">): Promise<void> {
    const former = { command: this.#command, opened: this.#opened, setup: this.#setup };
    this.#command = { ...this.#command, ...choices };
    try {
      await this.open();
      await former.opened?.runtime.dispose();
    } catch (error) {
      this.#command = former.command;
      this.#opened = former.opened;
      this.#setup = former.setup;
      throw error;
    }
  }

  /** Starts the next turn. Holds the journal only while the turn runs. */
  async start(task: Task | undefined, onEvent: (event: RunEvent) => void): Promise<RunHandle> {
    const { runId, isNew, store } = this.#start;
    const journal = await store.open(runId);
    if (isNew && journal.events.length === 0) store.prune();
    const options: RunOptions = {
      ...this.#ready.options,
      project: projectOf(this.#openedRuntime),
      ...(task !== undefined && taskOptions(task)),
      journal,
      onEvent,
    };
    return startRun(options);
  }

  events(): Promise<readonly DurableEvent[]> {
    return this.#start.store.read(this.runId);
  }

  /** Requests a summary of the conversation before the next turn. Call only while no turn is running. */
  async requestCompaction(): Promise<void> {
    if ((await this.events()).length === 0) return;
    const handle = await this.start(undefined, () => {});
    handle.compact();
    await handle.done;
  }

  async close(): Promise<void> {
    await this.#opened?.runtime.dispose();
    this.#opened = undefined;
  }

  get #ready(): RunSetup {
    if (this.#setup === undefined) throw new Error("the session is not open");
    return this.#setup;
  }

  get #openedRuntime(): CommandRuntime {
    if (this.#opened === undefined) throw new Error("the session is not open");
    return this.#opened;
  }
}

export interface Task {
  readonly text: string;
  /** Told to the model with it; the person is not shown it. */
  readonly note?: string;
  readonly images?: readonly ImageContent[];
}

function taskOptions({ text, ...rest }: Task): Pick<RunOptions, "task" | "note" | "images"> {
  return { task: text, ...rest };
}
