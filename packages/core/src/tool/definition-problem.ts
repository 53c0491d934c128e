import { nearestNames, truncateLine } from "@haft/text";
import { TOOL_PERMISSIONS } from "../permission/tool-permission.js";
import type { JsonSchema } from "../schema/schema.js";

/**
 * Returns what is wrong with the data of a definition, apart from its name and schemas. Types rule all of it out;
 * authors of JavaScript and packs with a kernel of their own have none.
 */
export function definitionProblem(definition: Readonly<Record<string, unknown>>): string | undefined {
  for (const [key, { must, holds }] of Object.entries(MEMBERS)) {
    const value = definition[key];
    if (value === undefined && key !== "summary") continue;
    if (!holds(value)) return `${key} must be ${must}; got ${quoted(value)}`;
  }
  const { permissions: required = [], alsoUses = [] } = definition as Partial<Record<string, string[]>>;
  const declared = [...required, ...alsoUses];
  const unknown = declared.find((permission) => !isPermission(permission));
  return unknown === undefined ? undefined : unknownPermission(unknown);
}

/** Returns why no call can satisfy an input schema. Arguments are always one JSON object. */
export function inputProblem({ type }: JsonSchema): string | undefined {
  if (type === undefined || [type].flat().includes("object")) return undefined;
  return `it accepts ${quoted(type)}, but the arguments of a call are an object. Wrap the value: { value: … }`;
}

interface Member {
  readonly must: string;
  holds(value: unknown): boolean;
}

const texts: Member = { must: "a list of texts", holds: (value) => isListOf(value, isText) };
const permissions: Member = { must: "a list of permissions", holds: texts.holds };
const positive: Member = {
  must: "a number above 0",
  holds: (value) => typeof value === "number" && value > 0,
};

const MEMBERS: Readonly<Record<string, Member>> = {
  summary: {
    must: "one line of text, with the rest in guidance",
    holds: (value) => isText(value) && value.trim() !== "" && !value.includes("\n"),
  },
  permissions,
  alsoUses: permissions,
  category: { must: "a text", holds: isText },
  errors: texts,
  timeoutMs: positive,
  maxTokens: positive,
  examples: { must: "a list of calls", holds: (value) => isListOf(value, isRecord) },
  aliases: {
    must: "lists of names by parameter",
    holds: (value) => isRecord(value) && Object.values(value).every((names) => isListOf(names, isText)),
  },
};

function isPermission(permission: string): boolean {
  return permission.startsWith("x-") || (TOOL_PERMISSIONS as readonly string[]).includes(permission);
}

function unknownPermission(permission: string): string {
  const [nearest] = nearestNames(permission, TOOL_PERMISSIONS, 1);
  const advice =
    nearest === undefined ? "A permission of your own begins with x-." : `Did you mean "${nearest}"?`;
  return `${quoted(permission)} is not a permission. ${advice}`;
}

function isListOf(value: unknown, isOne: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isOne);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function quoted(value: unknown): string {
  return truncateLine(JSON.stringify(value) ?? "nothing", 80);
}
