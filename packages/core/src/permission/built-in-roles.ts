import type { Role } from "./role.js";
import type { ToolPermission } from "./tool-permission.js";

const READER: readonly ToolPermission[] = ["ReadFiles"];
const EDITOR: readonly ToolPermission[] = [...READER, "WriteFiles", "CreateFiles", "DeleteFiles"];
const CODER: readonly ToolPermission[] = [...EDITOR, "ExecuteCommands", "RunCode"];

/** The roles a host can select by name. */
export const BUILT_IN_ROLES = {
  reader: { name: "reader", permissions: READER },
  editor: { name: "editor", permissions: EDITOR },
  coder: { name: "coder", permissions: CODER },
  researcher: { name: "researcher", permissions: [...READER, "NetworkAccess"] },
  admin: { name: "admin", permissions: [...CODER, "NetworkAccess"] },
} as const satisfies Readonly<Record<string, Role>>;

export type BuiltInRoleName = keyof typeof BUILT_IN_ROLES;
