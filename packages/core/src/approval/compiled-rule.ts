import type { CompiledSelection, PathSelection } from "@haft/text";
import type { ToolPermission } from "../permission/tool-permission.js";
import type { ApprovalPolicy, Opinion, PolicyRequest } from "./approval.js";
import type { PolicyRule } from "./policy-rule.js";

/** A compiled rule. */
export interface CompiledRule {
  readonly rule: PolicyRule;
  readonly opinion: Opinion;
  /** The permission that the rule concerns; undefined for all. */
  readonly permission: ToolPermission | undefined;
  /** The rule's path condition, which also applies when files are opened. */
  readonly paths: CompiledPaths | undefined;
  /** True if the rule has a URL condition, which also applies to every redirect. */
  readonly limitsUrls: boolean;
  /** True if the rule depends on a call's operands, which must then be read. */
  readonly needsOperands: boolean;
  /** Returns whether all conditions except the paths match. */
  matchesCall(request: PolicyRequest): boolean;
  /** True if that depends on more than the tool. */
  readonly dependsOnArguments: boolean;
}

export interface CompiledPaths extends CompiledSelection {
  readonly selection: PathSelection;
}

/** Records the rules behind a policy. Returns the policy. */
export function withRules<P extends ApprovalPolicy>(policy: P, rules: readonly CompiledRule[]): P {
  if (rules.length > 0) RULES.set(policy, rules);
  return policy;
}

/** Returns the rules behind a policy made by `rulePolicy`, also one that `strictest` combines. */
export function rulesOf(policy: ApprovalPolicy): readonly CompiledRule[] {
  return RULES.get(policy) ?? [];
}

const RULES = new WeakMap<ApprovalPolicy, readonly CompiledRule[]>();
