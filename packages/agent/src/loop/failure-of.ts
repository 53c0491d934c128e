import { type ErrorInfo, messageOf, ToolError } from "@haft/core";

/** Describes the error that ended a run. An error without a code is a defect of Haft. */
export function failureOf(cause: unknown): ErrorInfo {
  const { code, hint } = ToolError.is(cause) ? cause : { code: "INTERNAL", hint: undefined };
  return { code, message: messageOf(cause), ...(hint !== undefined && { hint }) };
}
