import {
  type ApprovalPolicy,
  allowReadOnly,
  askForProtected,
  firstOpinion,
  messageOf,
  type PolicyRule,
  proposedByTool,
  type Role,
  restrictedBy,
  rulePolicy,
  strictest,
} from "@haft/core";
import { ConfigError } from "./config/config-error.js";

/**
 * What decides. A policy of the host's own comes in place of the built-in one, under the rules of
 * role and configuration: what they deny or want asked it cannot lift.
 */
export function approvalPolicy({ policy, rules = [] }: HostPolicy, role: Role): ApprovalPolicy {
  const all = [...(role.rules ?? []), ...rules];
  if (policy === undefined) return rulesAndTools(all);
  return restrictedBy(compiled(all.filter(({ effect }) => effect !== "allow")), policy);
}

type HostPolicy = {
  readonly policy?: ApprovalPolicy;
  readonly rules?: readonly PolicyRule[];
};

/**
 * What decides when the host gives no policy of its own: the strictest of all rules (a protected path
 * asks, whatever rule allows it), then what the tool proposes. A call without effect that no rule
 * denies is free; the kernel sees to that.
 */
function rulesAndTools(rules: readonly PolicyRule[]): ApprovalPolicy {
  return firstOpinion(strictest(compiled(rules), askForProtected), proposedByTool, allowReadOnly);
}

function compiled(rules: readonly PolicyRule[]): ApprovalPolicy {
  try {
    return rulePolicy(rules);
  } catch (cause) {
    const reason = messageOf(cause);
    throw new ConfigError("CONFIG_INVALID", `A rule cannot be read: ${reason}`, { cause });
  }
}
