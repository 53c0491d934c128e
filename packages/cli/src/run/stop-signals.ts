import type { RunHandle } from "@haft/agent";

export interface StopSignals {
  /** As if Ctrl-C had been typed: where a question reads the keys, no signal is sent. */
  interrupt(): void;
  end(): void;
}

/**
 * Ctrl-C cancels the run and lets it end in order; a second one ends the process. Being told to go,
 * or losing the terminal, leaves the run as it is, to be taken up later.
 */
export function stopSignals(
  run: Pick<RunHandle, "cancel" | "detach">,
  tell: (text: string) => void,
): StopSignals {
  let isStopping = false;
  const end = () => {
    // A second Ctrl-C may be on its way already, and what does not stop may outlive the run.
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
    tell("Ctrl-C: what is under way is being cancelled; once more ends it at once");
    run.cancel("Ctrl-C");
  };
  const leave = () => run.detach();
  process.on("SIGINT", interrupt);
  for (const signal of LEAVING) process.on(signal, leave);
  return { interrupt, end };
}

const LEAVING = ["SIGTERM", "SIGHUP"] as const;
