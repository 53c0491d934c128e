import {
  type ApprovalPolicy,
  allowReadOnly,
  askForProtected,
  firstOpinion,
  messageOf,
  type PolicyRule,
  proposedByTool,
  type Role,
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
  return policy === undefined ? rulesAndTools(all) : restricted(policy, all);
}

type HostPolicy = {
  readonly policy?: ApprovalPolicy;
  readonly rules?: readonly PolicyRule[];
};

function restricted(policy: ApprovalPolicy, rules: readonly PolicyRule[]): ApprovalPolicy {
  const restriction = compiled(rules.filter(({ effect }) => effect !== "allow"));
  return (facts) => {
    const limit = restriction(facts);
    if (limit?.effect === "deny") return limit;
    const opinion = policy(facts);
    return opinion?.effect === "deny" ? opinion : (limit ?? opinion);
  };
}

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
