import type { CommandRun } from "@haft/core";
import type { CommandDecision } from "../command-policy/decide-command.js";
import { commandDenied } from "./command-denied.js";
import type { Judging } from "./judge-command.js";

/** What every step of a command works with. */
export interface Carrying extends Judging {
  readonly run: CommandRun;
  /** A person has seen this command and approved it: only what nobody may allow still stops it. */
  readonly isApproved: boolean;
  readonly env: Readonly<Record<string, string>>;
}

export interface CarriedOut {
  readonly exitCode: number;
  /** The program that is not there, when it was the whole command. */
  readonly notFound?: string;
}

export function assertMayRun(decision: CommandDecision, { isApproved }: Carrying): void {
  if (decision.verdict === "allow" || (decision.verdict === "ask" && isApproved)) return;
  throw commandDenied(decision);
}
