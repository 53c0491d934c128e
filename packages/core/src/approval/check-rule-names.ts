import { nearestNames } from "@haft/text";
import { BUILT_IN_ROLES } from "../permission/built-in-roles.js";
import type { Role } from "../permission/role.js";
import { TOOL_PERMISSIONS } from "../permission/tool-permission.js";
import { assertName, inRule } from "./check-rule.js";
import type { PolicyRule } from "./policy-rule.js";

/** The names that rules and roles may use. */
export interface KnownNames {
  readonly tools: readonly string[];
  readonly roles: readonly string[];
  /** Returns whether a tool of this name will be added later. */
  isAddedLater?(name: string): boolean;
}

/** The roles that rules may name: the built-in ones, the runtime's own, and those that the host lists. */
export function rolesKnownTo(role: Role, others: readonly string[] = []): readonly string[] {
  return [...new Set([...Object.keys(BUILT_IN_ROLES), role.name, ...others])];
}

/** Throws TypeError on a permission that does not exist, and on a tool whose name is nearly that of another. */
export function assertRoleNames({ name, permissions, tools = [] }: Role, known: KnownNames): void {
  try {
    for (const permission of permissions) assertName("permission", permission, TOOL_PERMISSIONS);
    for (const tool of tools) assertTool(tool, known);
  } catch (cause) {
    throw new TypeError(`role ${name}: ${(cause as TypeError).message}`, { cause });
  }
}

/**
 * Throws TypeError on a rule for a role that does not exist, or for a tool whose name is nearly that of another: it
 * would never match. Examples are checked too.
 */
export function assertRuleNames(rules: readonly PolicyRule[], known: KnownNames, owner = "rules"): void {
  for (const [index, rule] of rules.entries())
    inRule(`${owner}, rule ${index + 1}`, () => {
      for (const tool of toolsNamedBy(rule)) assertTool(tool, known);
    });
  assertRuleRoles(rules, known.roles, owner);
}

/** Throws TypeError on a rule for a role that is not among these. */
export function assertRuleRoles(
  rules: readonly PolicyRule[],
  roles: readonly string[],
  owner = "rules",
): void {
  for (const [index, { role }] of rules.entries())
    if (role !== undefined) inRule(`${owner}, rule ${index + 1}`, () => assertRole(role, roles));
}

/** Returns the tools that a rule and its examples name. */
export function toolsNamedBy({ tool, matches = [], doesNotMatch = [] }: PolicyRule): readonly string[] {
  return [tool, ...[...matches, ...doesNotMatch].map((example) => example.tool)].flatMap(
    (name) => name ?? [],
  );
}

function assertRole(name: string, roles: readonly string[]): void {
  if (roles.includes(name)) return;
  const [nearest] = nearestNames(name, roles, 1);
  const advice = nearest === undefined ? "" : ` Did you mean ${JSON.stringify(nearest)}?`;
  throw new TypeError(
    `there is no role ${JSON.stringify(name)}; the roles are ${roles.join(", ")}.${advice} List further names in "roles".`,
  );
}

function assertTool(name: string, known: KnownNames): void {
  const { nearest } = unknownTool(name, known) ?? {};
  if (nearest !== undefined)
    throw new TypeError(`there is no tool ${JSON.stringify(name)}; did you mean ${JSON.stringify(nearest)}?`);
}

/** Returns the known name that a name misspells. `edit_lines` is another name than `edit`, not a misspelt one. */
export function meantBy(name: string, known: readonly string[]): string | undefined {
  return nearestNames(
    name,
    known.filter((other) => !isOtherWord(name, other)),
    1,
  )[0];
}

function isOtherWord(name: string, other: string): boolean {
  const isPart = other.includes(name) || name.includes(other);
  return isPart && Math.abs(other.length - name.length) > 1;
}

/**
 * Returns undefined for a tool that exists or is added later, otherwise the known tool with the nearest name, if any.
 */
export function unknownTool(
  name: string,
  { tools, isAddedLater }: Pick<KnownNames, "tools" | "isAddedLater">,
): { readonly nearest: string | undefined } | undefined {
  if (tools.includes(name) || isAddedLater?.(name) === true) return undefined;
  return { nearest: meantBy(name, tools) };
}
