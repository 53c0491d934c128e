import type { ApprovalRequest } from "@haft/core";
import { renderInline } from "@haft/text";

/** Formats arguments as JSON for a terminal. Deceptive characters are escaped; the text parses to the same value. */
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
