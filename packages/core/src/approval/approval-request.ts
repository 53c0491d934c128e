import { declaredPermissions } from "../permission/tool-permission.js";
import type { Redact } from "../result/redact.js";
import { describeChange } from "../workspace/describe-change.js";
import type { FileChange } from "../workspace/file-change.js";
import type { ApprovalRequest, CallFacts, Grant, GrantSubject, Opinion } from "./approval.js";
import { canonicalJson } from "./canonical-json.js";

/** Makes the request for a call from what was rehearsed; nothing in it is guessed. */
export function approvalRequest(facts: CallFacts, opinion: Opinion, tools: RequestTools): ApprovalRequest {
  const { definition, args, changes, callId, role } = facts;
  const { name: tool, revision } = definition;
  const callDigest = digest({ tool, revision, args, touches: changes.map(touchOf) }, tools);
  const effects = changes.map(({ kind, path, ...rest }) => ({ kind, path, ...fingerprints(rest, tools) }));
  return {
    stepId: tools.newId(),
    callId,
    tool,
    role: role.name,
    args: tools.redact(args),
    reason: opinion.because,
    changes: changes.map((change) => tools.redact(describeChange(change))),
    risk: riskOf(facts),
    grants: offerGrants(facts, callDigest, opinion.subject),
    planDigest: digest({ callDigest, effects }, tools),
  };
}

export interface RequestTools {
  /** Collision-proof: an answer stands for what its digest names, and for nothing else. */
  digest(bytes: Uint8Array): string;
  newId(): string;
  readonly redact: Redact;
}

/** True when what was granted covers everything the request would do. */
export function grantCovers(grant: Grant, request: ApprovalRequest): boolean {
  const { match } = grant;
  if (match.tool !== request.tool || match.role !== request.role) return false;
  if (match.callDigest !== undefined) {
    return request.grants.some((offered) => offered.match.callDigest === match.callDigest);
  }
  if (match.subject !== undefined)
    return request.grants.some((offered) => offered.match.subject === match.subject);
  // Only what could itself be remembered by its paths is covered by paths.
  const wanted = request.grants.find((offered) => offered.match.paths !== undefined)?.match;
  if (wanted === undefined) return false;
  return isPartOf(wanted.paths, match.paths) && isPartOf(wanted.kinds, match.kinds);
}

/** The most that a person can have remembered for a request; undefined when it is asked each time. */
export function broadestGrant({ grants }: Pick<ApprovalRequest, "grants">): Grant | undefined {
  return grants.at(-1);
}

function isPartOf(wanted: readonly string[] = [], granted: readonly string[] = []): boolean {
  return wanted.every((item) => granted.includes(item));
}

/** Narrowest first. What runs as code later is asked about each time, so nothing is offered for it. */
function offerGrants(
  { definition, changes, role }: CallFacts,
  callDigest: string,
  subject: GrantSubject | undefined,
): readonly Grant[] {
  const base = { tool: definition.name, role: role.name };
  const exact: Grant = {
    id: "call",
    label: `this exact ${definition.name} call`,
    match: { ...base, callDigest },
  };
  if (changes.some((change) => change.protected === true)) return [];
  if (changes.length === 0 && subject !== undefined)
    return [exact, { id: "subject", label: subject.label, match: { ...base, subject: subject.name } }];
  if (changes.length === 0 || !canBeNamedByPath(changes)) return [exact];
  const paths = [...new Set(changes.map(({ path }) => path))];
  const kinds = [...new Set(changes.map((change) => change.kind))];
  const label = `${definition.name} may ${kinds.join(" and ")} ${paths.join(", ")}`;
  return [exact, { id: "paths", label, match: { ...base, paths, kinds } }];
}

/**
 * A path and a kind say it all only for files, and only when every change is of one kind: the grant
 * to make one file and delete another must not become the grant to delete the first.
 */
function canBeNamedByPath(changes: readonly FileChange[]): boolean {
  return changes.every((change) => {
    if (change.kind !== changes[0]?.kind || change.kind === "move") return false;
    if (change.kind === "create") return change.after.type !== "symlink";
    return change.before.type === "file";
  });
}

/** What a change touches, whatever the content: the same call is the same only if it touches the same. */
function touchOf(change: FileChange): object {
  const { kind, path } = change;
  if (kind === "move")
    return {
      kind,
      path,
      from: change.from,
      entries: change.before.entries,
      overwrites: change.replaces?.type,
    };
  return kind === "delete" ? { kind, path, entries: change.before.entries } : { kind, path };
}

function riskOf({ definition, changes }: CallFacts): ApprovalRequest["risk"] {
  if (changes.some((change) => change.protected === true || change.kind === "delete")) return "high";
  if (declaredPermissions(definition).some((permission) => HIGH_RISK.has(permission))) return "high";
  return changes.every((change) => change.kind === "create") && changes.length > 0 ? "low" : "medium";
}

const HIGH_RISK: ReadonlySet<string> = new Set([
  "ExecuteCommands",
  "RunCode",
  "NetworkAccess",
  "DeleteFiles",
]);

function fingerprints(change: object, tools: RequestTools): object {
  const { before, after, replaces, from } = change as Partial<Record<string, ChangedState>>;
  return {
    before: fingerprint(before, tools),
    after: fingerprint(after, tools) ?? after?.target,
    mode: after?.mode,
    replaces: fingerprint(replaces, tools),
    from,
  };
}

interface ChangedState {
  readonly hash?: string;
  readonly bytes?: Uint8Array;
  readonly mode?: number;
  readonly target?: string;
}

/** Of the content itself where it is at hand. */
function fingerprint(state: ChangedState | undefined, tools: RequestTools): string | undefined {
  return state?.bytes === undefined ? state?.hash : tools.digest(state.bytes);
}

function digest(value: unknown, tools: RequestTools): string {
  return tools.digest(new TextEncoder().encode(canonicalJson(value)));
}
