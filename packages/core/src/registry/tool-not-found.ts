import { nearestNames } from "@haft/text";
import { ToolError } from "../error/tool-error.js";
import type { ToolDescription } from "./describe-tool.js";

/** Suggests the nearest of the available tools. */
export function toolNotFound(
  given: unknown,
  tools: readonly ToolDescription[],
  imported: readonly string[] = [],
): ToolError {
  const name = typeof given === "string" ? given : `a ${typeof given}`;
  const known = tools.map((tool) => tool.name);
  const nearest = nearestNames(name, known, 3);
  return new ToolError("TOOL_NOT_FOUND", `There is no tool called ${JSON.stringify(name.slice(0, 80))}`, {
    hint: imported.includes(name) ? notGiven(name) : suggestion(known, nearest),
    details: { nearest },
  });
}

function notGiven(name: string): string {
  return `${name} was imported, but this runtime has its own list of tools. Add it to \`tools\`, or leave \`tools\` out to use every imported tool.`;
}

function suggestion(known: readonly string[], nearest: readonly string[]): string {
  if (nearest.length > 0) return `Did you mean ${nearest.join(", ")}?`;
  return known.length > 0 ? `The tools are: ${known.join(", ")}` : "This runtime has no tools.";
}
