import type { EntityJson, TypeAndId } from "@cedar-policy/cedar-wasm/nodejs";
import type { ApprovalPolicy, Opinion, PolicyRequest } from "@haft/core";
import { namedPolicy } from "@haft/core/policy";
import { ConfigError } from "../config/config-error.js";
import { type CedarRequest, cedarRequests } from "./cedar-request.js";
import { type Cedar, loadCedar } from "./load-cedar.js";

export interface CedarOptions {
  /** Policies in the Cedar language. `@id` names one; `@effect("ask")` on a `forbid` asks instead of denying. */
  readonly policies: string;
  /** The principal of each request. Default: `Haft::Role` with the name of the runtime's role. */
  readonly principal?: TypeAndId | undefined;
  /** Further entities, such as the groups of a principal. */
  readonly entities?: readonly EntityJson[] | undefined;
  /** The effect of Cedar's permit: "none" (the default) leaves the call to the other policies, "allow" allows it. */
  readonly onPermit?: "none" | "allow" | undefined;
}

/**
 * Creates an `ApprovalPolicy` from Cedar policies, for `policies` of a runtime. A call that Cedar does not permit is
 * denied, and so is a call on which a policy fails. Rejects with CONFIG_INVALID if the policies cannot be parsed or
 * the peer dependency is missing.
 */
export async function cedarPolicy(options: CedarOptions): Promise<ApprovalPolicy> {
  const cedar = await loadCedar();
  const policies = readPolicies(cedar, options.policies);
  const engine: Engine = { ...options, cedar, setId: crypto.randomUUID(), asking: askingIn(cedar, policies) };
  const parsed = cedar.preparsePolicySet(engine.setId, { staticPolicies: policies });
  if (parsed.type === "failure") throw unreadable(parsed.errors);
  return namedPolicy("cedar", (request) => opinionOf(engine, request));
}

interface Engine extends CedarOptions {
  readonly cedar: Cedar;
  readonly setId: string;
  /** The policies that ask instead of denying. */
  readonly asking: ReadonlySet<string>;
}

/** Parses the policies, keyed by the names that a decision reports. */
function readPolicies(cedar: Cedar, text: string): Record<string, string> {
  const parts = cedar.policySetTextToParts(text);
  if (parts.type === "failure") throw unreadable(parts.errors);
  if (parts.policy_templates.length > 0) throw unreadable([{ message: "templates are not supported" }]);
  const named = new Map<string, string>();
  for (const [index, policy] of parts.policies.entries()) {
    const id = annotationsOf(cedar, policy).id ?? `policy ${index + 1}`;
    if (named.has(id)) throw unreadable([{ message: `two policies have the id "${id}"` }]);
    named.set(id, policy);
  }
  return Object.fromEntries(named);
}

function askingIn(cedar: Cedar, policies: Readonly<Record<string, string>>): ReadonlySet<string> {
  const asking = Object.entries(policies).filter(([id, policy]) => {
    const { effect } = annotationsOf(cedar, policy);
    if (effect !== undefined && effect !== "ask")
      throw unreadable([{ message: `${id}: @effect is "ask" or left out, not "${effect}"` }]);
    return effect === "ask";
  });
  return new Set(asking.map(([id]) => id));
}

function annotationsOf(cedar: Cedar, policy: string): Readonly<Record<string, string | null>> {
  const parsed = cedar.policyToJson(policy);
  if (parsed.type === "failure") throw unreadable(parsed.errors);
  return (parsed.json.annotations ?? {}) as Record<string, string | null>;
}

function unreadable(errors: readonly { readonly message: string }[]): ConfigError {
  const [first] = errors;
  return new ConfigError("CONFIG_INVALID", `The Cedar policies cannot be used: ${first?.message}`);
}

/** Combines the answers; the strictest wins: deny, then ask. */
function opinionOf(engine: Engine, request: PolicyRequest): Opinion | undefined {
  let asked = unknownCommand(request);
  for (const each of cedarRequests(request)) {
    const opinion = judge(engine, each, request.role.name);
    if (opinion?.effect === "deny") return opinion;
    asked ??= opinion;
  }
  if (asked !== undefined || engine.onPermit !== "allow") return asked;
  return { effect: "allow", because: "Cedar permits it" };
}

/** Cedar compares words. A word known only when the command runs could be any word. */
function unknownCommand({ command }: PolicyRequest): Opinion | undefined {
  if (command === undefined) return undefined;
  const isKnown = command.isComplete && command.commands.every(({ argv }) => !argv.includes(null));
  return isKnown ? undefined : { effect: "ask", because: "part of the command is known only when it runs" };
}

function judge(engine: Engine, { action, resource, context, entities }: CedarRequest, role: string) {
  const { cedar, setId, principal = { type: "Haft::Role", id: role }, asking } = engine;
  const answer = cedar.statefulIsAuthorized({
    ...{ principal, action, resource, context },
    preparsedPolicySetId: setId,
    entities: [...entities, ...(engine.entities ?? [])],
  });
  const about = `${resource.type.slice("Haft::".length)} ${resource.id}`;
  if (answer.type === "failure") return deny(`Cedar could not judge ${about}: ${answer.errors[0]?.message}`);
  const { decision, diagnostics } = answer.response;
  const [failed] = diagnostics.errors;
  // Cedar skips a policy that fails, even one that forbids.
  if (failed !== undefined)
    return deny(`the Cedar policy ${failed.policyId} failed: ${failed.error.message}`);
  if (decision === "allow") return undefined;
  const { reason } = diagnostics;
  if (reason.length === 0) return deny(`no Cedar policy permits ${about}`);
  const because = `the Cedar policy ${reason.join(", ")} forbids ${about}`;
  return reason.every((id) => asking.has(id))
    ? ({ effect: "ask", because: because.replace(" forbids ", " requires approval for ") } as const)
    : deny(because);
}

function deny(because: string): Opinion {
  return { effect: "deny", because };
}
