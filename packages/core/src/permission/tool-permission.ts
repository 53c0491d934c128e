/**
 * Permissions are keys: they decide, in types and at run time, what a tool's context holds.
 * Third parties add their own as `x-…`; those open nothing by themselves.
 */
export type ToolPermission =
  | "ReadFiles"
  | "WriteFiles"
  | "CreateFiles"
  | "DeleteFiles"
  | "ExecuteCommands"
  | "RunCode"
  | "NetworkAccess"
  | `x-${string}`;

/** Everything a tool may reach: what it must have, and what it uses where a role has it. */
export function declaredPermissions(definition: {
  readonly permissions: readonly ToolPermission[];
  readonly alsoUses?: readonly ToolPermission[];
}): readonly ToolPermission[] {
  const { permissions, alsoUses } = definition;
  return alsoUses === undefined ? permissions : [...permissions, ...alsoUses];
}

/** True if a tool with these permissions can do nothing but read files. */
export function onlyReads(permissions: readonly ToolPermission[]): boolean {
  return permissions.every((permission) => permission === "ReadFiles");
}

/** True if a tool with these permissions can change files, so that it must be rehearsed. */
export function changesFiles(permissions: readonly ToolPermission[]): boolean {
  return permissions.some((permission) => FILE_CHANGING.has(permission));
}

/** True if every effect a tool can have is seen by rehearsing it. */
export function canBeRehearsed(permissions: readonly ToolPermission[]): boolean {
  return permissions.every((permission) => FILE_CHANGING.has(permission) || permission === "ReadFiles");
}

const FILE_CHANGING = new Set<ToolPermission>(["WriteFiles", "CreateFiles", "DeleteFiles"]);
