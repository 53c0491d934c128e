import type { Role } from "../permission/role.js";
import { declaredPermissions, onlyReads, type ToolPermission } from "../permission/tool-permission.js";
import type { JsonSchema } from "../schema/schema.js";
import type { ToolCategory } from "../tool/tool-category.js";
import type { RegisteredTool } from "./registered-tool.js";
import { spellArguments } from "./spell-arguments.js";

/** A tool as the outside sees it, in the runtime's dialect: plain data for prompts, providers and listings. */
export interface ToolDescription {
  readonly name: string;
  /** The name without a dialect. */
  readonly canonicalName: string;
  readonly title: string;
  readonly summary: string;
  readonly category: ToolCategory;
  /** What it can use here: what it needs, and of what else it uses, all that the role holds. */
  readonly permissions: readonly ToolPermission[];
  readonly approval: "auto" | "confirm" | "depends";
  readonly input: JsonSchema;
  readonly output: JsonSchema;
  readonly examples: readonly { readonly when: string; readonly args: Readonly<Record<string, unknown>> }[];
  readonly guidance?: string;
  readonly termination?: string;
  readonly idempotent: boolean;
  readonly pack?: string;
}

export function describeTool(tool: RegisteredTool, role: Role): ToolDescription {
  const { definition, spelling } = tool;
  const { guidance, termination, pack } = definition;
  return {
    name: spelling.name,
    canonicalName: definition.name,
    title: definition.title ?? titleOf(definition.name),
    summary: definition.summary,
    category: definition.category,
    permissions: declaredPermissions(definition).filter((permission) =>
      role.permissions.includes(permission),
    ),
    approval: approvalOf(definition),
    input: spelling.input,
    output: definition.output,
    examples: spelledExamples(tool),
    ...(guidance === undefined ? {} : { guidance }),
    ...(termination === undefined ? {} : { termination }),
    idempotent: definition.idempotent ?? onlyReads(declaredPermissions(definition)),
    ...(pack === undefined ? {} : { pack }),
  };
}

/** The examples that the dialect can say whole. */
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
