import { ModelError, type ModelErrorCode } from "./model-error.js";

/** Converts an error that a server reports inside a response that began well. Servers share no form for it. */
export function reportedError(error: unknown, server: string): ModelError {
  const { message, kind } = detailsOf(error);
  const code = codeOf(message, kind);
  return new ModelError(code, `${server} reported: ${message.slice(0, MAX_ERROR_CHARS)}`, {
    retryable: code === "MODEL_OVERLOADED" || code === "MODEL_FAILED",
  });
}

/** Servers share no code for this. Matches OpenAI, Anthropic, Gemini, vLLM, llama.cpp, Ollama and the large proxies. */
export function saysContextIsFull(text: string): boolean {
  return /context[ _](?:length|window|size)|maximum context|too many tokens|prompt is too long|input (?:is )?too long|exceeds? .{0,40}context|input token count.{0,40}exceeds/i.test(
    text,
  );
}

function codeOf(message: string, kind: string): ModelErrorCode {
  if (saysContextIsFull(`${kind} ${message}`)) return "CONTEXT_FULL";
  if (/overload|rate_?limit|too_many|exhausted|\b(?:429|529)\b/i.test(kind)) return "MODEL_OVERLOADED";
  const isRefused = /invalid|authentication|permission|not_found|too_large|billing|\b4(?!08)\d\d\b/i.test(
    kind,
  );
  return isRefused ? "MODEL_REFUSED" : "MODEL_FAILED";
}

interface WireError {
  readonly message?: unknown;
  readonly type?: unknown;
  readonly code?: unknown;
  readonly error?: unknown;
}

function detailsOf(error: unknown): { readonly message: string; readonly kind: string } {
  if (typeof error !== "object" || error === null) return { message: String(error), kind: "" };
  const { message, type, code, error: inner } = error as WireError;
  if (message === undefined && inner !== undefined) return detailsOf(inner);
  const text = typeof message === "string" ? message : JSON.stringify(message ?? error);
  return { message: text, kind: [type, code].filter((part) => part !== undefined).join(" ") };
}

// More than is shown, because secrets are redacted before it is cut.
const MAX_ERROR_CHARS = 64 * 1024;
