import { type ParsedScript, parse } from "unbash";
import { checkCommandText } from "./check-command-text.js";
import type { CommandPlan, PlannedCommand } from "./command-plan.js";
import { hasUnreadText } from "./has-unread-text.js";
import { deny, type Objection, unlisted } from "./objection.js";
import { planScript } from "./plan-script.js";
import { rememberLatest } from "./remember-latest.js";
import { surveyScript } from "./survey-script.js";

/**
 * `plan`: completely understood. `refused`: it could not be parsed, or must not run; the objection says which.
 * `unsupported`: valid syntax that needs a real shell, with all simple commands inside it so that deny rules still
 * apply.
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

export const parseCommand: (text: string) => ParsedCommand = rememberLatest(parseText);

function parseText(text: string): ParsedCommand {
  const badText = checkCommandText(text);
  if (badText !== undefined) return refused(badText, text);
  const script = parseOrUndefined(text);
  if (script === undefined) return refused(unlisted("the command is nested too deeply to parse"), text);
  const survey = surveyScript(script, text);
  if ("objection" in survey) return refused(survey.objection, survey.offending);
  if (survey.fragments.length === 0 && script.commands.length === 0) {
    return refused(deny("the command is empty"), text);
  }
  const planned = planScript(script, text);
  if ("plan" in planned) {
    if (hasUnreadText(script, text)) return refused(unlisted("the command does not parse completely"), text);
    return { kind: "plan", plan: planned.plan };
  }
  return { kind: "unsupported", ...planned, fragments: survey.fragments };
}

// The parser recurses, so hostile nesting causes a RangeError.
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
