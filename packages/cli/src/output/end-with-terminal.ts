import { closeSync } from "node:fs";
import { isatty } from "node:tty";

/**
 * Ends the process by SIGHUP, as a shell expects, if its terminal was closed. Without this, Node restores the modes of
 * the terminal at exit, cannot, and aborts with a core dump.
 */
export function endWithTerminal(): void {
  if (TERMINALS.length > 0) process.on("exit", endIfClosed);
}

/** Silences Node itself at exit: it reports an inspector that is still connected as a debugger it waits for. */
export function closeStderr(): void {
  process.off("exit", endIfClosed);
  closeSync(2);
}

const TERMINALS = [0, 1, 2].filter(isatty);

function endIfClosed(): void {
  if (TERMINALS.every(isatty)) return;
  process.removeAllListeners("SIGHUP");
  process.kill(process.pid, "SIGHUP");
}
