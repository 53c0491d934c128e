import type { RenderFacts } from "@haft/core";
import { parentPath } from "@haft/core/workspace";
import { countOf, describeBytes, groupDigits, renderInline } from "@haft/text";
import type { ListDirectoryArgs, ListDirectoryResult, ListedEntry } from "./list-directory-schema.js";

/** Renders the listing as an indented tree, followed by a summary of what it leaves out. */
export function renderListing(value: ListDirectoryResult, facts: RenderFacts<ListDirectoryArgs>): string {
  const tree = new Map<string, ListedEntry[]>();
  for (const entry of value.entries) {
    const parent = parentPath(entry.path) || ".";
    tree.set(parent, [...(tree.get(parent) ?? []), entry]);
  }
  const omitted = new Map(value.omitted.map(({ path, count }) => [path, count]));
  const lines = linesOf(value.path, { tree, omitted, indent: "" });
  const isRoot = value.path === ".";
  const heading = `${renderInline(facts.showPath(isRoot ? "" : value.path))}${isRoot ? "" : "/"}`;
  return [heading, ...(lines.length === 0 ? ["(no entries)"] : lines), ...notes(value)].join("\n");
}

interface Branch {
  readonly tree: ReadonlyMap<string, readonly ListedEntry[]>;
  readonly omitted: ReadonlyMap<string, number>;
  readonly indent: string;
}

function linesOf(directory: string, branch: Branch): readonly string[] {
  const lines = (branch.tree.get(directory) ?? []).flatMap((entry) => [
    `${branch.indent}${describeEntry(entry)}`,
    ...(entry.type === "directory" ? linesOf(entry.path, { ...branch, indent: `${branch.indent}  ` }) : []),
  ]);
  const rest = branch.omitted.get(directory);
  return rest === undefined ? lines : [...lines, `${branch.indent}… ${groupDigits(rest)} more`];
}

function describeEntry(entry: ListedEntry): string {
  const name = renderInline(entry.name);
  switch (entry.type) {
    case "directory":
      return `${name}/${ignoredNote(entry)}`;
    case "symlink":
      return `${name} -> ${renderInline(entry.target ?? "?")}${entry.outside ? " (outside the workspace)" : ""}`;
    case "file":
      return `${name} (${describeBytes(entry.size)})`;
    case "other":
      if (entry.unnamed) return `${name} (the name is not plain text and cannot be opened)`;
      return `${name} (pipe, socket or device)`;
  }
}

function ignoredNote({ ignored, entriesBelow }: ListedEntry): string {
  if (!ignored) return "";
  return entriesBelow === undefined
    ? " (ignored)"
    : ` (ignored, ${countOf(entriesBelow, "entry")} not listed)`;
}

function notes(value: ListDirectoryResult): readonly string[] {
  const { entries, total, totalExact, hidden, ignored } = value;
  const unseen = [
    ...(hidden > 0 ? [`${groupDigits(hidden)} hidden (include_hidden)`] : []),
    ...(ignored > 0 ? [`${groupDigits(ignored)} ignored (include_ignored)`] : []),
  ];
  return [
    ...(value.truncated
      ? [
          `(Showing ${groupDigits(entries.length)} of ${groupDigits(total)}${totalExact ? "" : "+"} entries. List a directory further down to see the rest.)`,
        ]
      : []),
    ...(unseen.length > 0 ? [`(Not shown: ${unseen.join(", ")})`] : []),
  ];
}
