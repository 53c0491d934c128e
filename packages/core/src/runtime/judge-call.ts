import type { CallFacts, Opinion } from "../approval/approval.js";
import { allowNoEffect, decide } from "../approval/policies.js";
import { ToolError } from "../error/tool-error.js";
import type { FileChange } from "../workspace/file-change.js";
import { factsOf } from "./call-facts.js";
import type { CallInHand, Kernel } from "./kernel.js";
import { type Progress, policyDenied } from "./refusals.js";

/** What policy and read-before-write say together; used to explain a call as well as to decide it. */
export function opinionOn(kernel: Kernel, call: CallInHand, facts: CallFacts): Opinion {
  const decided = decide(kernel.policy, facts);
  if (decided.effect === "deny") return decided;
  const opinion = allowNoEffect(facts) ?? decided;
  const objection = readFirstObjection(kernel, call, facts.changes);
  if (objection === undefined) return opinion;
  if (kernel.readBeforeWrite === "enforce") throw objection;
  return { effect: "ask", because: objection.message };
}

/** A human who changed the arguments has seen them; only what nobody may allow still stands in the way. */
export async function assertNotDenied(
  kernel: Kernel,
  call: CallInHand,
  changes: readonly FileChange[],
): Promise<void> {
  const opinion = opinionOn(kernel, call, await factsOf(kernel, call, changes));
  if (opinion.effect === "deny") throw policyDenied(call, opinion);
}

/**
 * Throws what the policy denies, whatever else there is to say about the call; what nobody may touch
 * is neither shown by a rehearsal nor quoted by its failure.
 */
export async function assertNotForbidden(
  kernel: Kernel,
  call: CallInHand,
  touched: Touched = {},
): Promise<void> {
  const opinion = await denialOf(kernel, call, touched);
  if (opinion !== undefined) throw policyDenied(call, opinion, touched);
}

/** Why the policy denies a call that has come near to these files; undefined when it does not. */
export async function denialOf(
  kernel: Kernel,
  call: CallInHand,
  { changes = [], read = [] }: Touched = {},
): Promise<Opinion | undefined> {
  const facts = await factsOf(kernel, call, changes);
  const opinion = decide(kernel.policy, { ...facts, paths: [...(facts.paths ?? []), ...read] });
  return opinion.effect === "deny" ? opinion : undefined;
}

/** What a call has come near to so far. */
interface Touched extends Progress {
  readonly changes?: readonly FileChange[];
  readonly read?: readonly string[];
}

function readFirstObjection(
  kernel: Kernel,
  call: CallInHand,
  changes: readonly FileChange[],
): ToolError | undefined {
  const { needsRead } = call.registered.definition;
  const isDeclared = typeof needsRead === "function" ? needsRead(call.args as never) : needsRead === true;
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
