import type { RunHandle } from "@haft/agent";

export interface StopSignals {
  /** Same effect as Ctrl-C. Needed while a prompt reads keys, because no signal is sent then. */
  interrupt(): void;
  end(): void;
}

/**
 * Ctrl-C cancels the run and waits for it to end; a second one ends the process. SIGTERM or a lost terminal detaches
 * the run, so that it can be continued.
 */
export function stopSignals(
  run: Pick<RunHandle, "cancel" | "detach">,
  tell: (text: string) => void,
): StopSignals {
  let isStopping = false;
  const end = () => {
    // A second Ctrl-C may already be pending, and something that does not stop may outlive the run.
    if (!isStopping) process.off("SIGINT", interrupt);
    for (const signal of LEAVING) process.off(signal, leave);
  };
  const interrupt = () => {
    if (isStopping) {
      process.off("SIGINT", interrupt);
      process.kill(process.pid, "SIGINT");
      return;
    }
    isStopping = true;
    tell("Ctrl-C: cancelling the current work; press it again to stop immediately");
    run.cancel("Ctrl-C");
  };
  const leave = () => run.detach();
  process.on("SIGINT", interrupt);
  for (const signal of LEAVING) process.on(signal, leave);
  return { interrupt, end };
}

const LEAVING = ["SIGTERM", "SIGHUP"] as const;
