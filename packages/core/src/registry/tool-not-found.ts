import { nearestNames } from "@haft/text";
import { ToolError } from "../error/tool-error.js";
import type { ToolDescription } from "./describe-tool.js";

/** Names the tools that were perhaps meant, of those there are. */
export function toolNotFound(given: unknown, tools: readonly ToolDescription[]): ToolError {
  const name = typeof given === "string" ? given : `a ${typeof given}`;
  const known = tools.map((tool) => tool.name);
  const nearest = nearestNames(name, known, 3);
  const hint =
    nearest.length > 0 ? `Did you mean ${nearest.join(", ")}?` : `The tools are: ${known.join(", ")}`;
  return new ToolError("TOOL_NOT_FOUND", `There is no tool called ${JSON.stringify(name.slice(0, 80))}`, {
    hint,
    details: { nearest },
  });
}
