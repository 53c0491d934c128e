import type { ChildProcess } from "node:child_process";

/**
 * Prints what a contained pack prints on standard error, because standard output may carry a protocol. Leaves out
 * V8's report of a full heap: the failed call names the memory limit.
 */
export function forwardOutput({ stdout, stderr }: ChildProcess): void {
  let isReport = false;
  for (const stream of [stdout, stderr]) {
    stream?.on("error", () => {});
    stream?.on("data", (chunk: Buffer) => {
      isReport ||= REPORT.test(chunk.toString("latin1"));
      if (isReport || process.stderr.write(chunk)) return;
      // The reader of standard error is slow, so the pack waits.
      stream.pause();
      process.stderr.once("drain", () => stream.resume());
    });
    // Open pipes of an idle pack do not keep this process alive.
    (stream as { unref?(): void } | null)?.unref?.();
  }
}

const REPORT = /<--- Last few GCs --->|FATAL ERROR: /;
