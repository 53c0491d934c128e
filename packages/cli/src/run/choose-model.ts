import type { ModelClient } from "@haft/agent";
import { openAiModel } from "@haft/agent/openai";
import type { CliIo } from "../cli-io.js";
import { UsageError } from "../usage-error.js";
import type { ModelSettings } from "./model-settings.js";

/** Connects to the model. The API key comes only from the environment. */
export async function chooseModel(
  settings: ModelSettings & { readonly workspace: string | undefined },
  { env }: CliIo,
): Promise<ModelClient> {
  const { model, effort, workspace } = settings;
  if (settings.baseUrl === undefined && model?.includes("/") === true) {
    const { loadProviderModel } = await import("./load-provider.js");
    return loadProviderModel({ id: model, effort, apiKey: env.HAFT_API_KEY || undefined, workspace });
  }
  const apiKey = env.HAFT_API_KEY || env.OPENAI_API_KEY || undefined;
  const server = settings.baseUrl ?? defaultServer(apiKey);
  if (server === undefined) throw noServer();
  const baseUrl = checkedUrl(server);
  if (model === undefined) throw noModel();
  return openAiModel({
    baseUrl,
    model,
    ...(apiKey !== undefined && { apiKey }),
    ...(effort !== undefined && { body: { reasoning_effort: effort } }),
  });
}

/** A key without a server selects OpenAI. */
function defaultServer(apiKey: string | undefined): string | undefined {
  return apiKey === undefined ? undefined : "https://api.openai.com/v1";
}

function checkedUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === "http:" || url?.protocol === "https:") return text;
  throw new UsageError(
    "INVALID_URL",
    `${JSON.stringify(text.slice(0, 200))} is not the URL of a model server`,
    "Include the version, as in http://127.0.0.1:11434/v1.",
  );
}

function noServer(): UsageError {
  return new UsageError(
    "NO_MODEL",
    "No model server is configured",
    "Name an OpenAI-compatible server with --base-url, OPENAI_BASE_URL or baseUrl in haft.config.json, and put its key into OPENAI_API_KEY.\nFor example: haft --base-url http://127.0.0.1:11434/v1 --model qwen3\nhaft help models lists other providers.",
  );
}

function noModel(): UsageError {
  return new UsageError(
    "NO_MODEL",
    "No model is configured",
    "Name one with --model ID, HAFT_MODEL or model in haft.config.json.",
  );
}
