import { canonicalJson } from "../approval/canonical-json.js";
import type { JsonSchema } from "../schema/schema.js";
import { PATH_FORMAT } from "../schema/schema-builder.js";
import type { RegisteredTool } from "./registered-tool.js";

/**
 * Translates canonical arguments into the runtime's dialect: parameter names, and absolute paths where
 * it uses them. Returns undefined if the dialect cannot express every argument.
 */
export function spellArguments(
  tool: RegisteredTool,
  args: Readonly<Record<string, unknown>>,
): Record<string, unknown> | undefined {
  const lost = Object.keys(args).filter((name) => !isOffered(tool, name));
  if (lost.some((name) => !isDefault(tool, name, args[name]))) return undefined;
  const { paths } = tool.dialect;
  const placed = paths === "absolute" ? withAbsolutePaths(tool, tool.definition.input, args) : args;
  return tool.spelling.fromCanonical(placed as Record<string, unknown>);
}

function isOffered({ spelling }: RegisteredTool, name: string): boolean {
  return Object.keys(spelling.fromCanonical({ [name]: true })).length > 0;
}

function isDefault({ spelling, parameters }: RegisteredTool, name: string, value: unknown): boolean {
  const own = spelling.defaults ?? {};
  const standard = Object.hasOwn(own, name) ? own[name] : parameters[name]?.default;
  return standard !== undefined && canonicalJson(standard) === canonicalJson(value);
}

function withAbsolutePaths(tool: RegisteredTool, schema: JsonSchema, value: unknown): unknown {
  if (typeof value === "string")
    return schema.format === PATH_FORMAT && !value.startsWith("/") ? tool.absolute(value) : value;
  if (Array.isArray(value)) {
    const items = (schema.items ?? {}) as JsonSchema;
    return value.map((item) => withAbsolutePaths(tool, items, item));
  }
  if (typeof value !== "object" || value === null) return value;
  const properties = (schema.properties ?? {}) as Record<string, JsonSchema>;
  const entries = Object.entries(value).map(([name, member]) => {
    const own = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return [name, withAbsolutePaths(tool, own ?? {}, member)] as const;
  });
  return Object.fromEntries(entries);
}
