import { ToolError } from "@haft/core";
import { takeLock } from "@haft/runtime-node/state";

/** Makes this process the only writer of a journal. Returns a function that releases it. Throws RUN_BUSY. */
export function takeWriterLock(path: string): () => void {
  return takeLock(
    path,
    ({ pid }) =>
      new ToolError("RUN_BUSY", `Process ${pid} is driving this run`, {
        hint: "Wait until it has ended, or stop it.",
        details: { pid },
      }),
  );
}
