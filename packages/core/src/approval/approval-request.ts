import type { Redact } from "../result/redact.js";
import { describeChange } from "../workspace/describe-change.js";
import type { FileChange } from "../workspace/file-change.js";
import type { ApprovalRequest, CallFacts, Grant } from "./approval.js";
import { canonicalJson } from "./canonical-json.js";

/** Makes the request for a call from what was rehearsed; nothing in it is guessed. */
export function approvalRequest(facts: CallFacts, reason: string, tools: RequestTools): ApprovalRequest {
  const { definition, args, changes, callId, role } = facts;
  const callDigest = digest({ tool: definition.name, args }, tools);
  const effects = changes.map(({ kind, path, ...rest }) => ({ kind, path, ...fingerprints(rest) }));
  return {
    stepId: tools.newId(),
    callId,
    tool: definition.name,
    role: role.name,
    args: tools.redact(args),
    reason,
    changes: changes.map((change) => tools.redact(describeChange(change))),
    risk: riskOf(facts),
    grants: offerGrants(facts, callDigest),
    planDigest: digest({ callDigest, effects }, tools),
  };
}

export interface RequestTools {
  hash(bytes: Uint8Array): string;
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
  const { paths, kinds } = match;
  if (paths === undefined || kinds === undefined || request.changes.length === 0) return false;
  return request.changes.every(
    (change) =>
      kinds.includes(change.kind) &&
      paths.includes(change.path) &&
      (change.from === undefined || paths.includes(change.from)),
  );
}

function offerGrants({ definition, changes, role }: CallFacts, callDigest: string): readonly Grant[] {
  const base = { tool: definition.name, role: role.name };
  const exact: Grant = {
    id: "call",
    label: `this exact ${definition.name} call`,
    match: { ...base, callDigest },
  };
  if (changes.length === 0) return [exact];
  const paths = [...new Set(changes.flatMap(pathsOf))];
  const kinds = [...new Set(changes.map((change) => change.kind))];
  const label = `${definition.name} may ${kinds.join(" and ")} ${paths.join(", ")}`;
  return [exact, { id: "paths", label, match: { ...base, paths, kinds } }];
}

function pathsOf(change: FileChange): readonly string[] {
  return change.kind === "move" ? [change.from, change.path] : [change.path];
}

function riskOf({ definition, changes }: CallFacts): ApprovalRequest["risk"] {
  if (changes.some((change) => change.protected === true || change.kind === "delete")) return "high";
  if (definition.permissions.some((permission) => HIGH_RISK.has(permission))) return "high";
  return changes.every((change) => change.kind === "create") && changes.length > 0 ? "low" : "medium";
}

const HIGH_RISK: ReadonlySet<string> = new Set([
  "ExecuteCommands",
  "RunCode",
  "NetworkAccess",
  "DeleteFiles",
]);

function fingerprints(change: object): object {
  const { before, after, replaces, from } = change as Partial<
    Record<string, { hash?: string; mode?: number; target?: string }>
  >;
  return {
    before: before?.hash,
    after: after?.hash ?? after?.target,
    mode: after?.mode,
    replaces: replaces?.hash,
    from,
  };
}

function digest(value: unknown, tools: RequestTools): string {
  return tools.hash(new TextEncoder().encode(canonicalJson(value)));
}
