import type { CallInProgress } from "./kernel.js";
import { Pace } from "./pace.js";

/** What a call is made of before it has done anything. */
interface NewCall extends Pick<CallInProgress, "callId" | "tool"> {
  readonly principal?: string | undefined;
  readonly dryRun?: boolean | undefined;
  beforeStart?(): void | Promise<void>;
}

/** Returns a call that is about to be decided, with nothing recorded yet. */
export function callInProgress(
  request: NewCall,
  found: Pick<CallInProgress, "registered" | "args" | "parsed" | "deadline">,
): CallInProgress {
  const { callId, tool, principal, dryRun = false } = request;
  return {
    callId,
    tool,
    ...found,
    isDryRun: dryRun,
    ...(principal !== undefined && { principal }),
    ...(request.beforeStart && { beforeStart: request.beforeStart }),
    recordings: [],
    warnings: [],
    keptWarnings: 0,
    images: [],
    pace: new Pace(),
    located: new Set(),
    approvedPaths: new Set(),
  };
}
