import {
  type ApprovalPolicy,
  allowReadOnly,
  askForProtected,
  firstOpinion,
  type PolicyRule,
  proposedByTool,
  rulePolicy,
  strictest,
} from "@haft/core";
import { ConfigError } from "./config/config-error.js";

/**
 * What decides when the host gives no policy of its own: the strictest of all rules (a protected path
 * asks, whatever rule allows it), then what the tool proposes. A call without effect that no rule
 * denies is free; the kernel sees to that.
 */
export function approvalPolicy(rules: readonly PolicyRule[]): ApprovalPolicy {
  return firstOpinion(strictest(compiled(rules), askForProtected), proposedByTool, allowReadOnly);
}

function compiled(rules: readonly PolicyRule[]): ApprovalPolicy {
  try {
    return rulePolicy(rules);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ConfigError("CONFIG_INVALID", `A rule cannot be read: ${reason}`, { cause });
  }
}
