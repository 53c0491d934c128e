import { listOf, selectionOf } from "../approval/check-rule.js";
import { type ChangeKind, matchesTool } from "../approval/policy-rule.js";
import type { Role } from "../permission/role.js";
import {
  canBeRehearsed,
  changesFiles,
  declaredPermissions,
  type ToolPermission,
  touchesFiles,
} from "../permission/tool-permission.js";
import { pathParameters } from "../schema/path-arguments.js";
import type { JsonSchema } from "../schema/schema.js";
import type { AnyDefinition, BriefDescription } from "../tool/tool-definition.js";

/**
 * States which paths a role's deny rules leave to a tool, such as "Only docs/**." Undefined where no rule limits paths.
 */
export function pathLimits(definition: AnyDefinition, { rules = [] }: Role): string | undefined {
  const limits = rules.flatMap((rule) => {
    const { path, change, ...others } = rule.when ?? {};
    const isAboutPaths = path !== undefined && Object.keys(others).length === 0;
    if (rule.effect !== "deny" || !isAboutPaths || !matchesTool(rule, definition)) return [];
    if (change !== undefined && !coversChanges(listOf(change), definition)) return [];
    const { only, not } = selectionOf(path);
    if (only === undefined) return [`Only ${(not ?? []).join(" or ")}.`];
    return not === undefined
      ? [`Not ${only.join(" or ")}.`]
      : [`Of ${only.join(" or ")} only ${not.join(" or ")}.`];
  });
  return limits.length === 0 ? undefined : [...new Set(limits)].join(" ");
}

/** Returns true if the tool only changes files, and every change it can make is of these kinds. */
function coversChanges(kinds: readonly ChangeKind[], definition: AnyDefinition): boolean {
  const permissions = declaredPermissions(definition);
  if (!changesFiles(permissions) || !canBeRehearsed(permissions)) return false;
  return Object.entries(NEEDED).every(
    ([kind, needed]) =>
      kinds.includes(kind as ChangeKind) || !needed.every((permission) => permissions.includes(permission)),
  );
}

const NEEDED: Readonly<Record<ChangeKind, readonly ToolPermission[]>> = {
  modify: ["WriteFiles"],
  create: ["CreateFiles"],
  delete: ["DeleteFiles"],
  move: ["WriteFiles", "CreateFiles"],
};

/**
 * Adds the limits to the description of every path parameter, so that the model knows them before a call is refused.
 */
export function limitedSchema(schema: JsonSchema, limits: string | undefined): JsonSchema {
  if (limits === undefined) return schema;
  const properties = { ...(schema.properties as Record<string, JsonSchema>) };
  for (const name of pathParameters(schema)) {
    const { description } = properties[name] as { readonly description?: string };
    properties[name] = { ...properties[name], description: joined(description, limits) };
  }
  return { ...schema, properties };
}

/** The same for the compact form. */
export function limitedBrief(
  brief: BriefDescription,
  schema: JsonSchema,
  limits: string | undefined,
): BriefDescription {
  if (limits === undefined) return brief;
  const paths = pathParameters(schema);
  const parameters = Object.entries(brief.parameters).map(
    ([name, text]) => [name, paths.includes(name) ? joined(text, limits) : text] as const,
  );
  return { ...brief, parameters: Object.fromEntries(parameters) };
}

/** The same for a tool without a path parameter, such as one that takes a patch: its own description says it. */
export function limitedText(
  text: string,
  {
    definition,
    schema,
    limits,
  }: { definition: AnyDefinition; schema: JsonSchema; limits: string | undefined },
): string {
  if (limits === undefined || pathParameters(schema).length > 0) return text;
  return touchesFiles(declaredPermissions(definition)) ? joined(text, limits) : text;
}

function joined(description: string | undefined, limits: string): string {
  return description === undefined ? limits : `${description.replace(/\.$/, "")}. ${limits}`;
}
