import { assertRulesFit } from "../approval/check-rule-fit.js";
import { assertRoleNames, assertRuleNames, rolesKnownTo } from "../approval/check-rule-names.js";
import { rulesOf } from "../approval/compiled-rule.js";
import type { PolicyRule } from "../approval/policy-rule.js";
import { toolName } from "../tool/plain-tool.js";
import type { RuntimeParts } from "./tool-runtime.js";

/**
 * Throws TypeError on a role or rule that names something unknown, or that can match no call. Includes the rules of a
 * `rulePolicy` that the host adds.
 */
export function assertPolicyParts(parts: RuntimeParts): void {
  const { role, isAddedLater, imported = [], policies = [], policy } = parts;
  const known = {
    tools: [...parts.tools.map(toolName), ...imported],
    roles: rolesKnownTo(role, parts.roles),
    ...(isAddedLater && { isAddedLater }),
  };
  assertRoleNames(role, known);
  const check = (rules: readonly PolicyRule[] = [], owner: string) => {
    assertRuleNames(rules, known, owner);
    assertRulesFit(rules, parts.tools, owner);
  };
  check(role.rules, `role ${role.name}`);
  check(parts.rules, "configuration");
  for (const [index, added] of [...policies, ...(policy === undefined ? [] : [policy])].entries())
    check(
      rulesOf(added).map(({ rule }) => rule),
      `policies[${index}]`,
    );
}
