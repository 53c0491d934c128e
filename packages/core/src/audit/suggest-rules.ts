import { canonicalJson } from "../approval/canonical-json.js";
import { type ChangeKind, type PolicyRule, type RuleCondition, rulePolicy } from "../approval/policy-rule.js";
import { BUILT_IN_ROLES } from "../permission/built-in-roles.js";
import { type AuditRecord, isDecision } from "./audit-store.js";
import { opinionOfRules, replayedEffect } from "./replay-decisions.js";

export interface RuleSuggestion {
  readonly rules: readonly PolicyRule[];
  /** The roles of these rules that are not built in: a configuration lists them as `roles`. */
  readonly roles: readonly string[];
  /** The number of requests that a user approved. */
  readonly asked: number;
  /** The number of those that the rules would have allowed. */
  readonly covered: number;
}

/**
 * Proposes the fewest rules that would have answered the requests a user approved. Each rule is for one tool and role,
 * and covers no more than was approved. For a tool that edits files, that is the same kind of change to the same paths;
 * for any other call, the same arguments while the files it depends on are unchanged. No rule covers a call that was
 * denied.
 */
export function suggestRules(all: readonly AuditRecord[]): RuleSuggestion {
  const records = all.filter(isDecision);
  const approved = records.filter(isApprovedByPerson);
  const denied = records.filter(isDenied);
  const isSafe = (rule: PolicyRule) =>
    isReadable(rule) && !denied.some((record) => opinionOfRules(record, [rule])?.effect === "allow");
  const seen = approved.flatMap(seenIn).filter((one) => isSafe(ruleFor([one])));
  const rules = groupsOf(seen).flatMap((group) => {
    const merged = ruleFor(group);
    // Merged, they may cover a call that was denied although each one was approved.
    return isSafe(merged) ? [merged] : group.map((one) => ruleFor([one]));
  });
  const covered = approved.filter((record) => replayedEffect(record, rules) === "allow").length;
  const roles = [...new Set(rules.flatMap(({ role }) => role ?? []))].filter(
    (role) => !Object.hasOwn(BUILT_IN_ROLES, role),
  );
  return { rules, roles, asked: approved.length, covered };
}

/** Returns false where the path of a call cannot be written as a pattern, for example because it is too long. */
function isReadable(rule: PolicyRule): boolean {
  try {
    rulePolicy([rule]);
    return true;
  } catch {
    return false;
  }
}

/** No rule lifts the approval requirement for a protected path. */
function isApprovedByPerson({ effect, verdict, decider, modifiedArgs, rule }: AuditRecord): boolean {
  if (effect !== "ask" || verdict !== "allow" || decider.how !== "person") return false;
  return modifiedArgs === undefined && rule !== "protected paths";
}

/** An unanswered request is not a denial. */
function isDenied({ verdict, effect, decider }: AuditRecord): boolean {
  return verdict === "deny" && (effect === "deny" || decider.how === "person");
}

/** An approved call, in terms of a rule. */
interface Seen {
  readonly tool: string;
  readonly role: string;
  readonly change?: ChangeKind;
  readonly paths?: readonly string[];
  readonly args?: AuditRecord["args"];
  readonly operands?: RuleCondition["operands"] | undefined;
}

/** Empty if no rule can describe the call without covering more. */
function seenIn(record: AuditRecord): readonly Seen[] {
  const { tool, role, changes, args, operands, hasRun } = record;
  const call = { tool, role, args, operands };
  if (changes.length === 0) return isWhole(record) ? [call] : [];
  const kinds = new Set(changes.map(({ kind }) => kind));
  const [kind] = kinds;
  // With several kinds, a rule would also cover them swapped; a move is more than its two paths.
  if (kinds.size > 1 || (kind !== "create" && kind !== "modify")) return [];
  const touched = { change: kind, paths: [...new Set(changes.map(({ path }) => path))] };
  if (hasRun !== true && record.command === undefined) return [{ tool, role, ...touched }];
  // Other commands and other code may change the same files in other ways.
  return isWhole(record) ? [{ ...call, ...touched }] : [];
}

function isWhole({ args, isPartial }: AuditRecord): boolean {
  if (isPartial === true) return false;
  const text = JSON.stringify(args);
  return !PARTIAL.test(text) && text.length < MAX_ARGUMENTS_CHARS;
}

/** Markers of partial records that do not have the flag. */
const PARTIAL = /\[secret:|\[redacted|…/;
const MAX_ARGUMENTS_CHARS = 1000;

/** Groups calls that one rule can cover: those that differ only in their arguments, or only in their paths. */
function groupsOf(seen: readonly Seen[]): readonly (readonly Seen[])[] {
  const groups = new Map<string, Seen[]>();
  for (const one of seen) {
    const { args, paths, ...rest } = one;
    const key = canonicalJson(args === undefined ? rest : { ...rest, paths, isCall: true });
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [one]);
    else group.push(one);
  }
  return [...groups.values()];
}

function ruleFor(group: readonly Seen[]): PolicyRule {
  const { tool, role, change, operands } = group[0] as Seen;
  const paths = [...new Set(group.flatMap((one) => one.paths ?? []))].sort();
  const args = new Map(group.flatMap((one) => (one.args ? [[canonicalJson(one.args), one.args]] : [])));
  const when: RuleCondition = {
    ...(paths.length > 0 && { path: { only: paths.map(literally) } }),
    ...(change !== undefined && { change }),
    ...(args.size > 0 && { exactly: [...args.values()] }),
    ...(operands !== undefined && { operands }),
  };
  return { effect: "allow", tool, role, when, reason: "a person approved this before" };
}

/** Returns a pattern for exactly this path. */
function literally(path: string): string {
  return `/${path.replace(SPECIAL, (character) => `\\${character}`)}`;
}

/**
 * What has a meaning in a pattern, and what a pattern has only by mistake: blanks and characters that cannot be seen.
 */
const SPECIAL = /[\\*?[\](){}!]|\s|\p{C}/gu;
