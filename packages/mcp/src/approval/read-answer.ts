import { type ApprovalAnswer, type ApprovalRequest, isApproved } from "@haft/core";
import { canonicalJson } from "@haft/core/kernel";
import { argumentsText } from "@haft/prompt-formatter";
import { offeredGrant, REMEMBER_CHOICES } from "./approval-form.js";

/** Parses a client's response and records the client as decider. Anything but a clear approval denies. */
export function readAnswer(response: unknown, request: ApprovalRequest, client?: string): ApprovalAnswer {
  const who = typeof client === "string" && client !== "" ? { who: client } : {};
  return { ...answerIn(response, request), by: { how: "person", ...who } };
}

function answerIn(response: unknown, request: ApprovalRequest): ApprovalAnswer {
  const { action, content } = asRecord(response);
  if (action === "decline") return { approved: false };
  // MCP has no answer for "stop": decline refuses this call, and closing the question stops the task.
  if (action === "cancel")
    return { approved: false, abort: true, feedback: "the question was closed without an answer" };
  const { feedback, arguments: text, remember } = asRecord(content);
  const given = typeof feedback === "string" && feedback !== "" ? { feedback } : {};
  if (action !== "accept" || !isApproved(content)) return { approved: false, ...given };
  const choice = readRemember(remember);
  if (choice === undefined) return unclear(`"remember" must be one of ${REMEMBER_CHOICES.join(", ")}`);
  const edited = readArguments(text, request);
  if (edited === "unclear") return unclear('"arguments" was not a JSON object');
  return { approved: true, ...given, ...edited, ...remembered(choice, request) };
}

/** Saves exactly the grant whose rule was shown. */
function remembered(
  scope: (typeof REMEMBER_CHOICES)[number],
  request: ApprovalRequest,
): Partial<ApprovalAnswer> {
  const grant = offeredGrant(request);
  if (scope === "once" || grant === undefined) return {};
  return { remember: { grant: grant.id, scope } };
}

function unclear(problem: string): ApprovalAnswer {
  return { approved: false, feedback: `the answer is invalid: ${problem}` };
}

function readRemember(remember: unknown): (typeof REMEMBER_CHOICES)[number] | undefined {
  if (remember === undefined || remember === "") return "once";
  return REMEMBER_CHOICES.find((choice) => choice === remember);
}

/**
 * An unchanged form approves what was shown. The kernel also compares arguments after filling in defaults, so a client
 * may send the same form twice.
 */
function readArguments(
  text: unknown,
  request: ApprovalRequest,
): Pick<ApprovalAnswer, "modifiedArgs" | "showAgain"> | "unclear" {
  if (text === undefined || text === "" || text === argumentsText(request)) return {};
  if (typeof text !== "string") return "unclear";
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) return "unclear";
    return canonicalJson(parsed) === canonicalJson(request.args)
      ? {}
      : { modifiedArgs: parsed, showAgain: "if-changed" };
  } catch {
    // The input is not JSON, so the intent is unknown.
    return "unclear";
  }
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
