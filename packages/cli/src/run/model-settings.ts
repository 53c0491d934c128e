import type { RunLimits } from "@haft/agent";
import type { HaftConfig } from "@haft/runtime-node";
import { nearestNames } from "@haft/text";
import type { CliIo } from "../cli-io.js";
import { EFFORT_CHOICES } from "../options.js";
import { UsageError } from "../usage-error.js";

/** Model and limit options of the command line. */
export interface ModelChoice {
  readonly model?: string;
  readonly baseUrl?: string;
  readonly effort?: string;
  readonly contextTokens?: number;
  readonly maxSteps?: number;
  readonly maxMinutes?: number;
  readonly maxTokens?: number;
  readonly maxCost?: number;
  readonly retryMinutes?: number;
}

export type Prices = NonNullable<HaftConfig["prices"]>;

/** The model and how to reach it. */
export interface ModelSettings {
  readonly model: string | undefined;
  readonly baseUrl: string | undefined;
  readonly effort: string | undefined;
  readonly prices: Prices | undefined;
}

/** Options take precedence over the environment, and the environment over the configuration. */
export function modelSettings(choice: ModelChoice, config: HaftConfig, { env }: CliIo): ModelSettings {
  return {
    model: choice.model ?? (env.HAFT_MODEL || env.OPENAI_MODEL || config.model),
    baseUrl: choice.baseUrl ?? (env.HAFT_BASE_URL || env.OPENAI_BASE_URL || config.baseUrl),
    effort: choice.effort ?? effortIn(env) ?? config.effort,
    prices: config.prices,
  };
}

/** Resolves the limits of a run from options, environment and configuration. */
export function limitsFor(choice: ModelChoice, config: HaftConfig, { env }: CliIo): Partial<RunLimits> {
  const { run = {} } = config;
  const maxMinutes = choice.maxMinutes ?? run.maxMinutes;
  const contextTokens = choice.contextTokens ?? countIn(env, "HAFT_CONTEXT_TOKENS") ?? config.contextTokens;
  const maxCost = choice.maxCost ?? run.maxCost;
  if (maxCost !== undefined && config.prices === undefined) throw noPrices();
  const set = {
    maxSteps: choice.maxSteps ?? run.maxSteps,
    activeMs: maxMinutes === undefined ? undefined : maxMinutes * 60_000,
    maxTokens: choice.maxTokens ?? run.maxTokens,
    maxCost,
    prices: config.prices,
    retryMs: (choice.retryMinutes ?? run.retryMinutes ?? DEFAULT_RETRY_MINUTES) * 60_000,
    contextTokens,
  };
  return Object.fromEntries(Object.entries(set).filter(([, value]) => value !== undefined));
}

/** Without prices no cost is known, so that the limit would never be reached. */
function noPrices(): UsageError {
  return new UsageError(
    "NO_PRICES",
    "A limit on cost needs the prices of the model",
    'Add them to haft.config.json: "prices": {"inputPerMillion": 3, "outputPerMillion": 15}',
  );
}

const DEFAULT_RETRY_MINUTES = 10;

/** Checked like `--effort`: a provider would answer an unknown level with an error about something else. */
function effortIn({ HAFT_EFFORT: level }: CliIo["env"]): string | undefined {
  if (level === undefined || level === "") return undefined;
  const known: readonly string[] = EFFORT_CHOICES;
  if (known.includes(level)) return level;
  const [nearest] = nearestNames(level, known, 1);
  const shown = JSON.stringify(level.slice(0, 40));
  throw new UsageError(
    "USAGE",
    `HAFT_EFFORT cannot be ${shown}`,
    nearest === undefined ? `Allowed: ${known.join(", ")}.` : `Did you mean ${nearest}?`,
  );
}

function countIn(env: CliIo["env"], name: string): number | undefined {
  const text = env[name];
  if (text === undefined || text === "") return undefined;
  const count = Number(text);
  if (Number.isSafeInteger(count) && count > 0) return count;
  throw new UsageError(
    "USAGE",
    `${name} must be a whole number above 0, not ${JSON.stringify(text.slice(0, 40))}`,
  );
}
