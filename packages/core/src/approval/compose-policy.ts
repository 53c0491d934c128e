import type { Role } from "../permission/role.js";
import type { ApprovalPolicy, Opinion } from "./approval.js";
import { type CompiledRule, rulesOf } from "./compiled-rule.js";
import { consult, namedPolicy } from "./consult-policy.js";
import { allowReadOnly, askForProtected, firstOpinion, proposedByTool, strictest } from "./policies.js";
import { compileRules, type PolicyRule, policyOf } from "./policy-rule.js";

/** The layers that decide the calls of a runtime. */
export interface PolicyLayers {
  /** Built in: protected paths, secret placeholders. */
  readonly guards: readonly ApprovalPolicy[];
  /** The rules of the role and of the configuration, as one policy. */
  readonly rules: ApprovalPolicy;
  /** Policies that the host adds. */
  readonly policies: readonly ApprovalPolicy[];
}

export type PolicyComposition = (layers: PolicyLayers) => ApprovalPolicy;

/**
 * The built-in composition. Deny beats ask, and ask beats allow. If no guard, rule or policy has an opinion, the tool's
 * own proposal decides. A host that replaces this composition is responsible for every layer: one it omits does not
 * decide. Path rules still apply when files are opened.
 */
export const composePolicy: PolicyComposition = ({ guards, rules, policies }) =>
  firstOpinion(strictest(...guards, rules, ...policies), fallback(PROPOSAL), READING);

const PROPOSAL = namedPolicy("the tool's own proposal", proposedByTool);
const READING = namedPolicy("reading is allowed", allowReadOnly);

/** Marks the opinions of a fallback, to distinguish them from those of a rule or of a host's policy. */
function fallback(policy: ApprovalPolicy): ApprovalPolicy {
  const marked = (opinion: Opinion | undefined) => opinion && { ...opinion, isFallback: true };
  return (request) => {
    const opinion = consult(policy, request);
    return opinion instanceof Promise ? opinion.then(marked) : marked(opinion);
  };
}

/** The names of the fallbacks that decide when no guard, rule or policy has an opinion. */
export const FALLBACKS: readonly string[] = [PROPOSAL.name, READING.name];

export interface PolicyParts {
  /** Rules in addition to those of the role. */
  readonly rules?: readonly PolicyRule[] | undefined;
  /** Names of further roles that rules may apply to. The built-in roles and the runtime's own are always known. */
  readonly roles?: readonly string[] | undefined;
  /**
   * Policies that the host adds to the built-in ones. They can deny, ask and allow, but cannot lift a denial. The rules
   * of a `rulePolicy` among them also apply when files are opened and to redirects.
   */
  readonly policies?: readonly ApprovalPolicy[] | undefined;
  /** Shorthand for one more entry in `policies`. */
  readonly policy?: ApprovalPolicy | undefined;
  /** Guards in addition to the kernel's. */
  readonly guardPolicies?: readonly ApprovalPolicy[] | undefined;
  /** Replaces `composePolicy`. Most hosts want `policies` instead. */
  readonly composition?: PolicyComposition | undefined;
}

/** The policies that decide the calls of a runtime. */
export interface PolicySet {
  readonly policy: ApprovalPolicy;
  /** Rules that restrict paths; they also apply when files are opened. */
  readonly pathRules: readonly CompiledRule[];
  /** Decides the URLs that a call accesses; undefined if no rule or added policy concerns URLs. */
  readonly addressPolicy: ApprovalPolicy | undefined;
  /** True if a rule depends on the operands of calls, so they are read before a call is decided. */
  readonly needsOperands: boolean;
}

/** Builds the policy set from its parts. Throws TypeError on an invalid rule or policy. */
export function makePolicySet(role: Role, parts: PolicyParts): PolicySet {
  const { policies = [], policy, guardPolicies = [], composition = composePolicy } = parts;
  if (!Array.isArray(policies)) throw new TypeError("policies must be a list of functions");
  const added = policy === undefined ? policies : [...policies, policy];
  // The strictest rule wins, regardless of its source.
  const rules = [
    ...compileRules(role.rules ?? [], `role ${role.name}`),
    ...compileRules(parts.rules ?? [], "configuration"),
  ];
  const named = added.map((each, index) => withName(each, `policies[${index}]`));
  const all = [...rules, ...named.flatMap(rulesOf)];
  const restricting = all.filter(({ opinion }) => opinion.effect !== "allow");
  return {
    policy: composition({
      guards: [
        ...guardPolicies.map((each, index) => withName(each, `guardPolicies[${index}]`)),
        namedPolicy("protected paths", askForProtected),
      ],
      rules: policyOf(rules),
      policies: named,
    }),
    needsOperands: all.some((rule) => rule.needsOperands),
    pathRules: restricting.filter(({ paths }) => paths !== undefined),
    addressPolicy: addressPolicy(
      rules.filter((rule) => rule.limitsUrls),
      named,
    ),
  };
}

function addressPolicy(
  rules: readonly CompiledRule[],
  policies: readonly ApprovalPolicy[],
): ApprovalPolicy | undefined {
  if (rules.length + policies.length === 0) return undefined;
  return strictest(policyOf(rules), ...policies);
}

/** `export default` names a function "default", which tells a reader nothing. */
function withName(policy: ApprovalPolicy, place: string): ApprovalPolicy {
  if (typeof policy !== "function") throw new TypeError(`${place} must be a function, not ${typeof policy}`);
  return policy.name === "" || policy.name === "default" ? namedPolicy(place, policy) : policy;
}
