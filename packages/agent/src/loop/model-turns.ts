import type { ToolDescription } from "@haft/core";
import { compactTools, formatSystemPrompt } from "@haft/prompt-formatter";
import { offeredTools } from "../offer/offered-tools.js";
import { backOffMs } from "./back-off.js";
import type { Command } from "./decide.js";
import { pause } from "./pause.js";
import type { RunLog } from "./run-log.js";
import type { RunOptions } from "./run-options.js";
import { summarize } from "./summarize.js";
import { takeTurn } from "./take-turn.js";

/** Calls the model for one attempt at a turn, or for a summary. Appends the result to the log unless aborted. */
export class ModelTurns {
  readonly #options: RunOptions;
  readonly #log: RunLog;

  constructor(options: RunOptions, log: RunLog) {
    this.#options = options;
    this.#log = log;
  }

  async think(command: Extract<Command, { readonly type: "think" }>, signal: AbortSignal): Promise<void> {
    const { runtime, model, retryDelayMs: baseMs } = this.#options;
    const { retryAfterMs } = this.#log.state;
    const { step, attempt } = command;
    const ms = backOffMs(attempt, { retryAfterMs, baseMs });
    if (ms > 0) this.#log.emit({ type: "retry.waiting", step, attempt, ms });
    await pause(ms, signal);
    if (signal.aborted) return;
    const tools = runtime.tools();
    const shown = this.#shown(tools);
    const system = this.#options.system ?? (await this.#defaultPrompt(tools));
    if (signal.aborted) return;
    const turn = { ...command, log: this.#log, system, model, tools, shown, signal };
    const body = await takeTurn(turn);
    if (!signal.aborted) this.#log.append(body);
  }

  async summarize(signal: AbortSignal): Promise<void> {
    const { state, events } = this.#log;
    const upToSeq = state.lastSeq;
    const result = await summarize(this.#options.model, { events, limits: state.limits, signal });
    if (!signal.aborted) this.#log.append({ type: "context.compacted", cleared: [], ...result, upToSeq });
  }

  /** Built for every turn, because files the run has touched may add instructions. */
  async #defaultPrompt(all: readonly ToolDescription[]): Promise<string> {
    const { deferTools, style, project } = this.#options;
    const tools = deferTools === true ? offeredTools(all) : all;
    const context =
      typeof project === "function" ? await project(Object.keys(this.#log.state.seen)) : project;
    return formatSystemPrompt(tools, { ...(style !== undefined && { style }), ...context });
  }

  #shown(tools: readonly ToolDescription[]): readonly ToolDescription[] {
    const { deferTools, style } = this.#options;
    const offered = deferTools === true ? offeredTools(tools, this.#log.events) : tools;
    return style === "compact" ? compactTools(offered) : offered;
  }
}
