import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ModelClient } from "@haft/agent";
import type { AiSdk } from "@haft/agent/ai-sdk";
import { messageOf } from "@haft/core";
import { UsageError } from "../usage-error.js";

interface ProviderModel {
  /** A provider and model id, such as "anthropic/claude-sonnet-5-5". */
  readonly id: string;
  readonly effort: string | undefined;
  /** Default: the provider's own environment variable. */
  readonly apiKey: string | undefined;
  /** An additional folder to load the packages from; undefined if its code is not trusted. */
  readonly workspace: string | undefined;
}

/**
 * Loads a model through the provider's AI SDK package. Neither `ai` nor the provider is a dependency of this command.
 */
export async function loadProviderModel({
  id,
  effort,
  apiKey,
  workspace,
}: ProviderModel): Promise<ModelClient> {
  const [provider = "", ...rest] = id.split("/");
  const model = rest.join("/");
  if (model === "")
    throw new UsageError(
      "NO_MODEL",
      `${JSON.stringify(id.slice(0, 60))} names no model`,
      "Use provider/model, for example anthropic/claude-sonnet-5-5.",
    );
  const module = load(`@ai-sdk/${checked(provider)}`, provider, workspace);
  const sdk = load("ai", provider, workspace) as unknown as AiSdk;
  const create = Object.entries(module).find(
    ([name, value]) => /^create[A-Z]/.test(name) && typeof value === "function",
  )?.[1] as ((settings: object) => (id: string) => never) | undefined;
  if (create === undefined) throw new UsageError("NO_MODEL", `@ai-sdk/${provider} offers no models`);
  // Its warnings would interrupt the session's output.
  (globalThis as { AI_SDK_LOG_WARNINGS?: boolean }).AI_SDK_LOG_WARNINGS = false;
  const { aiSdkModel } = await import("@haft/agent/ai-sdk");
  const connect = create(apiKey === undefined ? {} : { apiKey });
  return aiSdkModel({ sdk, model: connect(model), ...(effort !== undefined && { effort }) });
}

function checked(provider: string): string {
  if (/^[a-z][a-z0-9-]{0,40}$/.test(provider)) return provider;
  throw new UsageError(
    "NO_MODEL",
    `${JSON.stringify(provider.slice(0, 60))} is not the name of a provider`,
    "Use provider/model, for example anthropic/claude-sonnet-5-5.",
  );
}

function load(name: string, provider: string, workspace: string | undefined): Record<string, unknown> {
  for (const folder of [OWN_FOLDER, ...(workspace === undefined ? [] : [workspace])]) {
    try {
      // Uses require because the bundler would rewrite a dynamic import.
      return createRequire(join(folder, "haft.js"))(name) as Record<string, unknown>;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "MODULE_NOT_FOUND")
        throw new UsageError("NO_MODEL", `${name} cannot be loaded: ${messageOf(error)}`);
    }
  }
  throw new UsageError(
    "NO_MODEL",
    `${name} is not installed`,
    `Install it beside haft or in the project: npm install ai @ai-sdk/${provider} (on Node 20: ai@6 and the version of @ai-sdk/${provider} made for it). The project is searched if --model names the provider or the workspace is trusted.`,
  );
}

const OWN_FOLDER = fileURLToPath(new URL(".", import.meta.url));
