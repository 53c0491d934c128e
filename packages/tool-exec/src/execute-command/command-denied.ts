import { ToolError } from "@haft/core";
import { renderInline } from "@haft/text";
import type { CommandDecision } from "../command-policy/decide-command.js";

/** Names the part that was objected to, and what to use instead. */
export function commandDenied({ reason, offending, suggestion }: CommandDecision): ToolError {
  const part = renderInline(offending, { maxChars: 200 });
  return new ToolError(
    "COMMAND_DENIED",
    `\`${part}\` is not allowed: ${renderInline(reason, { maxChars: 300 })}`,
    {
      hint: suggestion === undefined ? NOTHING_RAN : `${NOTHING_RAN} Use instead: ${suggestion}.`,
      details: { offending, reason, ...(suggestion !== undefined && { suggestion }) },
    },
  );
}

const NOTHING_RAN = "It was not run.";
