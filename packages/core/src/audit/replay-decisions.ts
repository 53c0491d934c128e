import type { Effect, Opinion, PolicyRequest } from "../approval/approval.js";
import { FALLBACKS } from "../approval/compose-policy.js";
import { stricter } from "../approval/policies.js";
import { type PolicyRule, rulePolicy } from "../approval/policy-rule.js";
import type { ToolPermission } from "../permission/tool-permission.js";
import type { JsonSchema } from "../schema/schema.js";
import type { ToolCategory } from "../tool/tool-category.js";
import type { AnyDefinition } from "../tool/tool-definition.js";
import type { FileChange } from "../workspace/file-change.js";
import { type AuditRecord, isDecision } from "./audit-store.js";

/** A past call that other rules would decide differently. */
export interface ReplayedDecision {
  readonly record: AuditRecord;
  readonly before: Effect;
  /** "proposal": no rule decides any more, so the tool's own proposal does. */
  readonly after: Effect | "proposal";
}

/** The tools that were called, for rules on categories, permissions and arguments. */
export interface ReplayedTool {
  readonly name: string;
  /** Tells which arguments are paths, and the defaults. Without it, arguments are compared as they were recorded. */
  readonly input?: JsonSchema;
  readonly category: ToolCategory;
  readonly permissions: readonly ToolPermission[];
}

/** Decides past calls by a set of rules and returns those with a different outcome. */
export function replayDecisions(
  records: readonly AuditRecord[],
  rules: readonly PolicyRule[],
  tools: readonly ReplayedTool[] = [],
): readonly ReplayedDecision[] {
  return records.filter(isDecision).flatMap((record) => {
    const after = replayedEffect(record, rules, tools) ?? withoutRule(record);
    return after === record.effect ? [] : [{ record, before: record.effect, after }];
  });
}

/** Returns how these rules would decide a recorded call; undefined if none matches. */
export function replayedEffect(
  record: AuditRecord,
  rules: readonly PolicyRule[],
  tools: readonly ReplayedTool[] = [],
): Effect | undefined {
  const replayed = opinionOfRules(record, rules, tools);
  if (replayed === undefined || isReplaceable(record)) return replayed?.effect;
  // A guard or a policy of the host decided. Rules can be stricter, but cannot override it.
  return stricter(replayed, { effect: record.effect, because: record.because })?.effect;
}

/** Returns the opinion of the rules alone about a recorded call. */
export function opinionOfRules(
  record: AuditRecord,
  rules: readonly PolicyRule[],
  tools: readonly ReplayedTool[] = [],
): Opinion | undefined {
  return rulePolicy(rules)(requestOf(record, tools));
}

/** Returns true if a rule or a fallback decided. */
function isReplaceable({ rule }: AuditRecord): boolean {
  return rule === undefined || IS_RULE.test(rule) || FALLBACKS.includes(rule);
}

const IS_RULE = /, rule \d+$/;

function withoutRule({ rule, effect }: AuditRecord): Effect | "proposal" {
  return rule !== undefined && IS_RULE.test(rule) ? "proposal" : effect;
}

function requestOf(record: AuditRecord, tools: readonly ReplayedTool[]): PolicyRequest {
  const { callId, tool: name, role, args, paths, command, url, operands = [] } = record;
  const unknown: ReplayedTool = { name, category: "x-unknown", permissions: [] };
  const { input = {}, ...known } = tools.find((tool) => tool.name === name) ?? unknown;
  return {
    callId,
    definition: { ...known, input } as unknown as AnyDefinition,
    args,
    changes: record.changes.map(changeOf),
    paths,
    operands,
    ...(command !== undefined && { command }),
    ...(url !== undefined && { url }),
    role: { name: role, permissions: [] },
  };
}

/** Rules inspect kinds and paths only. */
function changeOf({ kind, path, from }: AuditRecord["changes"][number]): FileChange {
  const state = { type: "file", hash: "", size: 0, mode: 0, bytes: new Uint8Array() };
  return { kind, path, from, before: state, after: state } as unknown as FileChange;
}
