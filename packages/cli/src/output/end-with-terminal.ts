import { isatty } from "node:tty";

/**
 * Ends the process by SIGHUP, as a shell expects, if its terminal was closed. Without this, Node restores the modes of
 * the terminal at exit, cannot, and aborts with a core dump.
 */
export function endWithTerminal(): void {
  const terminals = STANDARD_STREAMS.filter(isatty);
  if (terminals.length === 0) return;
  process.on("exit", () => {
    if (terminals.every(isatty)) return;
    process.removeAllListeners("SIGHUP");
    process.kill(process.pid, "SIGHUP");
  });
}

const STANDARD_STREAMS = [0, 1, 2];
