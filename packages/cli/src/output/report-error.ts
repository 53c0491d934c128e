import { renderForHuman } from "@haft/text";
import type { CliIo } from "../cli-io.js";
import { EXIT, type ExitCode } from "../exit-code.js";

export interface KnownError {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly details?: unknown;
}

/** Says on stderr what went wrong: code, cause, hint. Never a stack. */
export function reportError(error: unknown, { stderr }: CliIo): ExitCode {
  const { code, message, hint } = knownError(error);
  const lines = [`haft: ${code}: ${message}`, ...(hint === undefined ? [] : [hint])];
  stderr.write(`${renderForHuman(lines.join("\n"))}\n`);
  return EXIT.usage;
}

/** An error as data. One that was not thrown on purpose keeps its message. */
export function knownError(error: unknown): KnownError {
  const { code, message, hint, details } = error as Partial<KnownError>;
  const text = typeof message === "string" && message !== "" ? message : String(error);
  return {
    code: typeof code === "string" ? code : "INTERNAL",
    message: text,
    ...(typeof hint === "string" ? { hint } : {}),
    ...(details === undefined ? {} : { details }),
  };
}
