import {
  type AnyToolClass,
  catalog,
  messageOf,
  type PlainTool,
  type PolicyRule,
  type Role,
} from "@haft/core";
import {
  assertRuleRoles,
  assertRulesFit,
  namedPolicy,
  type PolicyParts,
  rolesKnownTo,
  rulePolicy,
} from "@haft/core/policy";
import { assertRelativePatterns } from "./config/check-path-patterns.js";
import { ConfigError } from "./config/config-error.js";
import { placeholderPolicy } from "./secrets/placeholder-policy.js";
import type { SecretValue } from "./secrets/secret-values.js";

/**
 * Collects the rules and policies that decide about calls. Throws CONFIG_INVALID for a rule of the role or the host
 * that can never match.
 */
export function policyParts(given: PolicyParts, { role, secrets, tools, folder }: PolicyOwner): PolicyParts {
  const { rules, roles, policies, policy, guardPolicies = [], composition } = given;
  const known = [...new Set([...tools, ...catalog.snapshot()])];
  explained(`The role ${role.name}`, () => {
    checkRules(role.rules, known, folder);
    assertOwnRules(role);
  });
  explained("The configuration", () => {
    checkRules(rules, known, folder);
    assertRuleRoles(rules ?? [], rolesKnownTo(role, roles));
  });
  return {
    rules,
    roles,
    policies,
    policy,
    composition,
    guardPolicies: [namedPolicy("secret placeholders", placeholderPolicy(secrets)), ...guardPolicies],
  };
}

interface PolicyOwner {
  readonly role: Role;
  readonly secrets: readonly SecretValue[];
  readonly tools: readonly (AnyToolClass | PlainTool)[];
  readonly folder: string;
}

/** A rule of a role that names another role never matches: it is consulted for its own role only. */
function assertOwnRules({ name, rules = [] }: Role): void {
  for (const [index, rule] of rules.entries())
    if (rule.role !== undefined && rule.role !== name)
      throw new TypeError(
        `rule ${index + 1} is for the role "${rule.role}" and belongs to the role "${name}"`,
      );
}

function checkRules(rules: readonly PolicyRule[] = [], tools: PolicyOwner["tools"], folder: string): void {
  rulePolicy(rules);
  assertRulesFit(rules, tools);
  assertRelativePatterns(rules, folder);
}

/** Names the owner of a rule in the error of a check. */
function explained(owner: string, check: () => void): void {
  try {
    check();
  } catch (cause) {
    throw new ConfigError("CONFIG_INVALID", `${owner} has a rule that cannot be used: ${messageOf(cause)}`, {
      cause,
    });
  }
}
