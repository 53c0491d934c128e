import {
  CYCLED_MODES,
  describeMode,
  PLAN_INSTRUCTION,
  type RunHandle,
  SESSION_MODES,
  type SessionMode,
} from "@haft/agent";
import type { ChangeSummary } from "@haft/core";
import { nearestNames } from "@haft/text";
import type { CliIo } from "../cli-io.js";
import { knownError } from "../output/report-error.js";
import { showRunDiff } from "../run/show-run-diff.js";
import { undoneCalls, undoRun } from "../run/undo-run.js";
import type { SessionView } from "./session-view.js";
import type { SessionWork, Task } from "./session-work.js";
import { SLASH_COMMANDS, type SlashCommand, slashHelp } from "./slash-commands.js";

interface SessionCommandParts {
  readonly io: CliIo;
  readonly work: SessionWork;
  readonly mode: SessionMode;
  view(): CommandView;
  /** The handle of the current turn, if one is running. */
  handle(): RunHandle | undefined;
  quit(): void;
}

type CommandView = Pick<SessionView, "note" | "cost" | "columns" | "lend">;

/** Executes slash commands and mode changes. */
export class SessionCommands {
  readonly #parts: SessionCommandParts;
  #mode: SessionMode;
  /** The role used outside plan mode. */
  #role: string;
  #notes: string[] = [];
  #settled: Promise<void> = Promise.resolve();

  constructor(parts: SessionCommandParts) {
    this.#parts = parts;
    this.#mode = parts.mode;
    this.#role = parts.work.role;
  }

  get mode(): SessionMode {
    return this.#mode;
  }

  /** Resolves when all commands so far have finished. */
  get settled(): Promise<void> {
    return this.#settled;
  }

  /** Adds context to the message: the user's actions meanwhile, and the mode. */
  withNotes(message: Task): Task {
    const told = this.#notes.map((note) => `(${note})`);
    const notes = this.#mode === "plan" ? [...told, PLAN_INSTRUCTION] : told;
    this.#notes = [];
    return notes.length === 0 ? message : { ...message, note: notes.join("\n") };
  }

  /** Never rejects; reports failures in the view. */
  run({ name, argument }: SlashCommand): Promise<void> {
    this.#settled = this.#settled
      .then(() => this.#execute(name, argument))
      .catch((error: unknown) => {
        const { code, message, hint } = knownError(error);
        this.#note(`${code}: ${message}${hint === undefined ? "" : `\n${hint}`}`);
      });
    return this.#settled;
  }

  nextMode(): void {
    const at = CYCLED_MODES.indexOf(this.#mode);
    void this.run({ name: "approve", argument: CYCLED_MODES[(at + 1) % CYCLED_MODES.length] ?? "ask" });
  }

  async #execute(name: string, argument: string): Promise<void> {
    switch (name) {
      case "help":
        return this.#note(slashHelp(this.#parts.view().columns));
      case "model":
        return this.#model(argument);
      case "role":
        return this.#setRole(argument);
      case "approve":
        return this.#approve(argument);
      case "compact":
        return this.#compact();
      case "undo":
        if (argument !== "" && argument !== "all")
          return this.#note(
            "Nothing was undone. /undo takes the last change back, /undo all the whole session.",
          );
        return this.#undo(argument === "all");
      case "diff":
        return this.#diff();
      case "cost":
        return this.#note(this.#parts.view().cost);
      case "quit":
      case "exit":
        return this.#parts.quit();
    }
    const [nearest] = nearestNames(name, Object.keys(SLASH_COMMANDS), 1);
    this.#note(
      `/${name} is not a command. ${nearest === undefined ? "/help lists them." : `Did you mean /${nearest}?`}`,
    );
  }

  async #model(model: string): Promise<void> {
    const { work } = this.#parts;
    if (model === "") return this.#note(`The model is ${work.settings.model}.`);
    if (this.#isBusy()) return;
    await work.change({ model });
    this.#note(`The model is ${model} from now on.`);
  }

  async #setRole(role: string): Promise<void> {
    const { work } = this.#parts;
    if (role === "") return this.#note(`The role is ${work.role}.`);
    if (this.#isBusy()) return;
    await work.change({ role });
    this.#role = work.role;
    this.#note(`The role is ${work.role} from now on.`);
  }

  async #approve(wanted: string): Promise<void> {
    const mode = SESSION_MODES.find((one) => one === wanted);
    if (wanted === "")
      return this.#note(`The mode is ${describeMode(this.#mode)}. Others: /approve ask, edits or plan.`);
    if (mode === undefined) return this.#note(`${wanted} is not a mode. Choose ask, edits or plan.`);
    const changesRole = (mode === "plan") !== (this.#mode === "plan");
    if (changesRole && this.#isBusy()) return;
    if (changesRole) await this.#parts.work.change({ role: mode === "plan" ? "reader" : this.#role });
    this.#mode = mode;
    this.#note(`The mode is ${describeMode(mode)} from now on.`);
  }

  async #compact(): Promise<void> {
    const handle = this.#parts.handle();
    if (handle !== undefined) return handle.compact();
    await this.#parts.work.requestCompaction();
    this.#note("The conversation will be summarized before the next turn.");
  }

  async #undo(isAll: boolean): Promise<void> {
    if (this.#isBusy()) return;
    const { work } = this.#parts;
    const undone: ChangeSummary[] = [];
    for await (const changes of undoRun(work.runtime, work.runId, isAll ? {} : { most: 1 }))
      undone.push(...changes);
    if (undone.length === 0) return this.#note("This session has made no changes that can be undone.");
    const list = undone.map(describeUndone).join(", ");
    this.#notes.push(`The user undid your changes: ${list}. Read the files again before you edit them.`);
    this.#note(`Undone: ${list}`);
  }

  async #diff(): Promise<void> {
    const { io, work } = this.#parts;
    const undone = await undoneCalls(work.runtime);
    const events = (await work.events()).filter(
      (event) => event.type !== "call.settled" || !undone.has(event.callId),
    );
    const isShown = await this.#parts.view().lend(() => showRunDiff(events, io));
    if (!isShown) this.#note("No change of this session is left.");
  }

  #isBusy(): boolean {
    if (this.#parts.handle() === undefined) return false;
    this.#note("The model is working. Press Esc to interrupt it first.");
    return true;
  }

  #note(text: string): void {
    this.#parts.view().note(text);
  }
}

/** Describes what an undo did to one file. */
function describeUndone({ kind, path, from }: ChangeSummary): string {
  if (kind === "move") return `moved ${from} back to ${path}`;
  return `${kind === "delete" ? "removed" : "restored"} ${path}`;
}
