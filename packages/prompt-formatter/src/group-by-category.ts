import type { ToolCategory, ToolDescription } from "@haft/core";
import { type CategoryHeading, categoryHeading, KNOWN_CATEGORIES } from "@haft/core/kernel";

export interface CategoryGroup {
  readonly category: ToolCategory;
  readonly heading: CategoryHeading;
  readonly tools: readonly ToolDescription[];
}

/**
 * Groups tools by category: known categories in fixed order, then third-party ones by name; tools by name. Independent
 * of import order.
 */
export function groupByCategory(tools: readonly ToolDescription[]): readonly CategoryGroup[] {
  const byCategory = new Map<ToolCategory, ToolDescription[]>();
  for (const tool of tools) {
    const group = byCategory.get(tool.category);
    if (group === undefined) byCategory.set(tool.category, [tool]);
    else group.push(tool);
  }
  return [...byCategory.keys()].sort(byPromptOrder).map((category) => ({
    category,
    heading: categoryHeading(category),
    tools: (byCategory.get(category) ?? []).sort((a, b) => byCodePoint(a.name, b.name)),
  }));
}

function byPromptOrder(a: ToolCategory, b: ToolCategory): number {
  return rank(a) - rank(b) || byCodePoint(a, b);
}

function rank(category: ToolCategory): number {
  const place = (KNOWN_CATEGORIES as readonly string[]).indexOf(category);
  return place === -1 ? KNOWN_CATEGORIES.length : place;
}

// Unlike localeCompare, independent of the machine's language.
function byCodePoint(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
