import type { PolicyRule } from "../approval/policy-rule.js";
import type { ToolPermission } from "./tool-permission.js";

/** What one agent is trusted with. */
export interface Role {
  readonly name: string;
  readonly permissions: readonly ToolPermission[];
  /** Only these tools, by canonical name; all that the permissions allow when left out. */
  readonly tools?: readonly string[];
  readonly rules?: readonly PolicyRule[];
}

/** The permissions a role lacks for a tool; empty when it may use it. */
export function missingPermissions(role: Role, needed: readonly ToolPermission[]): readonly ToolPermission[] {
  return needed.filter((permission) => !role.permissions.includes(permission));
}

export function mayUse(role: Role, tool: { name: string; permissions: readonly ToolPermission[] }): boolean {
  if (role.tools !== undefined && !role.tools.includes(tool.name)) return false;
  return missingPermissions(role, tool.permissions).length === 0;
}

/**
 * The role of a child agent: never more than its parent, whatever the child's own role says.
 * Permissions and tools intersect; of the child's rules only those that restrict are kept.
 */
export function narrowRole(parent: Role, child: Role): Role {
  const tools = intersectTools(parent.tools, child.tools);
  return {
    name: child.name,
    permissions: child.permissions.filter((permission) => parent.permissions.includes(permission)),
    ...(tools === undefined ? {} : { tools }),
    rules: [...(parent.rules ?? []), ...(child.rules ?? []).filter((rule) => rule.effect !== "allow")],
  };
}

function intersectTools(
  parent: readonly string[] | undefined,
  child: readonly string[] | undefined,
): readonly string[] | undefined {
  if (parent === undefined) return child;
  if (child === undefined) return parent;
  return child.filter((tool) => parent.includes(tool));
}
