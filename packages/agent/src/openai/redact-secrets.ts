import { ModelError } from "../model/model-error.js";
import type { OpenAiModelOptions } from "./openai-model.js";

/**
 * The same failure without what only we and the server may know, and no longer than is worth reading. Servers repeat the key
 * they refuse; a failure is shown, journalled and told to others. Cut only afterwards: half a key is one too.
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

/** The longest first, so that none is left over as the rest of another. */
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

// What is shorter ("none", "ollama") is a word, and may stand in any message.
const MIN_SECRET = 8;
