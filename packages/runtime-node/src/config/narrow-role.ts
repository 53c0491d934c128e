import type { PolicyRule, Role } from "@haft/core";
import { BUILT_IN_ROLES } from "@haft/core";
import { resolveRole } from "../roles/resolve-role.js";
import type { Narrowed } from "./narrowing.js";

/**
 * Intersects the role of an untrusted configuration with the default role.
 *
 * SECURITY: remembered answers belong to the name of a role. A custom role therefore takes the name of the default
 * role, so that an untrusted file cannot use answers that a person gave to a wider role.
 */
export async function narrowRole(value: string | Role): Promise<Narrowed> {
  const { name, permissions, tools, rules = [] } = await resolveRole(value);
  const extra = permissions.filter((permission) => !DEFAULT.permissions.includes(permission));
  const { kept, ignored } = narrowRules(rules);
  if (isBuiltIn(value) && extra.length === 0) return { kept: value, ignored: [] };
  const role: Role = {
    name: DEFAULT.name,
    permissions: permissions.filter((permission) => !extra.includes(permission)),
    ...(tools && { tools }),
    rules: kept.map((rule) => (rule.role === name ? { ...rule, role: DEFAULT.name } : rule)),
  };
  return { kept: role, ignored: [...extra, ...ignored] };
}

/** Keeps the rules that deny or ask, and marks their reasons as text of an untrusted file. */
export function narrowRules(rules: readonly PolicyRule[]): {
  readonly kept: readonly PolicyRule[];
  readonly ignored: readonly PolicyRule[];
} {
  const kept = rules.filter(({ effect }) => effect === "deny" || effect === "ask");
  return {
    kept: kept.map((rule) => (rule.reason === undefined ? rule : { ...rule, reason: marked(rule.reason) })),
    ignored: rules.filter((rule) => !kept.includes(rule)),
  };
}

const DEFAULT: Role = BUILT_IN_ROLES.coder;

function isBuiltIn(value: string | Role): boolean {
  return typeof value === "string" && Object.hasOwn(BUILT_IN_ROLES, value);
}

function marked(reason: string): string {
  return `an untrusted configuration says: ${JSON.stringify(reason)}`;
}
