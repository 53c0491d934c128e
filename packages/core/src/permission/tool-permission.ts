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

/** True if a tool with these permissions can change files, so that it must be rehearsed. */
export function changesFiles(permissions: readonly ToolPermission[]): boolean {
  return permissions.some((permission) => FILE_CHANGING.has(permission));
}

/** True if every effect a tool can have is seen by rehearsing it. */
export function canBeRehearsed(permissions: readonly ToolPermission[]): boolean {
  return permissions.every((permission) => FILE_CHANGING.has(permission) || permission === "ReadFiles");
}

const FILE_CHANGING = new Set<ToolPermission>(["WriteFiles", "CreateFiles", "DeleteFiles"]);
