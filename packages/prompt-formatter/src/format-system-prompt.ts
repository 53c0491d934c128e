import type { ToolDescription } from "@haft/core";
import { formatMarkdown } from "./format-markdown.js";
import { formatXml } from "./format-xml.js";
import { groupByCategory } from "./group-by-category.js";
import type { PromptOptions } from "./prompt-options.js";

/**
 * The categorised system prompt for a set of tools. Pure, and the same bytes for the same tools in
 * any order, so that a provider's prompt cache keeps working.
 */
export function formatSystemPrompt(tools: readonly ToolDescription[], options: PromptOptions = {}): string {
  const groups = groupByCategory(tools);
  return options.flavour === "xml" ? formatXml(groups, options) : formatMarkdown(groups, options);
}
