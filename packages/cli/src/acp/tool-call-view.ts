import type { ToolCallContent, ToolCallLocation, ToolKind } from "@agentclientprotocol/sdk";
import type { CallSettled, ProposedCall } from "@haft/agent";
import type { ApprovalRequest, ChangeSummary, ImageContent, ToolDescription } from "@haft/core";
import { formatApproval } from "@haft/prompt-formatter";
import { renderForHuman, renderInline } from "@haft/text";
import { describeArguments } from "../run/describe-arguments.js";
import { diffHunks } from "./diff-hunks.js";

/** The part of a workspace that a view uses. */
export interface ViewedWorkspace {
  /** Throws for a path outside the workspace. */
  absolute(path: string): string;
}

/** Returns the kind of tool, which selects the editor's icon. */
export function toolKind(tool: Pick<ToolDescription, "category" | "permissions"> | undefined): ToolKind {
  if (tool === undefined) return "other";
  const { category, permissions } = tool;
  if (category === "execute" || category === "search" || category === "read") return category;
  if (category === "web") return "fetch";
  if (permissions.includes("WriteFiles")) return "edit";
  return permissions.includes("DeleteFiles") ? "delete" : "other";
}

/** Describes a call in one line. */
export function callTitle({ tool, args, rawArgs }: ProposedCall): string {
  const described = args === undefined ? renderInline(rawArgs, { maxChars: 200 }) : describeArguments(args);
  return `${renderInline(tool, { maxChars: 80 })} ${described}`.trimEnd();
}

/** Returns the files named in the arguments, so that an editor can follow along. */
export function namedLocations({ args = {} }: ProposedCall, workspace: ViewedWorkspace): ToolCallLocation[] {
  const line = typeof args.offset === "number" && args.offset > 0 ? { line: args.offset } : {};
  return PATH_NAMES.flatMap((name) => {
    const path = args[name];
    const absolute = typeof path === "string" ? absoluteOr(workspace, path) : undefined;
    return absolute === undefined ? [] : [{ path: absolute, ...line }];
  });
}

const PATH_NAMES = ["path", "file_path", "filePath", "from", "to", "source", "destination"];

/** Returns the files a call changed, with the first changed line of each. */
export function changedLocations(
  changes: readonly ChangeSummary[],
  workspace: ViewedWorkspace,
): ToolCallLocation[] {
  return changes.flatMap(({ path, diff }) => {
    const absolute = absoluteOr(workspace, path);
    if (absolute === undefined) return [];
    const [first] = (diff === undefined ? undefined : diffHunks(diff)) ?? [];
    return [{ path: absolute, ...(first && { line: first.line }) }];
  });
}

/** Returns the diffs of a request if they show everything; otherwise the whole question as text. */
export function requestContent(request: ApprovalRequest, workspace: ViewedWorkspace): ToolCallContent[] {
  const diffs = request.changes.map((change) => diffBlocks(change, workspace));
  const isAllShown = request.changes.length > 0 && diffs.every((blocks) => blocks !== undefined);
  if (!isAllShown) return [textContent(formatApproval(request))];
  return [textContent(renderInline(request.reason, { maxChars: 500 })), ...diffs.flat()].filter(isDefined);
}

/** Returns the diffs and the output of a settled call. */
export function settledContent(settled: CallSettled, workspace: ViewedWorkspace): ToolCallContent[] {
  const blocks = settled.effects.flatMap(
    (change) => diffBlocks(change, workspace) ?? [textContent(changeText(change))],
  );
  if (blocks.length > 0 && settled.outcome === "ok") return blocks;
  return [
    ...blocks,
    ...settled.model.map((part) => (part.type === "text" ? textContent(part.text) : imageContent(part))),
  ];
}

function imageContent({ data, mimeType }: ImageContent): ToolCallContent {
  return { type: "content", content: { type: "image", data, mimeType } };
}

/** SECURITY: escapes characters that could hide or reorder text, as everywhere a person decides. */
export function textContent(text: string): ToolCallContent {
  return { type: "content", content: { type: "text", text: renderForHuman(text) } };
}

function diffBlocks(
  { path, kind, diff }: ChangeSummary,
  workspace: ViewedWorkspace,
): ToolCallContent[] | undefined {
  const absolute = absoluteOr(workspace, path);
  const hunks = diff === undefined ? undefined : diffHunks(diff);
  if (hunks === undefined || absolute === undefined) return undefined;
  return hunks.map(({ before, after }) => ({
    type: "diff",
    path: absolute,
    oldText: kind === "create" ? null : renderForHuman(before),
    newText: renderForHuman(after),
  }));
}

function changeText({ kind, path, from, diff }: ChangeSummary): string {
  return `${kind} ${from === undefined ? "" : `${from} -> `}${path}${diff === undefined ? "" : `\n${diff}`}`;
}

function absoluteOr(workspace: ViewedWorkspace, path: string): string | undefined {
  try {
    return workspace.absolute(path);
  } catch {
    return undefined;
  }
}

function isDefined<T>(value: T | undefined): value is T {
  return value !== undefined;
}
