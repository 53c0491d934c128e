import { addUsage, costOf, type RunEvent, type RunLimits, type Usage, usageOf } from "@haft/agent";
import { countOf } from "@haft/text";
import { fitColumns } from "../output/fit-columns.js";
import { thousands } from "../output/thousands.js";
import type { Prices } from "../run/model-settings.js";

/** Tracks the token usage and cost of a session. */
export class SessionMeter {
  readonly #prices: Prices | undefined;
  #used: Usage = { inputTokens: 0, outputTokens: 0 };
  /** Tokens sent and received in the last turn, which is the context in use. */
  #contextTokens = 0;

  constructor(prices: Prices | undefined) {
    this.#prices = prices;
  }

  observe(event: RunEvent): void {
    const usage = usageOf(event);
    this.#used = addUsage(this.#used, usage);
    if (event.type === "step.ended" && usage !== undefined)
      this.#contextTokens = usage.inputTokens + usage.outputTokens;
  }

  /** Returns text such as "12.3k of 128k tokens". */
  context({ contextTokens }: Pick<RunLimits, "contextTokens">): string {
    const used = thousands(this.#contextTokens);
    return contextTokens === undefined ? `${used} tokens` : `${used} of ${thousands(contextTokens)} tokens`;
  }

  /** Undefined if no prices are configured. */
  get cost(): string | undefined {
    if (this.#prices === undefined) return undefined;
    const dollars = costOf(this.#used, this.#prices);
    return `$${dollars.toFixed(dollars < 1 ? 3 : 2)}`;
  }

  describe(): string {
    const { inputTokens, outputTokens } = this.#used;
    const tokens = `${countOf(inputTokens, "input token")}, ${countOf(outputTokens, "output token")}`;
    return this.cost === undefined
      ? `${tokens}. No prices are configured: set prices in haft.config.json to see the cost.`
      : `${tokens}, ${this.cost}`;
  }
}

/** Joins the parts, most important first. Drops parts from the end that do not fit. */
export function statusLine(parts: readonly (string | undefined)[], columns: number): string {
  let line = "";
  for (const part of parts) {
    if (part === undefined || part === "") continue;
    const longer = line === "" ? part : `${line} · ${part}`;
    if (longer.length > columns && line !== "") break;
    line = longer;
  }
  return fitColumns(line, columns);
}
