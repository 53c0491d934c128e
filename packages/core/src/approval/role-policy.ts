import type { Role } from "../permission/role.js";
import type { ApprovalPolicy } from "./approval.js";
import {
  allowNoEffect,
  allowReadOnly,
  askForProtected,
  defaultPolicy,
  firstOpinion,
  proposedByTool,
  restrictedBy,
} from "./policies.js";
import { rulePolicy } from "./policy-rule.js";

/**
 * A host's policy under the rules of a role. What the role denies or wants asked no policy can lift;
 * what it allows counts only where the host says nothing else. Throws on a rule that cannot be read.
 */
export function rolePolicy({ rules = [] }: Role, host: ApprovalPolicy | undefined): ApprovalPolicy {
  if (rules.length === 0) return host ?? defaultPolicy;
  const own = rulePolicy(rules);
  const policy = host ?? firstOpinion(allowNoEffect, askForProtected, own, proposedByTool, allowReadOnly);
  return restrictedBy(rulePolicy(rules.filter(({ effect }) => effect !== "allow")), policy);
}
