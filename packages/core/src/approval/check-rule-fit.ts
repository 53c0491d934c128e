import { nearestNames } from "@haft/text";
import { declaredPermissions, type ToolPermission } from "../permission/tool-permission.js";
import { pathParameters } from "../schema/path-arguments.js";
import type { JsonSchema } from "../schema/schema.js";
import { fromPlainTool, type PlainTool } from "../tool/plain-tool.js";
import { type AnyToolClass, definitionOf } from "../tool/tool.js";
import type { AnyDefinition } from "../tool/tool-definition.js";
import { canonicalJson } from "./canonical-json.js";
import { inRule, listOf } from "./check-rule.js";
import { meantBy } from "./check-rule-names.js";
import { matchesTool, type PolicyRule } from "./policy-rule.js";

/**
 * Throws TypeError on a rule that can match no call of the tool it names, so that no user relies on it. Rules about
 * other tools are not checked.
 */
export function assertRulesFit(
  rules: readonly PolicyRule[],
  tools: readonly (AnyToolClass | PlainTool)[],
  owner = "rules",
): void {
  if (rules.length === 0) return;
  const definitions = tools.map((tool) =>
    definitionOf(typeof tool === "function" ? tool : fromPlainTool(tool)),
  );
  for (const [index, rule] of rules.entries())
    inRule(`${owner}, rule ${index + 1}`, () => assertFits(rule, definitions));
}

function assertFits(rule: PolicyRule, definitions: readonly AnyDefinition[]): void {
  const { tool, category, permission, when = {}, matches = [], doesNotMatch = [] } = rule;
  // Tools that a category or permission stands for may be registered later.
  const named = definitions.find(({ name }) => name === tool);
  if (named === undefined) {
    if (tool === undefined) assertKnownToSome(rule, definitions);
    return;
  }
  const declared = declaredPermissions(named);
  if (permission !== undefined && !declared.includes(permission))
    throw new TypeError(
      `${tool} does not use the permission "${permission}"; it uses ${declared.join(", ") || "none"}`,
    );
  if (category !== undefined && category !== named.category)
    throw new TypeError(`${tool} is not in the category "${category}"; it is in "${named.category}"`);
  for (const key of ["command", "url", "path", "change"] as const)
    if (when[key] !== undefined) assertAble(key, named, definitions);
  for (const { name, oneOf } of when.argument === undefined ? [] : listOf(when.argument)) {
    assertArgument(name, named);
    assertValues(oneOf, { name, named });
  }
  for (const { tool: other = tool, arguments: args = {} } of [...matches, ...doesNotMatch])
    if (other === tool) for (const name of Object.keys(args)) assertArgument(name, named);
  for (const args of when.exactly ?? []) for (const name of Object.keys(args)) assertArgument(name, named);
}

/**
 * A rule without a tool may be for tools that are registered later, so only a name that is nearly one in use is an
 * error.
 */
function assertKnownToSome(rule: PolicyRule, definitions: readonly AnyDefinition[]): void {
  const { category, permission, when = {} } = rule;
  const categories = definitions.map((each) => each.category);
  if (permission?.startsWith("x-"))
    assertKnown("permission", permission, { known: definitions.flatMap(declaredPermissions) });
  if (category?.startsWith("x-")) assertKnown("category", category, { known: categories });
  const meant = definitions.filter((each) => matchesTool(rule, each));
  if (meant.some(({ input }) => input.additionalProperties !== false)) return;
  const known = meant.flatMap(({ input }) => Object.keys(propertiesOf(input)));
  for (const { name } of when.argument === undefined ? [] : listOf(when.argument))
    assertKnown("argument", name, { known, nearest: nearestOf });
}

interface Candidates {
  readonly known: readonly string[];
  readonly nearest?: typeof meantBy;
}

function assertKnown(kind: string, name: string, { known, nearest = meantBy }: Candidates): void {
  if (known.includes(name)) return;
  const meant = nearest(name, known);
  if (meant !== undefined)
    throw new TypeError(`no tool has the ${kind} ${JSON.stringify(name)}; did you mean "${meant}"?`);
}

function nearestOf(name: string, known: readonly string[]): string | undefined {
  return nearestNames(name, known, 1)[0];
}

function assertAble(
  key: keyof typeof ABILITIES,
  named: AnyDefinition,
  definitions: readonly AnyDefinition[],
): void {
  const { can, what } = ABILITIES[key];
  if (can(named)) return;
  const able = definitions.filter(can).map(({ name }) => name);
  const advice = able.length === 0 ? "no tool here can" : `${able.slice(0, MAX_NAMED).join(", ")} can`;
  throw new TypeError(`when.${key} never matches: ${named.name} cannot ${what}; ${advice}`);
}

function assertArgument(name: string, { name: tool, input }: AnyDefinition): void {
  const known = Object.keys(propertiesOf(input));
  if (known.includes(name) || input.additionalProperties !== false) return;
  const nearest = nearestOf(name, known);
  const advice =
    nearest === undefined ? `it has ${known.join(", ") || "none"}` : `did you mean "${nearest}"?`;
  throw new TypeError(`${tool} has no argument ${JSON.stringify(name)}; ${advice}`);
}

/** A condition that takes several values is dead only if the tool accepts none of them. */
function assertValues(
  values: readonly unknown[],
  { name, named }: { readonly name: string; readonly named: AnyDefinition },
): void {
  const { enum: allowed, type } = propertiesOf(named.input)[name] ?? {};
  const place = `${named.name} never has a value of when.argument for "${name}"`;
  if (Array.isArray(allowed)) {
    const known = allowed.map(canonicalJson);
    if (!values.some((value) => known.includes(canonicalJson(value))))
      throw new TypeError(`${place}; it takes ${known.join(", ")}`);
  } else if (typeof type === "string" && !values.some((value) => isOfType(value, type)))
    throw new TypeError(`${place}; it takes a value of type ${type}`);
}

function isOfType(value: unknown, type: string): boolean {
  if (type === "integer" || type === "number") return typeof value === "number";
  if (type === "array") return Array.isArray(value);
  if (type === "null") return value === null;
  return typeof value === type;
}

const MAX_NAMED = 5;

const ABILITIES = {
  command: {
    can: (tool: AnyDefinition) => tool.inspect !== undefined && uses(tool, RUNNING),
    what: "run commands",
  },
  url: { can: (tool: AnyDefinition) => uses(tool, ["NetworkAccess", ...RUNNING]), what: "reach addresses" },
  path: {
    can: (tool: AnyDefinition) => pathParameters(tool.input).length > 0 || uses(tool, [...FILES, ...RUNNING]),
    what: "touch paths",
  },
  change: { can: (tool: AnyDefinition) => uses(tool, [...CHANGING, ...RUNNING]), what: "change files" },
} as const;

const RUNNING: readonly ToolPermission[] = ["ExecuteCommands", "RunCode"];
const CHANGING: readonly ToolPermission[] = ["WriteFiles", "CreateFiles", "DeleteFiles"];
const FILES: readonly ToolPermission[] = ["ReadFiles", ...CHANGING];

/** A package's own permission (`x-…`) may grant access to anything. */
function uses(tool: AnyDefinition, permissions: readonly ToolPermission[]): boolean {
  return declaredPermissions(tool).some((each) => permissions.includes(each) || each.startsWith("x-"));
}

function propertiesOf(schema: JsonSchema): Readonly<Record<string, JsonSchema>> {
  return (schema.properties ?? {}) as Record<string, JsonSchema>;
}
