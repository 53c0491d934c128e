import { inspect } from "node:util";
import { renderForHuman } from "@haft/text";
import type { CliIo } from "../cli-io.js";
import { EXIT, type ExitCode } from "../exit-code.js";

export interface KnownError {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly details?: unknown;
}

/** Says on stderr what went wrong: code, cause, hint. A stack only for whoever sets HAFT_DEBUG=1. */
export function reportError(error: unknown, { stderr, env }: CliIo): ExitCode {
  const { code, message, hint } = knownError(error);
  const stack = env.HAFT_DEBUG === "1" && error instanceof Error ? [inspect(error)] : [];
  const lines = [`haft: ${code}: ${message}`, ...(hint === undefined ? [] : [hint]), ...stack];
  stderr.write(`${renderForHuman(lines.join("\n"))}\n`);
  // What was not thrown on purpose is a defect of ours, not of the command line.
  return code === "INTERNAL" ? EXIT.failed : EXIT.usage;
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
