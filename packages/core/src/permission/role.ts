import type { PolicyRule } from "../approval/policy-rule.js";
import type { ToolPermission } from "./tool-permission.js";

/** The permissions, tools and rules of one agent. */
export interface Role {
  readonly name: string;
  readonly permissions: readonly ToolPermission[];
  /** Only these tools, by canonical name. Default: all that the permissions allow. */
  readonly tools?: readonly string[];
  readonly rules?: readonly PolicyRule[];
}

/** Returns the permissions a role lacks for a tool; empty if it may use it. */
export function missingPermissions(role: Role, needed: readonly ToolPermission[]): readonly ToolPermission[] {
  return needed.filter((permission) => !role.permissions.includes(permission));
}

export function mayUse(role: Role, tool: { name: string; permissions: readonly ToolPermission[] }): boolean {
  if (role.tools !== undefined && !role.tools.includes(tool.name)) return false;
  return missingPermissions(role, tool.permissions).length === 0;
}

/**
 * Returns the role of a child agent: never more than its parent's, whatever the child's own role says. Permissions and
 * tools are intersected; only the child's restricting rules are kept.
 */
export function narrowRole(parent: Role, child: Role): Role {
  const tools = intersectTools(parent.tools, child.tools);
  return {
    name: child.name,
    permissions: child.permissions.filter((permission) => parent.permissions.includes(permission)),
    ...(tools === undefined ? {} : { tools }),
    rules: [...inherited(parent), ...(child.rules ?? []).filter((rule) => rule.effect !== "allow")],
  };
}

/** Rules for the parent by its name apply to the child too. */
function inherited({ name, rules = [] }: Role): readonly PolicyRule[] {
  return rules.map(({ role, ...rule }) => (role === undefined || role === name ? rule : { ...rule, role }));
}

function intersectTools(
  parent: readonly string[] | undefined,
  child: readonly string[] | undefined,
): readonly string[] | undefined {
  if (parent === undefined) return child;
  if (child === undefined) return parent;
  return child.filter((tool) => parent.includes(tool));
}
