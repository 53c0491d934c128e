import { ToolError } from "@haft/core";
import type { AvailableTools, CommandHost } from "@haft/core/capabilities";
import { renderInline } from "@haft/text";
import type { CommandDecision } from "../command-policy/decide-command.js";

interface DenialFacts {
  readonly host: Pick<CommandHost, "canAsk">;
  readonly tools: AvailableTools;
}

/** Names the part that was objected to, the setting that would allow it, and a tool that the role has. */
export function commandDenied(decision: CommandDecision, { host, tools }: DenialFacts): ToolError {
  const { reason, offending, unlisted } = decision;
  const part = renderInline(offending, { maxChars: 200 });
  const why = renderInline(reason, { maxChars: 300 });
  const suggestion = suggestionFor(decision, tools);
  const remedy = unlisted === undefined ? undefined : remedyFor(unlisted, host);
  return new ToolError(
    "COMMAND_DENIED",
    unlisted?.entry === undefined
      ? `\`${part}\` is not allowed: ${why}`
      : `\`${part}\` is not on the allow list`,
    {
      hint: [
        NOTHING_RAN,
        ...(suggestion === undefined ? [] : [`Instead: ${suggestion}.`]),
        ...(remedy === undefined ? [] : [remedy]),
      ].join(" "),
      details: { offending, reason, ...(suggestion !== undefined && { suggestion }) },
    },
  );
}

const NOTHING_RAN = "It was not run.";

function remedyFor({ entry }: { readonly entry?: string }, host: DenialFacts["host"]): string {
  const listing =
    entry === undefined ? [] : [`add ${JSON.stringify(entry)} to commands.allow in haft.config.json`];
  const asking = host.canAsk()
    ? 'set commands.onUnlisted to "box" or "ask"'
    : 'attach an approver and set commands.onUnlisted to "box" or "ask"';
  return `To allow it, the user can ${[...listing, asking].join(", or ")}.`;
}

/** Removes tools that this role does not have from a suggestion. Returns undefined if none remain. */
function suggestionFor({ suggestion }: CommandDecision, tools: AvailableTools): string | undefined {
  if (suggestion === undefined) return undefined;
  const named = suggestion.match(TOOL_NAMES) ?? [];
  const usable = named.filter((name) => tools.has(name));
  if (usable.length === named.length) return suggestion;
  return usable.length === 0 ? undefined : usable.join(" or ");
}

const TOOL_NAMES =
  /\b(?:(?:read|write|create|append|update|delete|move)_file|replace_in_file|apply_patch|edit|web_fetch|run_code|glob|grep|process)\b/g;
