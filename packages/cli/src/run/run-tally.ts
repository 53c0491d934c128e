import {
  addUsage,
  type CallOutcome,
  changedPaths,
  type RunEvent,
  type RunOutcome,
  type Usage,
  usageOf,
} from "@haft/agent";
import { renderInline } from "@haft/text";
import { thousands } from "../output/thousands.js";
import { duration } from "./call-card.js";
import type { RunTerminal } from "./run-terminal.js";
import { styledRows } from "./styled-rows.js";
import type { Span } from "./words-of.js";

type TallyStyle = Pick<RunTerminal, "colours" | "columns" | "isTerminal">;

/** Counts turns, calls, changes and tokens for the summary line of a run. */
export class RunTally {
  readonly #startedAtMs = performance.now();
  readonly #outcomes = new Map<CallOutcome, number>();
  readonly #paths = new Set<string>();
  #turns = 0;
  /** The message of the model's last failure, if it was already shown. */
  #shownError: string | undefined;
  /** Calls that needed approval without an approver. */
  #unapproved = 0;
  #usage: Usage = { inputTokens: 0, outputTokens: 0 };

  observe(event: RunEvent): void {
    if (event.type === "step.ended") this.#turns += 1;
    if (event.type === "step.failed" && !event.willRetry) this.#shownError = event.error.message;
    if (event.type === "call.settled" && event.code === "APPROVAL_REQUIRED") this.#unapproved += 1;
    this.#usage = addUsage(this.#usage, usageOf(event));
    if (event.type !== "call.settled") return;
    this.#outcomes.set(event.outcome, (this.#outcomes.get(event.outcome) ?? 0) + 1);
    for (const { path } of event.effects) this.#paths.add(path);
  }

  /** Returns the summary line, and a second one with advice where it helps. */
  describe(outcome: RunOutcome, { colours, columns, isTerminal }: TallyStyle): string {
    const { green, red, dim } = colours;
    const changed = changedPaths(this.#paths);
    const head = (told: string): readonly Span[] => [
      { text: "● ", paint: hasSucceeded(outcome) ? green : red },
      { text: `${describeOutcome(outcome)} `, paint: String },
      { text: `(${this.#parts(changed.length > 0 ? [told] : []).join(", ")})`, paint: dim },
    ];
    const shape = { columns: isTerminal ? columns : Number.POSITIVE_INFINITY, first: "", rest: "  " };
    const named = styledRows(head(`changed ${files(changed)}`), shape);
    const rows =
      named.length === 1 ? named : styledRows(head(`${counted(changed.length, "file")} changed`), shape);
    const advice = [this.#problem(outcome, isTerminal), serverAdvice(outcome), this.#approvalAdvice()].filter(
      (text) => text !== "",
    );
    const lines = [
      ...rows,
      ...advice.flatMap((text) => styledRows([{ text, paint: String }], { ...shape, first: "  " })),
      ...(outcome.reason === "detached" ? [`  haft run --continue ${outcome.runId}`] : []),
    ];
    return `${lines.join("\n")}\n`;
  }

  /** Returns the error and its hint. A person sees the error right above; logs repeat it, as they are read from the end. */
  #problem({ error }: RunOutcome, isTerminal: boolean): string {
    if (error === undefined) return "";
    const isShown = isTerminal && error.message === this.#shownError;
    const parts = [...(isShown ? [] : [`${error.code}: ${error.message}`]), error.hint ?? ""];
    return renderInline(parts.filter((part) => part !== "").join(". "), { maxChars: 500 });
  }

  #approvalAdvice(): string {
    if (this.#unapproved === 0) return "";
    const calls = this.#unapproved === 1 ? "1 call needs" : `${this.#unapproved} calls need`;
    return `${calls} approval, but no approver is attached. Run it on a terminal, or see haft help approvals.`;
  }

  #parts(changed: readonly string[]): readonly string[] {
    const { inputTokens, outputTokens } = this.#usage;
    return [
      counted(this.#turns, "turn"),
      this.#calls(),
      ...changed,
      ...(inputTokens > 0 ? [`${thousands(inputTokens)} + ${thousands(outputTokens)} tokens`] : []),
      duration(performance.now() - this.#startedAtMs),
    ];
  }

  #calls(): string {
    const total = [...this.#outcomes.values()].reduce((sum, count) => sum + count, 0);
    const failed = total - (this.#outcomes.get("ok") ?? 0);
    return failed === 0 ? counted(total, "call") : `${counted(total, "call")}, ${failed} not completed`;
  }
}

function files(paths: readonly string[]): string {
  const shown = paths.slice(0, MAX_PATHS).map((path) => renderInline(path, { maxChars: 100 }));
  return paths.length > MAX_PATHS
    ? `${shown.join(", ")} and ${paths.length - MAX_PATHS} more`
    : shown.join(", ");
}

/** Advice for refusals that only the user can resolve: credentials, model names, addresses. */
function serverAdvice({ error }: RunOutcome): string {
  const status =
    error?.code === "MODEL_REFUSED" ? / responded with (\d{3})\b/.exec(error.message)?.[1] : undefined;
  if (status === "401" || status === "403")
    return "Put the key for this server into HAFT_API_KEY. haft help models explains more.";
  return status === "404" ? "Check the model id and the base URL: haft help models." : "";
}

export function describeOutcome({ reason }: Pick<RunOutcome, "reason">): string {
  return REASONS[reason];
}

export function hasSucceeded({ reason }: Pick<RunOutcome, "reason">): boolean {
  return reason === "end_turn" || reason === "terminated";
}

const MAX_PATHS = 3;

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

const REASONS: Readonly<Record<RunOutcome["reason"], string>> = {
  end_turn: "done",
  terminated: "done",
  max_steps: "stopped: it reached its turn limit",
  max_tokens: "stopped: it reached its token limit",
  max_cost: "stopped: it reached its cost limit",
  deadline: "stopped: it reached its time limit",
  loop: "stopped: it repeated the same calls",
  invalid_args: "stopped: the model kept sending invalid arguments",
  output_limit: "stopped: the model's calls kept reaching its output limit",
  aborted: "stopped: you denied a call and stopped the run",
  cancelled: "cancelled",
  error: "failed",
  detached: "detached; it can be continued",
};
