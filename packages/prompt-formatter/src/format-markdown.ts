import type { ToolDescription } from "@haft/core";
import { describeLimits } from "./describe-limits.js";
import { TERMINATION_RULE } from "./format-termination.js";
import type { CategoryGroup } from "./group-by-category.js";
import { listParameters, PARAMETER_RULE, type Parameter } from "./list-parameters.js";
import type { PromptOptions } from "./prompt-options.js";

export function formatMarkdown(groups: readonly CategoryGroup[], options: PromptOptions): string {
  const { introduction, terminate = true } = options;
  const sections = [
    ...(introduction === undefined ? [] : [introduction.trimEnd()]),
    "# Tools",
    ...(groups.length === 0 ? ["No tools are available."] : []),
    ...(groups.length === 0 ? [] : [PARAMETER_RULE]),
    ...(groups.length > 0 && terminate ? [TERMINATION_RULE] : []),
    ...groups.map((group) => formatCategory(group, terminate)),
  ];
  return `${sections.join("\n\n")}\n`;
}

function formatCategory({ heading, tools }: CategoryGroup, terminate: boolean): string {
  const parts = tools.map((tool) => formatTool(tool, terminate));
  return [`## ${heading.title}`, heading.description, ...parts].join("\n\n");
}

function formatTool(tool: ToolDescription, terminate: boolean): string {
  const { name, summary, guidance, termination, input, examples } = tool;
  return [
    `### ${name}`,
    summary,
    ...(guidance === undefined ? [] : [guidance.trim()]),
    describeLimits(tool),
    ...listParameters(input).map(formatParameter),
    ...examples.map(({ when, args }) => `Example (${when}): \`${JSON.stringify(args)}\``),
    ...(termination === undefined || !terminate ? [] : [`Termination: ${termination.trim()}`]),
  ].join("\n");
}

function formatParameter({ name, type, isRequired, defaultJson, description }: Parameter): string {
  const facts = [
    type,
    ...(isRequired ? ["required"] : []),
    ...(defaultJson === undefined ? [] : [`default ${defaultJson}`]),
  ];
  return `- \`${name}\` (${facts.join(", ")})${description === "" ? "" : `: ${description}`}`;
}
