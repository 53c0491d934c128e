import type { ToolDescription } from "@haft/core";

/** Describes a tool's permissions and whether it prompts, in two sentences. */
export function describeLimits({ permissions, approval }: ToolDescription): string {
  const needs = permissions.length === 0 ? "none" : permissions.join(", ");
  return `Permissions: ${needs}. Approval: ${APPROVAL[approval]}.`;
}

const APPROVAL: Readonly<Record<ToolDescription["approval"], string>> = {
  auto: "not needed",
  confirm: "the user is asked",
  depends: "the user may be asked",
};
