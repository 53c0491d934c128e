import type { Opinion, PolicyRequest } from "../approval/approval.js";
import { allowNoEffect, decide } from "../approval/policies.js";
import { ToolError } from "../error/tool-error.js";
import type { FileChange } from "../workspace/file-change.js";
import { auditDecision, type Decision } from "./audit-decision.js";
import { factsOf, noteApprovedPaths } from "./call-facts.js";
import type { CallInProgress, Kernel } from "./kernel.js";
import { type Progress, policyDenied } from "./refusals.js";

/** Decides a call by policy and read-before-write. Used both to explain and to execute calls. */
export async function opinionOn(
  kernel: Kernel,
  call: CallInProgress,
  request: PolicyRequest,
): Promise<Opinion> {
  const decided = await decideInTime(kernel, call, request);
  if (decided.effect === "deny") return decided;
  const refusal = kernel.inspections.get(call.args)?.refusal;
  if (refusal !== undefined) throw refusal;
  const opinion = allowNoEffect(request) ?? decided;
  const objection = readFirstObjection(kernel, call, request.changes);
  if (objection === undefined) return opinion;
  if (kernel.readBeforeWrite === "enforce") throw objection;
  // SECURITY: a rule that asks still asks; a session mode may answer fallbacks only.
  const isFallback = opinion.effect !== "ask" || opinion.isFallback === true;
  return { effect: "ask", because: objection.message, by: "read before write", isFallback };
}

/** Limits an async policy to the call's deadline. */
function decideInTime(
  { policy }: Kernel,
  { deadline }: CallInProgress,
  request: PolicyRequest,
): Opinion | Promise<Opinion> {
  const opinion = decide(policy, request);
  return opinion instanceof Promise ? deadline.within(() => opinion) : opinion;
}

/** Throws if policy denies a call with edited arguments. The approver saw them, so only denials count. */
export async function assertNotDenied(
  kernel: Kernel,
  call: CallInProgress,
  changes: readonly FileChange[],
): Promise<void> {
  const facts = await factsOf(kernel, call, { changes });
  const opinion = await opinionOn(kernel, call, facts);
  if (opinion.effect === "deny") await refuse(kernel, call, { facts, opinion });
  noteApprovedPaths(call, facts);
}

/**
 * Throws if policy denies the call, before any other check: a rehearsal must not show a denied file, nor its error
 * quote it.
 */
export async function assertNotForbidden(
  kernel: Kernel,
  call: CallInProgress,
  touched: Touched = {},
): Promise<void> {
  const opinion = await denialOf(kernel, call, touched);
  if (opinion === undefined) return;
  await refuse(kernel, call, {
    ...touched,
    facts: await factsOf(kernel, call, { changes: touched.changes }),
    opinion,
  });
}

/** Records a denial and throws it. */
export async function refuse(
  kernel: Kernel,
  call: CallInProgress,
  { facts, opinion, ...progress }: Refusal,
): Promise<never> {
  const decider = { how: "rule", ...(opinion.by && { who: opinion.by }) } as const;
  if (call.isExplained !== true) await auditDecision(kernel, { facts, opinion, decider, verdict: "deny" });
  throw policyDenied(call, opinion, progress);
}

interface Refusal extends Progress, Pick<Decision, "facts" | "opinion"> {}

/** Returns the denial of a call that touches these files; undefined if policy does not deny it. */
async function denialOf(
  kernel: Kernel,
  call: CallInProgress,
  { changes = [], read = [] }: Touched = {},
): Promise<Opinion | undefined> {
  const opinion = await decideInTime(kernel, call, await factsOf(kernel, call, { changes, opened: read }));
  return opinion.effect === "deny" ? opinion : undefined;
}

/** The files that a call has touched so far. */
interface Touched extends Progress {
  readonly changes?: readonly FileChange[];
  readonly read?: readonly string[];
}

function readFirstObjection(
  kernel: Kernel,
  call: CallInProgress,
  changes: readonly FileChange[],
): ToolError | undefined {
  const { needsRead } = call.registered.definition;
  const isDeclared = typeof needsRead === "function" ? needsRead(call.parsed as never) : needsRead === true;
  const isNeeded = isDeclared || kernel.dialect.readFirst === "always";
  if (kernel.readBeforeWrite === "off" || !isNeeded) return undefined;
  const objection = kernel.ledger.objection(changes);
  if (objection === undefined) return undefined;
  const { code, message, hint, details } = objection;
  return new ToolError(code, message, {
    hint,
    details,
    next: kernel.registry.callThatShows(String(details?.path)),
  });
}
