import { isAbsolute, resolve } from "node:path";
import type { Role } from "@haft/core";
import { BUILT_IN_ROLES } from "@haft/core";
import { nearestNames } from "@haft/text";
import { checkConfig } from "../config/check-config.js";
import { ConfigError } from "../config/config-error.js";
import { parseConfigJson, readConfigFile } from "../config/read-config-file.js";
import { roleFileSchema, roleSchema } from "./role-schema.js";

/**
 * Resolves a role from a built-in name, a role object, or the path of a JSON file (absolute, or relative to `from`).
 * Throws ConfigError for anything else; there is no fallback to a wider role.
 */
export async function resolveRole(role: string | Role, from = process.cwd()): Promise<Role> {
  if (typeof role !== "string") return checked(role, roleSchema, "The role");
  if (Object.hasOwn(BUILT_IN_ROLES, role)) return BUILT_IN_ROLES[role as keyof typeof BUILT_IN_ROLES];
  if (!isRoleFile(role)) throw unknownRole(role);
  const file = isAbsolute(role) ? role : resolve(from, role);
  return checkedRole(parseConfigJson(file, await readConfigFile(file)), file);
}

/** Checks the content of a role file. */
export function checkedRole(value: unknown, file: string): Promise<Role> {
  return checked(value, roleFileSchema, file);
}

async function checked(value: unknown, schema: typeof roleSchema, where: string): Promise<Role> {
  await checkConfig(value, schema, where);
  const { name, permissions, tools, rules } = structuredClone(value) as Role;
  return { name, permissions, ...(tools && { tools }), ...(rules && { rules }) };
}

/** Returns true for a path rather than a name. */
export function isRoleFile(role: string): boolean {
  return role.includes("/") || role.includes("\\") || role.endsWith(".json");
}

function unknownRole(role: string): ConfigError {
  const known = Object.keys(BUILT_IN_ROLES);
  const [nearest] = nearestNames(role, known, 1);
  const advice = nearest === undefined ? "" : ` Did you mean ${nearest}?`;
  return new ConfigError("CONFIG_INVALID", `Unknown role ${JSON.stringify(role.slice(0, 80))}.`, {
    hint: `The roles are ${known.join(", ")}, or the path of a JSON file.${advice}`,
  });
}
