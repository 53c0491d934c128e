import type { Writable } from "node:stream";
import { messageOf } from "@haft/core";
import { renderInline } from "@haft/text";
import { EXIT, type ExitCode } from "../exit-code.js";

export interface Outputs {
  readonly stdout: Writable;
  readonly stderr: Writable;
}

export interface OutputWatch {
  /** The code of a command that ended with this one: what could not be written is a failure. */
  codeFor(code: ExitCode): ExitCode;
}

/**
 * Hears of everything that cannot be written, so that it ends no process in the middle of its work. A reader that has gone
 * (`haft tools | head -1`) is no failure; a full disk is one, and is told once.
 */
export function watchOutput({ stdout, stderr }: Outputs, onFailure: () => void): OutputWatch {
  let hasFailed = false;
  const fail = (error: NodeJS.ErrnoException, what: string) => {
    if (hasFailed || HAS_GONE.has(error.code ?? "")) return;
    hasFailed = true;
    stderr.write(`haft: CANNOT_WRITE: ${what}: ${renderInline(messageOf(error))}\n`);
    onFailure();
  };
  stdout.on("error", (error) => fail(error, "standard output"));
  stderr.on("error", (error) => fail(error, "standard error"));
  return { codeFor: (code) => (hasFailed ? EXIT.failed : code) };
}

const HAS_GONE: ReadonlySet<string> = new Set(["EPIPE", "ECONNRESET", "ERR_STREAM_DESTROYED", "EIO"]);
