/**
 * Permissions decide, in types and at run time, what a tool's context contains. Third parties add their own as `x-…`,
 * which grant nothing by themselves.
 */
export type ToolPermission = (typeof TOOL_PERMISSIONS)[number] | `x-${string}`;

export const TOOL_PERMISSIONS = [
  "ReadFiles",
  "WriteFiles",
  "CreateFiles",
  "DeleteFiles",
  "ExecuteCommands",
  "RunCode",
  "NetworkAccess",
] as const;

/** Returns everything a tool may access: required permissions and optional ones. */
export function declaredPermissions(definition: {
  readonly permissions: readonly ToolPermission[];
  readonly alsoUses?: readonly ToolPermission[];
}): readonly ToolPermission[] {
  const { permissions, alsoUses } = definition;
  return alsoUses === undefined ? permissions : [...permissions, ...alsoUses];
}

/** Returns true if a tool with these permissions can only read files. */
export function onlyReads(permissions: readonly ToolPermission[]): boolean {
  return permissions.every((permission) => permission === "ReadFiles");
}

/** Returns true if a tool with these permissions can change files, and so must be rehearsed. */
export function changesFiles(permissions: readonly ToolPermission[]): boolean {
  return permissions.some((permission) => FILE_CHANGING.has(permission));
}

/** Returns true if a tool with these permissions can read or change files. */
export function touchesFiles(permissions: readonly ToolPermission[]): boolean {
  return permissions.includes("ReadFiles") || changesFiles(permissions);
}

/** Returns true if a rehearsal reveals every effect a tool can have. */
export function canBeRehearsed(permissions: readonly ToolPermission[]): boolean {
  return permissions.every((permission) => FILE_CHANGING.has(permission) || permission === "ReadFiles");
}

const FILE_CHANGING = new Set<ToolPermission>(["WriteFiles", "CreateFiles", "DeleteFiles"]);
