import type { ApprovalRequest } from "@haft/core";
import { renderForHuman, renderInline } from "@haft/text";

/**
 * What a person reads before deciding: tool, reason, and the diff or the arguments. Nothing in it
 * can move a cursor, reorder a line or hide; what is left out is counted.
 */
export function formatApproval(request: ApprovalRequest): string {
  const { tool, role, reason, risk, changes } = request;
  const head = [
    `${renderInline(tool)} needs approval: ${renderInline(reason, { maxChars: MAX_REASON_CHARS })}`,
    `role ${renderInline(role)}, risk ${risk}`,
  ];
  const body = changes.length === 0 ? formatArguments(request) : changes.map(formatChange);
  return [...head, ...body].join("\n");
}

function formatChange({ kind, path, from, diff }: ApprovalRequest["changes"][number]): string {
  const place = from === undefined ? renderInline(path) : `${renderInline(from)} -> ${renderInline(path)}`;
  const title = `${kind} ${place}`;
  if (diff === undefined || diff === "") return title;
  return `${title}\n${shown(diff, MAX_DIFF_CHARS).trimEnd()}`;
}

function formatArguments({ args }: ApprovalRequest): readonly string[] {
  return Object.entries(args).map(([name, value]) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return `${renderInline(name)}: ${shown(text, MAX_ARGUMENT_CHARS)}`;
  });
}

/** A change of line endings must be seen, so these are shown as well. */
function shown(text: string, maxChars: number): string {
  return renderForHuman(text.replaceAll("\r\n", "\\r\n"), { maxChars });
}

const MAX_REASON_CHARS = 1_000;
const MAX_DIFF_CHARS = 40_000;
const MAX_ARGUMENT_CHARS = 8_000;
