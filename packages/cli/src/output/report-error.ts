import { inspect } from "node:util";
import { renderForHuman } from "@haft/text";
import { lineColumns } from "../ask/terminal-size.js";
import type { CliIo } from "../cli-io.js";
import { EXIT, type ExitCode } from "../exit-code.js";
import { Interrupted } from "../interrupted.js";
import { wrappedLines } from "../run/styled-rows.js";

export interface KnownError {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly details?: unknown;
}

/** Prints code, message and hint on stderr, with a stack if HAFT_DEBUG=1. */
export function reportError(error: unknown, { stderr, env }: CliIo): ExitCode {
  if (error instanceof Interrupted) return EXIT.interrupted;
  const { code, message, hint } = knownError(error);
  const stack = env.HAFT_DEBUG === "1" && error instanceof Error ? [inspect(error)] : [];
  const told = renderForHuman(
    [`haft: ${code}: ${message}`, ...(hint === undefined ? [] : [hint])].join("\n"),
  );
  const lines = [...wrappedLines(told, lineColumns(stderr)), ...stack.map((text) => renderForHuman(text))];
  stderr.write(`${lines.join("\n")}\n`);
  // Neither a defect of ours nor a damaged state folder is wrong usage.
  return code === "INTERNAL" || code.startsWith("STATE_") ? EXIT.failed : EXIT.usage;
}

/** Converts any error into data. Unexpected errors keep their message. */
export function knownError(error: unknown): KnownError {
  const { code, message, hint, details } = error as Partial<KnownError>;
  const text = typeof message === "string" && message !== "" ? message : String(error);
  const advice = typeof hint === "string" ? hint : SYSTEM_HINTS[String(code)];
  return {
    code: typeof code === "string" ? code : "INTERNAL",
    // The system's own errors repeat their code.
    message: text.startsWith(`${code}: `) ? text.slice(`${code}: `.length) : text,
    ...(advice === undefined ? {} : { hint: advice }),
    ...(details === undefined ? {} : { details }),
  };
}

const SYSTEM_HINTS: Readonly<Record<string, string>> = {
  ENOSPC: "Free some space on the disk, then repeat the command.",
  EDQUOT: "Your disk quota is used up. Free some space, then repeat the command.",
  EROFS: "The folder cannot be written to. XDG_STATE_HOME moves what Haft keeps to another one.",
};
