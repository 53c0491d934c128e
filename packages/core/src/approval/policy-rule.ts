import { compilePathPattern } from "@haft/text";
import { declaredPermissions, type ToolPermission } from "../permission/tool-permission.js";
import { pathArguments } from "../schema/path-arguments.js";
import type { ToolCategory } from "../tool/tool-category.js";
import { pathsOf } from "../workspace/file-change.js";
import type { ApprovalPolicy, CallFacts, Effect } from "./approval.js";
import { strictest } from "./policies.js";

/**
 * One rule of a host, as data. All parts that are given must match. Among several that match the
 * strictest wins, so the order in which rules are written never matters.
 */
export interface PolicyRule {
  readonly tool?: string;
  readonly category?: ToolCategory;
  readonly permission?: ToolPermission;
  readonly when?: RuleCondition;
  readonly effect: Effect;
  readonly reason?: string;
}

export interface RuleCondition {
  /** A glob. To deny or ask, one touched path that matches is enough; to allow, all must match. */
  readonly path?: string;
  /** An argument by name and the values it must have one of. */
  readonly argument?: { readonly name: string; readonly oneOf: readonly unknown[] };
}

/** A rule list as one policy. Throws on a rule that cannot be read, so a bad file is seen at load. */
export function rulePolicy(rules: readonly PolicyRule[]): ApprovalPolicy {
  return strictest(...rules.map(compileRule));
}

function compileRule(rule: PolicyRule): ApprovalPolicy {
  if (!["allow", "ask", "deny"].includes(rule.effect)) {
    throw new TypeError(`a rule's effect is allow, ask or deny, not ${JSON.stringify(rule.effect)}`);
  }
  const matchesPath = rule.when?.path === undefined ? undefined : compilePathPattern(rule.when.path);
  return (facts) => {
    if (!matchesTool(rule, facts) || !matchesArgument(rule, facts)) return undefined;
    if (matchesPath !== undefined && !pathsMatch(rule, touchedPaths(facts), matchesPath)) return undefined;
    return { effect: rule.effect, because: rule.reason ?? describeRule(rule) };
  };
}

function matchesTool(rule: PolicyRule, { definition }: CallFacts): boolean {
  if (rule.tool !== undefined && rule.tool !== definition.name) return false;
  if (rule.category !== undefined && rule.category !== definition.category) return false;
  return rule.permission === undefined || declaredPermissions(definition).includes(rule.permission);
}

function matchesArgument(rule: PolicyRule, { args }: CallFacts): boolean {
  const condition = rule.when?.argument;
  if (condition === undefined) return true;
  return Object.hasOwn(args, condition.name) && condition.oneOf.includes(args[condition.name]);
}

function pathsMatch(rule: PolicyRule, paths: readonly string[], matches: (path: string) => boolean): boolean {
  if (rule.effect === "allow") return paths.length > 0 && paths.every(matches);
  return paths.some(matches);
}

function touchedPaths({ definition, args, changes, paths = [] }: CallFacts): readonly string[] {
  return [...new Set([...changes.flatMap(pathsOf), ...paths, ...pathArguments(definition.input, args)])];
}

function describeRule(rule: PolicyRule): string {
  const subject = rule.tool ?? rule.category ?? rule.permission ?? "any tool";
  const place = rule.when?.path === undefined ? "" : ` on ${rule.when.path}`;
  return `a rule says ${rule.effect} for ${subject}${place}`;
}
