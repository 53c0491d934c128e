import { declaredPermissions } from "../permission/tool-permission.js";
import type { Redact } from "../result/redact.js";
import { Pace } from "../runtime/pace.js";
import { describeChange } from "../workspace/describe-change.js";
import type { FileChange } from "../workspace/file-change.js";
import type { ApprovalRequest, Grant, GrantSubject, Operand, Opinion, PolicyRequest } from "./approval.js";
import { canonicalJson } from "./canonical-json.js";
import { shownArguments } from "./grant-difference.js";

/** Builds the approval request of a call from its rehearsal. */
export async function approvalRequest(
  facts: PolicyRequest,
  opinion: Opinion,
  tools: RequestTools,
): Promise<ApprovalRequest> {
  const { definition, args, changes, callId, role, operands = [] } = facts;
  const { name: tool, revision } = definition;
  // Arguments may have 100,000 values: each of these steps takes a while.
  const pace = new Pace();
  const shown = operands.filter((operand) => operand.digest !== undefined);
  const callDigest = await digest(
    { tool, revision, args, touches: changes.map(touchOf), ...(operands.length > 0 && { operands }) },
    tools,
  );
  const effects: object[] = [];
  for (const { kind, path, ...rest } of changes)
    effects.push({ kind, path, ...(await fingerprints(rest, tools)) });
  await pace.breathe();
  const shownArgs = tools.redact(args);
  const grants = offerGrants({ ...facts, args: shownArgs }, callDigest, opinion.subject);
  await pace.breathe();
  return {
    stepId: tools.newId(),
    callId,
    tool,
    role: role.name,
    args: shownArgs,
    reason: opinion.because,
    ...(opinion.by !== undefined && { decidedBy: opinion.by }),
    ...(opinion.isFallback === true && { isFallback: true }),
    changes: changes.map((change) => tools.redact(describeChange(change))),
    ...(shown.length > 0 && { operands: shown }),
    ...(tools.hasRun === true && { hasRun: true }),
    risk: riskOf(facts),
    grants,
    planDigest: await digest({ callDigest, effects }, tools),
  };
}

interface RequestTools {
  /** Must be collision-resistant: an answer is bound to the digest of what it approves. */
  digest(bytes: Uint8Array): string | Promise<string>;
  newId(): string;
  readonly redact: Redact;
  /** The tool has run: the request is about its file changes. */
  readonly hasRun?: boolean;
}

/** Returns true if a grant covers everything that the request would do. */
export function grantCovers(grant: Grant, request: ApprovalRequest): boolean {
  const { match } = grant;
  if (match.tool !== request.tool || match.role !== request.role) return false;
  if (match.callDigest !== undefined) {
    return request.grants.some((offered) => offered.match.callDigest === match.callDigest);
  }
  if (match.subject !== undefined)
    return request.grants.some((offered) => offered.match.subject === match.subject);
  // A path grant covers only requests for which a path grant would be offered.
  const wanted = request.grants.find((offered) => offered.match.paths !== undefined)?.match;
  if (wanted === undefined) return false;
  return isPartOf(wanted.paths, match.paths) && isPartOf(wanted.kinds, match.kinds);
}

/** Returns the broadest grant that a request offers; undefined if approval is required every time. */
export function broadestGrant({ grants }: Pick<ApprovalRequest, "grants">): Grant | undefined {
  return grants.at(-1);
}

function isPartOf(wanted: readonly string[] = [], granted: readonly string[] = []): boolean {
  const all = new Set(granted);
  return wanted.every((item) => all.has(item));
}

/**
 * Returns grants, narrowest first. Changes to files that can run as code need approval every time, so they offer none.
 */
function offerGrants(
  { definition, args, changes, role, operands = [] }: PolicyRequest,
  callDigest: string,
  subject: GrantSubject | undefined,
): readonly Grant[] {
  const base = { tool: definition.name, role: role.name };
  const shown = { args: shownArguments(args), ...(operands.length > 0 && { operands }) };
  const exact: Grant = {
    id: "call",
    label: `this exact ${definition.name} call${whileUnchanged(operands)}`,
    match: { ...base, callDigest },
    shown,
  };
  if (changes.some((change) => change.protected === true)) return [];
  if (changes.length === 0 && subject !== undefined)
    return [exact, { id: "subject", label: subject.label, match: { ...base, subject: subject.name }, shown }];
  if (changes.length === 0 || !canBeNamedByPath(changes)) return [exact];
  const paths = [...new Set(changes.map(({ path }) => path))];
  const kinds = [...new Set(changes.map((change) => change.kind))];
  const label = `${definition.name} may ${kinds.join(" and ")} ${paths.join(", ")}`;
  return [exact, { id: "paths", label, match: { ...base, paths, kinds } }];
}

/** The remembered answer also covers these files; a digest in the match binds them. */
function whileUnchanged(operands: readonly Operand[]): string {
  const paths = operands.filter(({ digest }) => digest !== undefined).map(({ path }) => path);
  if (paths.length === 0) return "";
  const more = paths.length > MAX_NAMED ? ` and ${paths.length - MAX_NAMED} more` : "";
  return `, while ${paths.slice(0, MAX_NAMED).join(", ")}${more} ${paths.length === 1 ? "is" : "are"} unchanged`;
}

const MAX_NAMED = 3;

/**
 * A path and a kind are sufficient only for files, and only if every change is of one kind: a grant to create one file
 * and delete another must not become a grant to delete the first.
 */
function canBeNamedByPath(changes: readonly FileChange[]): boolean {
  return changes.every((change) => {
    if (change.kind !== changes[0]?.kind || change.kind === "move") return false;
    if (change.kind === "create") return change.after.type !== "symlink";
    return change.before.type === "file";
  });
}

/** Describes what a change touches, without its content: two calls are the same only if they touch the same files. */
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

function riskOf({ definition, changes }: PolicyRequest): ApprovalRequest["risk"] {
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

async function fingerprints(change: object, tools: RequestTools): Promise<object> {
  const { before, after, replaces, from } = change as Partial<Record<string, ChangedState>>;
  return {
    before: await fingerprint(before, tools),
    after: (await fingerprint(after, tools)) ?? after?.target,
    mode: after?.mode,
    replaces: await fingerprint(replaces, tools),
    from,
  };
}

interface ChangedState {
  readonly hash?: string;
  readonly bytes?: Uint8Array;
  readonly mode?: number;
  readonly target?: string;
}

/** Prefers a digest of the content if it is in memory. */
async function fingerprint(
  state: ChangedState | undefined,
  tools: RequestTools,
): Promise<string | undefined> {
  return state?.bytes === undefined ? state?.hash : tools.digest(state.bytes);
}

function digest(value: unknown, tools: RequestTools): string | Promise<string> {
  return tools.digest(new TextEncoder().encode(canonicalJson(value)));
}
