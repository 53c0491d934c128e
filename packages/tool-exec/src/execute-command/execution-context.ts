import type { CommandRun } from "@haft/core/capabilities";
import type { CommandDecision } from "../command-policy/decide-command.js";
import { commandDenied } from "./command-denied.js";
import type { Judging } from "./judge-command.js";

/** The context that every step of a command shares. */
export interface ExecutionContext extends Judging {
  readonly run: CommandRun;
  /** Whether a person has seen and approved this command. Only denials still stop it. */
  readonly isApproved: boolean;
  readonly env: Readonly<Record<string, string>>;
}

export interface ExecutionResult {
  readonly exitCode: number;
  /** The missing program, if it was the whole command. */
  readonly notFound?: string;
}

export function assertMayRun(decision: CommandDecision, context: ExecutionContext): void {
  const { isApproved } = context;
  if (decision.verdict === "allow" || (decision.verdict === "ask" && isApproved)) return;
  throw commandDenied(decision, context);
}
