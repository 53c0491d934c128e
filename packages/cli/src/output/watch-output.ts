import type { Writable } from "node:stream";
import { messageOf } from "@haft/core";
import { renderInline } from "@haft/text";
import { EXIT, type ExitCode } from "../exit-code.js";

interface Outputs {
  readonly stdout: Writable;
  readonly stderr: Writable;
}

interface OutputWatch {
  /** Returns the final exit code: failed if output was lost. */
  codeFor(code: ExitCode): ExitCode;
}

/**
 * Handles write errors so that they do not crash the process. A reader that went away (`haft tools | head -1`) is not a
 * failure; a full disk is, and is reported once.
 */
export function watchOutput({ stdout, stderr }: Outputs, onFailure: () => void): OutputWatch {
  let hasFailed = false;
  const fail = (error: NodeJS.ErrnoException, what: string) => {
    if (hasFailed || READER_GONE.has(error.code ?? "")) return;
    hasFailed = true;
    stderr.write(`haft: CANNOT_WRITE: ${what}: ${renderInline(messageOf(error))}\n`);
    onFailure();
  };
  stdout.on("error", (error) => fail(error, "standard output"));
  stderr.on("error", (error) => fail(error, "standard error"));
  return { codeFor: (code) => (hasFailed ? EXIT.failed : code) };
}

const READER_GONE: ReadonlySet<string> = new Set(["EPIPE", "ECONNRESET", "ERR_STREAM_DESTROYED", "EIO"]);
