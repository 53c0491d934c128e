import type { ToolDescription } from "@haft/core";
import { describeLimits } from "./describe-limits.js";
import { TERMINATION_RULE } from "./format-termination.js";
import type { CategoryGroup } from "./group-by-category.js";
import { listParameters, PARAMETER_RULE, type Parameter } from "./list-parameters.js";
import type { PromptOptions } from "./prompt-options.js";

export function formatXml(groups: readonly CategoryGroup[], options: PromptOptions): string {
  const { introduction, terminate = true } = options;
  return [
    ...(introduction === undefined ? [] : [introduction.trimEnd(), ""]),
    "<tools>",
    ...(groups.length === 0 ? [] : [element("parameter_rule", PARAMETER_RULE)]),
    ...(groups.length > 0 && terminate ? [element("termination_rule", TERMINATION_RULE)] : []),
    ...groups.flatMap((group) => formatCategory(group, terminate)),
    "</tools>",
    "",
  ].join("\n");
}

function formatCategory({ category, heading, tools }: CategoryGroup, terminate: boolean): readonly string[] {
  return [
    `<category${attributes({ name: category, title: heading.title })}>`,
    element("description", heading.description),
    ...tools.flatMap((tool) => formatTool(tool, terminate)),
    "</category>",
  ];
}

function formatTool(tool: ToolDescription, terminate: boolean): readonly string[] {
  const { name, summary, guidance, termination, input, examples } = tool;
  return [
    `<tool${attributes({ name })}>`,
    element("summary", summary),
    ...(guidance === undefined ? [] : [element("guidance", guidance.trim())]),
    element("limits", describeLimits(tool)),
    ...listParameters(input).map(formatParameter),
    ...examples.map(({ when, args }) => element("example", JSON.stringify(args), { when })),
    ...(termination === undefined || !terminate ? [] : [element("termination", termination.trim())]),
    "</tool>",
  ];
}

function formatParameter({ name, type, isRequired, defaultJson, description }: Parameter): string {
  return element("parameter", description, {
    name,
    type,
    ...(isRequired ? { required: "true" } : {}),
    ...(defaultJson === undefined ? {} : { default: defaultJson }),
  });
}

function element(name: string, text: string, attrs: Readonly<Record<string, string>> = {}): string {
  return `<${name}${attributes(attrs)}>${escapeText(text)}</${name}>`;
}

function attributes(attrs: Readonly<Record<string, string>>): string {
  return Object.entries(attrs)
    .map(([name, value]) => ` ${name}="${escapeText(value).replaceAll('"', "&quot;")}"`)
    .join("");
}

// Ensures that a description never closes its enclosing element.
function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
