import { ModelError } from "../model/model-error.js";
import type { OpenAiModelOptions } from "./openai-model.js";

/**
 * Redacts secrets from an error and truncates it. Servers repeat rejected keys, and errors are shown, stored and
 * shared. Truncates last, because half a key is a secret too.
 */
export function withoutSecrets(error: ModelError, options: OpenAiModelOptions): ModelError {
  const clean = secretsOf(options).reduce(
    (text, secret) => text.split(secret).join("[redacted]"),
    error.message,
  );
  const message = clean.length > MAX_MESSAGE ? `${clean.slice(0, MAX_MESSAGE)}…` : clean;
  if (message === error.message) return error;
  const { code, retryable, retryAfterMs, cause } = error;
  return new ModelError(code, message, { retryable, retryAfterMs, ...(cause !== undefined && { cause }) });
}

const MAX_MESSAGE = 600;

/** Longest first, so that no remainder of another secret is left. */
function secretsOf({ apiKey = "", headers = {}, baseUrl }: OpenAiModelOptions): readonly string[] {
  const given = Object.entries(headers).flatMap(([name, value]) =>
    SENSITIVE.test(name) ? [value, ...value.split(/[\s;,]+/)] : [],
  );
  const password = URL.canParse(baseUrl) ? new URL(baseUrl).password : "";
  return [apiKey, password, ...given]
    .filter(({ length }) => length >= MIN_SECRET)
    .sort((a, b) => b.length - a.length);
}

const SENSITIVE = /auth|key|token|secret|cookie|password|credential/i;

// Shorter values ("none", "ollama") are ordinary words.
const MIN_SECRET = 8;
