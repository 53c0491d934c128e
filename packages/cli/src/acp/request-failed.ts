import { RequestError } from "@agentclientprotocol/sdk";
import type { ErrorInfo } from "@haft/core";

const INTERNAL_ERROR = -32603;

/** Creates the error an editor shows: code, message and hint. */
export function requestFailed({
  code,
  message,
  hint,
}: Pick<ErrorInfo, "code" | "message" | "hint"> = UNKNOWN): RequestError {
  const text = `${code}: ${message}${hint === undefined ? "" : `. ${hint}`}`;
  return new RequestError(INTERNAL_ERROR, text, { code, ...(hint !== undefined && { hint }) });
}

const UNKNOWN = { code: "INTERNAL", message: "The run failed" };
