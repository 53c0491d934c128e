import { truncateLine } from "@haft/text";
import type { ApprovalRequest, Opinion, PolicyRequest } from "../approval/approval.js";
import type { ApprovalAnswer, Decider } from "../approval/approval-answer.js";
import { digestInBackground } from "../audit/audit-chain.js";
import type { AuditEntry } from "../audit/audit-store.js";
import {
  canBeRehearsed,
  changesFiles,
  declaredPermissions,
  onlyReads,
} from "../permission/tool-permission.js";
import type { CallInProgress, Kernel } from "./kernel.js";

/** How a call was decided. */
export interface Decision {
  readonly facts: PolicyRequest;
  readonly opinion: Opinion;
  readonly verdict: AuditEntry["verdict"];
  readonly decider: Decider;
  /** Present if approval was requested, or would have been. */
  readonly request?: ApprovalRequest;
  readonly answer?: ApprovalAnswer;
}

/**
 * Records a decision. A call that cannot be recorded does not run: for an approval, rejects with the store's error. A
 * denial holds whether or not it is recorded.
 */
export async function auditDecision({ audit, outcomes, redact }: Kernel, decision: Decision): Promise<void> {
  if (audit === undefined || !isRecorded(decision)) return;
  try {
    const entry = { ...entryOf(decision, redact), ...(await askedIn(decision)) };
    const stored = audit.append(entry);
    outcomes?.decided(entry, stored);
    await stored;
  } catch (cause) {
    if (decision.verdict === "allow") throw cause;
  }
}

interface AllowedCall extends Omit<Decision, "verdict"> {
  readonly call: CallInProgress;
  readonly isRunning: boolean;
}

/**
 * Records that policy allows a call. Nothing waits for the record until the call starts: `started` waits for it, and
 * reports that it failed.
 */
export async function auditAllowed(
  kernel: Kernel,
  { call, isRunning, ...decision }: AllowedCall,
): Promise<void> {
  const recorded = auditDecision(kernel, { ...decision, verdict: "allow" });
  if (isRunning) return recorded;
  recorded.catch(() => {});
  call.recordings.push(recorded);
}

/** Allowed reads and calls without effects are not recorded. */
function isRecorded({ facts, opinion }: Decision): boolean {
  if (opinion.effect !== "allow") return true;
  const declared = declaredPermissions(facts.definition);
  if (onlyReads(declared)) return false;
  return facts.changes.length > 0 || !(changesFiles(declared) && canBeRehearsed(declared));
}

function entryOf(
  { facts, opinion, verdict, decider, answer }: Decision,
  redact: Kernel["redact"],
): AuditEntry {
  const { definition, changes, callId, principal, role } = facts;
  const { isPartial, ...recorded } = recordedCall(facts, redact);
  const hasRun = changes.length > 0 && !canBeRehearsed(declaredPermissions(definition));
  return {
    at: new Date().toISOString(),
    callId,
    ...(principal !== undefined && { principal }),
    tool: definition.name,
    role: role.name,
    ...recorded,
    ...(isPartial && { isPartial }),
    ...(hasRun && { hasRun }),
    changes: changes.map(({ kind, path, ...rest }) => ({
      kind,
      path,
      ...("from" in rest && { from: rest.from }),
    })),
    paths: facts.paths ?? [],
    ...(facts.operands !== undefined && facts.operands.length > 0 && { operands: facts.operands }),
    effect: opinion.effect,
    because: redact(opinion.because),
    ...(opinion.by !== undefined && { rule: opinion.by }),
    verdict,
    decider,
    ...(answer?.modifiedArgs !== undefined && { modifiedArgs: shorten(redact(answer.modifiedArgs)) }),
    ...(answer?.feedback !== undefined && { feedback: truncateLine(redact(answer.feedback), MAX_CHARS) }),
  };
}

/** Returns the call without secrets and long values, and whether anything was omitted. */
function recordedCall(
  { args, command, url }: PolicyRequest,
  redact: Kernel["redact"],
): Pick<AuditEntry, "args" | "command" | "url"> & { readonly isPartial: boolean } {
  const call = { args, ...(command !== undefined && { command }), ...(url !== undefined && { url }) };
  const recorded = shorten(redact(call)) as typeof call;
  return { ...recorded, isPartial: !isSame(recorded, call) };
}

async function askedIn({ request }: Decision): Promise<Pick<AuditEntry, "approvalId" | "plan" | "shown">> {
  if (request === undefined) return {};
  return { approvalId: request.stepId, plan: request.planDigest, shown: await digestInBackground(request) };
}

/** Rules inspect paths, commands and URLs, which are short. File content is not kept. */
function shorten(value: unknown): unknown {
  if (typeof value === "string") return truncateLine(value, MAX_CHARS);
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map(shorten);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, shorten(member)]));
}

function isSame(a: unknown, b: unknown): boolean {
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return Object.is(a, b);
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => isSame((a as Members)[key], (b as Members)[key]));
}

type Members = Readonly<Record<string, unknown>>;

const MAX_CHARS = 1000;
const MAX_ITEMS = 100;
