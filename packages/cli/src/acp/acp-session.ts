import {
  type AgentContext,
  type ContentBlock,
  methods,
  type SessionModeState,
  type SessionUpdate,
  type StopReason,
} from "@agentclientprotocol/sdk";
import type { RunEvent, RunHandle, RunOutcome, SessionMode } from "@haft/agent";
import type { CliIo } from "../cli-io.js";
import { describeOutcome } from "../run/run-tally.js";
import { SessionCommands } from "../session/session-commands.js";
import type { SessionWork } from "../session/session-work.js";
import { parseSlash, SLASH_COMMANDS } from "../session/slash-commands.js";
import { SessionMeter } from "../session/status-line.js";
import { EditorApprover } from "./editor-approver.js";
import { offeredModes } from "./offered-modes.js";
import { type PromptMessage, promptMessage } from "./prompt-message.js";
import { requestFailed } from "./request-failed.js";
import { SessionUpdates } from "./session-updates.js";
import { SILENT_OUTCOMES, stopReason } from "./stop-reason.js";

interface AcpSessionParts {
  readonly io: CliIo;
  readonly work: SessionWork;
  readonly mode: SessionMode;
  client(): Pick<AgentContext, "request" | "notify">;
}

/** A session shown in an editor. It shares runs, modes, commands and approvals with sessions in the terminal. */
export class AcpSession {
  readonly #parts: AcpSessionParts;
  readonly #commands: SessionCommands;
  readonly #meter: SessionMeter;
  readonly #approver: EditorApprover;
  #handle: RunHandle | undefined;
  /** The turn under way, from the moment its prompt arrives. */
  #started: Promise<RunHandle> | undefined;
  #sent: Promise<unknown> = Promise.resolve();

  constructor(parts: AcpSessionParts) {
    this.#parts = parts;
    const { work, mode } = parts;
    this.#meter = new SessionMeter(work.settings.prices);
    const note = (text: string) => this.#say(text);
    this.#commands = new SessionCommands({
      io: parts.io,
      work,
      mode,
      view: () => ({ note, columns: 80, cost: this.#meter.describe(), lend: (work) => work() }),
      handle: () => this.#handle,
      quit: () => {},
    });
    this.#approver = new EditorApprover({
      sessionId: work.runId,
      mode: () => this.#commands.mode,
      workspace: () => work.runtime.workspace,
      handle: () => this.#handle,
      client: parts.client,
    });
  }

  get id(): string {
    return this.#parts.work.runId;
  }

  get modes(): SessionModeState {
    return offeredModes(this.#commands.mode);
  }

  /** Sends the editor everything that happened before. */
  async replay(): Promise<void> {
    const updates = this.#updates();
    for (const event of await this.#parts.work.events()) {
      this.#meter.observe(event);
      for (const update of updates.replayed(event)) this.#send(update);
    }
    await this.#sent;
  }

  announceCommands(): void {
    const availableCommands = COMMANDS.map((name) => ({
      name,
      description: SLASH_COMMANDS[name]?.what ?? name,
      ...(INPUTS[name] !== undefined && { input: { hint: INPUTS[name] } }),
    }));
    this.#send({ sessionUpdate: "available_commands_update", availableCommands });
  }

  /** Answers one prompt. A prompt that arrives during a turn steers that turn. */
  async prompt(blocks: readonly ContentBlock[], signal: AbortSignal): Promise<StopReason> {
    const message = promptMessage(blocks);
    const slash = parseSlash(message.text);
    if (slash !== undefined && COMMANDS.includes(slash.name)) {
      await this.#commands.run(slash);
      await this.#sent;
      return "end_turn";
    }
    const stop = () => this.cancel();
    signal.addEventListener("abort", stop, { once: true });
    try {
      const outcome = await this.#run(message);
      await this.#sent;
      if (outcome.reason === "error") throw requestFailed(outcome.error);
      return stopReason(outcome);
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  cancel(): void {
    const reason = "cancelled in the editor";
    if (this.#handle !== undefined) this.#handle.cancel(reason);
    else
      this.#started?.then(
        (handle) => handle.cancel(reason),
        () => {},
      );
  }

  async setMode(mode: string): Promise<void> {
    await this.#commands.run({ name: "approve", argument: mode });
    if (this.#commands.mode !== mode) throw requestFailed(MODE_REFUSED);
  }

  /** Leaves the run in a state that can be continued. */
  async close(): Promise<void> {
    const handle = await this.#started?.catch(() => undefined);
    handle?.detach();
    await handle?.done;
    await this.#parts.work.close();
  }

  async #run({ text, images }: PromptMessage): Promise<RunOutcome> {
    if (this.#started !== undefined) {
      const handle = await this.#started;
      handle.say(text, images);
      return handle.done;
    }
    const { work } = this.#parts;
    const updates = this.#updates();
    const task = this.#commands.withNotes({ text, images });
    this.#started = work.start(task, (event) => this.#observe(event, updates));
    try {
      const handle = await this.#started;
      this.#handle = handle;
      const outcome = await handle.done;
      if (!SILENT_OUTCOMES.has(outcome.reason)) this.#say(`${describeOutcome(outcome)}.`);
      return outcome;
    } finally {
      this.#handle = undefined;
      this.#started = undefined;
    }
  }

  #updates(): SessionUpdates {
    const { work } = this.#parts;
    const { runtime, limits } = work;
    return new SessionUpdates({ workspace: runtime.workspace, limits, tools: () => runtime.tools() });
  }

  #observe(event: RunEvent, updates: SessionUpdates): void {
    this.#meter.observe(event);
    for (const update of updates.live(event)) this.#send(update);
    if (event.type === "approval.requested") void this.#approver.decide(event.approval);
  }

  /** Sends a message from the session itself, not from the model. */
  #say(text: string): void {
    this.#send({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: `${text}\n` } });
  }

  #send(update: SessionUpdate): void {
    const sent = this.#parts.client().notify(methods.client.session.update, { sessionId: this.id, update });
    this.#sent = Promise.allSettled([this.#sent, sent]);
  }
}

const COMMANDS = ["model", "role", "compact", "undo", "cost"];
const INPUTS: Readonly<Record<string, string>> = { model: "ID", role: "NAME", undo: "all" };

const MODE_REFUSED = {
  code: "INVALID_ARGUMENTS",
  message: "The mode was not changed",
  hint: "Choose ask, edits or plan; cancel the turn first to switch to or from plan.",
};
