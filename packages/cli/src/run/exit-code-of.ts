import type { RunOutcome } from "@haft/agent";
import { EXIT, type ExitCode } from "../exit-code.js";
import { hasSucceeded } from "./run-tally.js";

/** Maps the outcome of a run to an exit code. */
export function exitCodeOf(outcome: RunOutcome): ExitCode {
  if (hasSucceeded(outcome)) return EXIT.ok;
  return outcome.reason === "cancelled" ? EXIT.interrupted : EXIT.failed;
}
