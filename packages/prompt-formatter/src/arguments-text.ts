import type { ApprovalRequest } from "@haft/core";
import { renderInline } from "@haft/text";

/** The arguments as JSON that a terminal can show: whatever is deceptive is escaped, and parses to the same. */
export function argumentsText(
  { args }: Pick<ApprovalRequest, "args">,
  { indent = 2 }: { readonly indent?: number } = {},
): string {
  const json = JSON.stringify(args, undefined, indent);
  return Array.from(json, (character) =>
    character === "\n" || renderInline(character) === character ? character : escapeUnits(character),
  ).join("");
}

function escapeUnits(character: string): string {
  return Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`,
  ).join("");
}
