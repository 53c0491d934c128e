import type { ModelClient } from "@haft/agent";
import { openAiModel } from "@haft/agent/openai";
import type { CliIo } from "../cli-io.js";
import { UsageError } from "../usage-error.js";

export interface ModelChoice {
  readonly model?: string;
  readonly baseUrl?: string;
}

/** The model that does the work: what the command line says, else what the environment does. */
export function chooseModel(choice: ModelChoice, { env }: CliIo): ModelClient {
  const apiKey = env.HAFT_API_KEY || env.OPENAI_API_KEY || undefined;
  const server = choice.baseUrl ?? (env.HAFT_BASE_URL || env.OPENAI_BASE_URL || ifKnown(apiKey));
  if (server === undefined) throw noServer();
  const baseUrl = checkedUrl(server);
  const model = choice.model ?? (env.HAFT_MODEL || env.OPENAI_MODEL || undefined);
  if (model === undefined) throw noModel();
  return openAiModel({ baseUrl, model, ...(apiKey !== undefined && { apiKey }) });
}

/** A key alone means the service that gave it out. */
function ifKnown(apiKey: string | undefined): string | undefined {
  return apiKey === undefined ? undefined : "https://api.openai.com/v1";
}

function checkedUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === "http:" || url?.protocol === "https:") return text;
  throw new UsageError(
    "INVALID_URL",
    `${JSON.stringify(text.slice(0, 200))} is not the URL of a model server`,
    "Such as http://127.0.0.1:11434/v1, up to and with the version.",
  );
}

function noServer(): UsageError {
  return new UsageError(
    "NO_MODEL",
    "There is no model to do the work",
    "Name an OpenAI-compatible server with --base-url or OPENAI_BASE_URL, and its key in OPENAI_API_KEY.",
  );
}

function noModel(): UsageError {
  return new UsageError("NO_MODEL", "No model was named", "Name one: --model ID, or HAFT_MODEL.");
}
