import { type ParsedScript, parse } from "unbash";
import { checkCommandText } from "./check-command-text.js";
import type { CommandPlan, PlannedCommand } from "./command-plan.js";
import { hasUnreadText } from "./has-unread-text.js";
import { deny, type Objection } from "./objection.js";
import { planScript } from "./plan-script.js";
import { surveyScript } from "./survey-script.js";

/**
 * `plan`: understood completely. `refused`: must not run, also not with approval. `unsupported`: valid shell that
 * needs a real shell, with the simple commands found anywhere inside it so that deny rules still apply to them.
 */
export type ParsedCommand =
  | { readonly kind: "plan"; readonly plan: CommandPlan }
  | { readonly kind: "refused"; readonly objection: Objection; readonly offending: string }
  | {
      readonly kind: "unsupported";
      readonly construct: string;
      readonly offending: string;
      readonly suggestion?: string;
      readonly fragments: readonly PlannedCommand[];
    };

export function parseCommand(text: string): ParsedCommand {
  const badText = checkCommandText(text);
  if (badText !== undefined) return refused(badText, text);
  const script = parseOrUndefined(text);
  if (script === undefined) return refused(deny("the command is nested too deeply to parse"), text);
  const survey = surveyScript(script, text);
  if ("objection" in survey) return refused(survey.objection, survey.offending);
  if (survey.fragments.length === 0 && script.commands.length === 0) {
    return refused(deny("the command is empty"), text);
  }
  const planned = planScript(script, text);
  if ("plan" in planned) {
    if (hasUnreadText(script, text)) return refused(deny("the command does not parse completely"), text);
    return { kind: "plan", plan: planned.plan };
  }
  return { kind: "unsupported", ...planned, fragments: survey.fragments };
}

// The parser recurses, so hostile nesting surfaces as a RangeError.
function parseOrUndefined(text: string): ParsedScript | undefined {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

function refused(objection: Objection, offending: string): ParsedCommand {
  return { kind: "refused", objection, offending };
}
