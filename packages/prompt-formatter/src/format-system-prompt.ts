import type { ToolDescription } from "@haft/core";
import { formatCompact } from "./format-compact.js";
import { formatMarkdown } from "./format-markdown.js";
import { formatXml } from "./format-xml.js";
import { groupByCategory } from "./group-by-category.js";
import type { PromptOptions } from "./prompt-options.js";

/**
 * Formats the categorised system prompt for a set of tools. Pure, and identical for any order of the tools, so that
 * provider prompt caches stay valid.
 */
export function formatSystemPrompt(tools: readonly ToolDescription[], options: PromptOptions = {}): string {
  const groups = groupByCategory(tools);
  if (options.style === "compact") return formatCompact(groups, options);
  return options.flavour === "xml" ? formatXml(groups, options) : formatMarkdown(groups, options);
}
