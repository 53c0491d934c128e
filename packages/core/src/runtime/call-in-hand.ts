import type { CallInHand } from "./kernel.js";
import { Pace } from "./pace.js";

/** What a call is made of before it has done anything. */
interface NewCall extends Pick<CallInHand, "callId" | "tool"> {
  readonly principal?: string | undefined;
  readonly dryRun?: boolean | undefined;
  beforeStart?(): void | Promise<void>;
}

/** Returns a call that is about to be decided, with nothing recorded yet. */
export function callInHand(
  request: NewCall,
  found: Pick<CallInHand, "registered" | "args" | "parsed" | "deadline">,
): CallInHand {
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
