import { setTimeout } from "node:timers/promises";

/** Stops the process as Ctrl-Z does outside of raw mode. Resolves when the shell continues it. */
export async function stopProcess(): Promise<void> {
  // Windows has no job control.
  if (process.platform === "win32") return;
  // The whole group, as the terminal would: a script that started this process stops with it.
  process.kill(0, "SIGTSTP");
  // The signal arrives within this time, which ends after the stop. The process is not stopped if no shell could
  // continue it.
  await setTimeout(STOP_MS);
}

const STOP_MS = 50;
