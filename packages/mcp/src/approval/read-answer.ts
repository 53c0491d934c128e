import { type ApprovalAnswer, type ApprovalRequest, canonicalJson } from "@haft/core";
import { argumentsText } from "@haft/prompt-formatter";
import { offeredGrant, REMEMBER_CHOICES } from "./approval-form.js";

/** What came back from a client as an answer. Whatever is not clearly an approval is a denial. */
export function readAnswer(response: unknown, request: ApprovalRequest): ApprovalAnswer {
  const { action, content } = asRecord(response);
  if (action === "decline") return { approved: false };
  if (action === "cancel") return { approved: false, feedback: "the question was closed without an answer" };
  const { approved, feedback, arguments: text, remember } = asRecord(content);
  const said = typeof feedback === "string" && feedback !== "" ? { feedback } : {};
  if (action !== "accept" || approved !== true) return { approved: false, ...said };
  const choice = readRemember(remember);
  if (choice === undefined) return unclear(`"remember" was none of ${REMEMBER_CHOICES.join(", ")}`);
  const edited = readArguments(text, request);
  if (edited === "unclear") return unclear('"arguments" was not a JSON object');
  return { approved: true, ...said, ...edited, ...remembered(choice, request) };
}

/** Names the grant whose rule was shown, so that no other is saved. */
function remembered(
  scope: (typeof REMEMBER_CHOICES)[number],
  request: ApprovalRequest,
): Partial<ApprovalAnswer> {
  const grant = offeredGrant(request);
  if (scope === "once" || grant === undefined) return {};
  return { remember: { grant: grant.id, scope } };
}

function unclear(problem: string): ApprovalAnswer {
  return { approved: false, feedback: `the answer could not be understood: ${problem}` };
}

function readRemember(remember: unknown): (typeof REMEMBER_CHOICES)[number] | undefined {
  if (remember === undefined || remember === "") return "once";
  return REMEMBER_CHOICES.find((choice) => choice === remember);
}

/** Only arguments that really differ count as changed, so that an untouched form binds what was shown. */
function readArguments(
  text: unknown,
  request: ApprovalRequest,
): { readonly modifiedArgs?: unknown } | "unclear" {
  if (text === undefined || text === "" || text === argumentsText(request)) return {};
  if (typeof text !== "string") return "unclear";
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) return "unclear";
    return canonicalJson(parsed) === canonicalJson(request.args) ? {} : { modifiedArgs: parsed };
  } catch {
    // The person typed something that is not JSON; what was meant cannot be known.
    return "unclear";
  }
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
