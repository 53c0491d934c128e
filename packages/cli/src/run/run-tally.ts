import type { CallOutcome, RunEvent, RunOutcome, Usage } from "@haft/agent";
import { renderInline } from "@haft/text";
import type { Colours } from "../output/colours.js";
import { duration } from "./call-card.js";

/** Counts what a run came to, for the line that closes it. */
export class RunTally {
  readonly #startedAtMs = performance.now();
  readonly #outcomes = new Map<CallOutcome, number>();
  readonly #changed = new Set<string>();
  #usage: Usage = { inputTokens: 0, outputTokens: 0 };

  hear(event: RunEvent): void {
    if (event.type === "step.ended" && event.usage !== undefined) {
      const { inputTokens, outputTokens } = event.usage;
      this.#usage = {
        inputTokens: this.#usage.inputTokens + inputTokens,
        outputTokens: this.#usage.outputTokens + outputTokens,
      };
    }
    if (event.type !== "call.settled") return;
    this.#outcomes.set(event.outcome, (this.#outcomes.get(event.outcome) ?? 0) + 1);
    for (const { path } of event.effects) this.#changed.add(path);
  }

  /** One line, and where there is something to say about it another. */
  describe(outcome: RunOutcome, colours: Colours): string {
    const isGood = hasSucceeded(outcome);
    const mark = isGood ? colours.green("●") : colours.red("●");
    const parts = [
      counted(outcome.steps, "turn"),
      this.#calls(),
      ...(this.#changed.size > 0 ? [`changed ${this.#files()}`] : []),
      ...(this.#usage.inputTokens > 0
        ? [`${this.#usage.inputTokens} + ${this.#usage.outputTokens} tokens`]
        : []),
      duration(performance.now() - this.#startedAtMs),
    ];
    const lines = [`${mark} ${REASONS[outcome.reason]} ${colours.dim(`(${parts.join(", ")})`)}`];
    if (outcome.error !== undefined) lines.push(`  ${problem(outcome)}`);
    if (outcome.reason === "detached") lines.push(`  haft run --resume ${outcome.runId}`);
    return `${lines.join("\n")}\n`;
  }

  #calls(): string {
    const total = [...this.#outcomes.values()].reduce((sum, count) => sum + count, 0);
    const failed = total - (this.#outcomes.get("ok") ?? 0);
    return failed === 0 ? counted(total, "call") : `${counted(total, "call")}, ${failed} of them not done`;
  }

  #files(): string {
    const paths = [...this.#changed];
    const shown = paths.slice(0, MAX_PATHS).map((path) => renderInline(path, { maxChars: 100 }));
    return paths.length > MAX_PATHS
      ? `${shown.join(", ")} and ${paths.length - MAX_PATHS} more`
      : shown.join(", ");
  }
}

export function hasSucceeded({ reason }: RunOutcome): boolean {
  return reason === "end_turn" || reason === "terminated";
}

const MAX_PATHS = 3;

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

function problem({ error }: RunOutcome): string {
  const hint = error?.hint === undefined ? "" : `. ${error.hint}`;
  return renderInline(`${error?.code}: ${error?.message}${hint}`, { maxChars: 500 });
}

const REASONS: Readonly<Record<RunOutcome["reason"], string>> = {
  end_turn: "done",
  terminated: "done",
  max_steps: "stopped: it took as many turns as it was allowed",
  deadline: "stopped: it took as long as it was allowed",
  loop: "stopped: it went round in circles",
  invalid_args: "stopped: the model kept sending arguments that no tool takes",
  aborted: "stopped: you said no and stop",
  cancelled: "cancelled",
  error: "failed",
  detached: "left, and can be taken up again",
};
