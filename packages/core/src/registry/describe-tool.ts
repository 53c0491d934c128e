import type { Role } from "../permission/role.js";
import { declaredPermissions, onlyReads, type ToolPermission } from "../permission/tool-permission.js";
import type { JsonSchema } from "../schema/schema.js";
import type { ToolCategory } from "../tool/tool-category.js";
import type { BriefDescription } from "../tool/tool-definition.js";
import { limitedBrief, limitedSchema, limitedText, pathLimits } from "./path-limits.js";
import type { RegisteredTool } from "./registered-tool.js";
import { spellArguments } from "./spell-arguments.js";
import { resolveReferences } from "./tool-references.js";

/** A tool in the runtime's dialect, as plain data for prompts, providers and listings. */
export interface ToolDescription {
  readonly name: string;
  /** The name without a dialect. */
  readonly canonicalName: string;
  readonly title: string;
  readonly summary: string;
  readonly category: ToolCategory;
  /** The permissions it has here: those it requires, and the optional ones that the role holds. */
  readonly permissions: readonly ToolPermission[];
  readonly approval: "auto" | "confirm" | "depends";
  readonly input: JsonSchema;
  readonly output: JsonSchema;
  readonly examples: readonly { readonly when: string; readonly args: Readonly<Record<string, unknown>> }[];
  readonly guidance?: string;
  /** True if a host that defers tools shows it only on request. */
  readonly deferred?: boolean;
  /** The short form, with parameters as this dialect names them. */
  readonly brief?: BriefDescription;
  readonly termination?: string;
  readonly idempotent: boolean;
  readonly pack?: string;
}

interface DescriptionContext {
  readonly role: Role;
  /** Returns the name of another tool in this runtime; undefined if it is not offered. */
  nameOf(canonical: string): string | undefined;
}

export function describeTool(tool: RegisteredTool, { role, nameOf }: DescriptionContext): ToolDescription {
  const { definition, spelling, pack } = tool;
  const resolve = (text: string) => resolveReferences(text, nameOf);
  const guidance = definition.guidance && resolve(definition.guidance);
  const termination = definition.termination && resolve(definition.termination);
  const limits = pathLimits(definition, role);
  const limited = (text: string) => limitedText(text, { definition, schema: spelling.input, limits });
  const brief = definition.brief && {
    ...definition.brief,
    description: limited(resolve(definition.brief.description)),
  };
  return {
    name: spelling.name,
    canonicalName: definition.name,
    title: definition.title ?? titleOf(definition.name),
    summary: limited(definition.summary),
    category: definition.category,
    permissions: declaredPermissions(definition).filter((permission) =>
      role.permissions.includes(permission),
    ),
    approval: approvalOf(definition),
    input: limitedSchema(spelling.input, limits),
    output: definition.output,
    examples: spelledExamples(tool),
    ...(guidance ? { guidance } : {}),
    ...(definition.deferred === true ? { deferred: true } : {}),
    ...(brief === undefined
      ? {}
      : { brief: limitedBrief(spelledBrief(tool, brief), spelling.input, limits) }),
    ...(termination ? { termination } : {}),
    idempotent: definition.idempotent ?? onlyReads(declaredPermissions(definition)),
    ...(pack === undefined ? {} : { pack }),
  };
}

function spelledBrief({ spelling }: RegisteredTool, brief: BriefDescription): BriefDescription {
  const parameters = Object.entries(brief.parameters).flatMap(([name, description]) =>
    Object.keys(spelling.fromCanonical({ [name]: true })).map((spelled) => [spelled, description] as const),
  );
  return { description: brief.description, parameters: Object.fromEntries(parameters) };
}

/** The examples that the dialect can express completely. */
export function spelledExamples(tool: RegisteredTool): ToolDescription["examples"] {
  return (tool.definition.examples ?? []).flatMap(({ when, args }) => {
    const spelled = spellArguments(tool, args as never);
    return spelled === undefined ? [] : [{ when, args: spelled }];
  });
}

function approvalOf(definition: RegisteredTool["definition"]): ToolDescription["approval"] {
  const { approval } = definition;
  if (typeof approval === "function") return "depends";
  return approval ?? (onlyReads(declaredPermissions(definition)) ? "auto" : "confirm");
}

function titleOf(name: string): string {
  const words = name.split("_").join(" ");
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}
