import { Worker } from "node:worker_threads";
import { EXIT } from "../exit-code.js";
import { restoreTerminal } from "../output/restore-terminal.js";
import { INTERRUPT_WATCH_SOURCE } from "./interrupt-watch-source.js";

export interface InterruptWatch {
  end(): Promise<void>;
}

/**
 * Lets a second Ctrl-C end this process while third-party code blocks the event loop, where no signal handler can run.
 * Changes that were not applied yet are dropped, as after kill -9.
 */
export function watchInterrupts(): InterruptWatch {
  const ending = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const thread = new Worker(INTERRUPT_WATCH_SOURCE, { eval: true, workerData: { ending } });
  thread.on("message", (message: "answer" | "restore" | "end") => {
    if (message === "answer") thread.postMessage("alive");
    else if (message === "restore") restoreRawMode();
    else endInterrupted();
  });
  // Without this thread Ctrl-C still works for everything that does not block.
  thread.on("error", () => {});
  thread.unref();
  // The blocked call may have been all that kept the process alive, so that the message is never read.
  const endIfWanted = () => {
    if (Atomics.load(ending, 0) === 1) endInterrupted();
  };
  process.prependListener("beforeExit", endIfWanted);
  return {
    end: async () => {
      process.off("beforeExit", endIfWanted);
      await thread.terminate();
    },
  };
}

function endInterrupted(): never {
  restoreTerminal();
  process.exit(EXIT.interrupted);
}

/** Sets raw mode again after the thread changed the terminal. Node ignores a mode that it believes to be set. */
function restoreRawMode(): void {
  const { stdin } = process;
  if (stdin.isRaw !== true) return;
  stdin.setRawMode(false);
  stdin.setRawMode(true);
}
