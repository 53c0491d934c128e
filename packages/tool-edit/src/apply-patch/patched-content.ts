import { type TextFile, ToolError } from "@haft/core";
import { unifiedDiff } from "@haft/text";
import { seesMark, withMarkInText } from "./byte-order-mark.js";
import { type PatchContext, type PatchedFile, textAfter } from "./change-file.js";
import { type NamedDiff, placing } from "./named-diff.js";

/** The content of a path before or after a diff. Binary files can be moved, copied and given a mode. */
export type PatchedContent =
  | ({ readonly type: "text"; readonly text: string } & Partial<Pick<TextFile, "format" | "mode">>)
  | { readonly type: "bytes"; readonly bytes: Uint8Array; readonly mode: number }
  | { readonly type: "link"; readonly target: string };

/** Reads what a diff changes: the target of a link, or a file. */
export async function readContent(diff: NamedDiff, context: PatchContext): Promise<PatchedContent> {
  const { from, hunks, isLink } = diff;
  const target = isLink || hunks.length === 0 ? await context.links.targetOf(from) : undefined;
  if (target !== undefined) return { type: "link", target };
  if (isLink) throw new ToolError("PATCH_FAILED", `${from} is not a symbolic link`);
  if (hunks.length > 0) return asHunksSee(await textIn(from, context), diff);
  return textIn(from, context).catch((error: unknown) => {
    if (ToolError.is(error) && error.code === "BINARY_FILE") return bytesIn(from, context);
    throw error;
  });
}

async function textIn(path: string, { workspace, encoding }: PatchContext): Promise<PatchedContent> {
  const { text, format, mode } = await workspace.readTextFile(path, { encoding });
  return { type: "text", text, format, mode };
}

async function bytesIn(path: string, { workspace }: PatchContext): Promise<PatchedContent> {
  const { mode } = await workspace.stat(path);
  return { type: "bytes", bytes: await workspace.readBytes(path), mode };
}

/** Returns a content with its byte order mark in the text, if the hunks see it. */
export function asHunksSee(content: PatchedContent, diff: NamedDiff): PatchedContent {
  if (content.type !== "text" || content.format === undefined || !seesMark(diff)) return content;
  return { ...content, ...withMarkInText({ text: content.text, format: content.format }) };
}

/** Applies the hunks and the mode of a diff to a content, or to an empty one. */
export async function contentAfter(
  before: PatchedContent | undefined,
  diff: NamedDiff,
  context: PatchContext,
): Promise<PatchedContent> {
  const mode = diff.mode === undefined ? {} : { mode: diff.mode };
  if (before?.type === "bytes") return { ...before, ...mode };
  const text = await textAfter({ text: textOf(before) }, placing(diff, context), context);
  if (before?.type === "text") return { ...before, ...mode, text };
  if (before === undefined && !diff.isLink) return { type: "text", ...mode, text };
  if (diff.kind !== "delete") assertTarget(text, diff);
  return { type: "link", target: text };
}

/** Returns the text that hunks and diffs see. Hunks never change binary content. */
export function textOf(content: PatchedContent | undefined): string {
  if (content === undefined || content.type === "bytes") return "";
  return content.type === "link" ? content.target : content.text;
}

/** Creates a file or a link where there is none. */
export async function createContent(
  path: string,
  content: PatchedContent,
  { workspace }: PatchContext,
): Promise<void> {
  if (content.type === "link") return workspace.createLink(path, content.target);
  if (content.type === "bytes") return workspace.createBytes(path, content.bytes, { mode: content.mode });
  const { text, type: _type, ...options } = content;
  return workspace.createText(path, text, options);
}

/** Replaces the content of a file. A link is replaced by removing it, because writing would follow it. */
export async function replaceContent(
  path: string,
  content: PatchedContent,
  context: PatchContext,
): Promise<void> {
  const { workspace } = context;
  if (content.type === "bytes") return workspace.writeBytes(path, content.bytes, { mode: content.mode });
  if (content.type === "link") {
    await workspace.remove(path);
    return createContent(path, content, context);
  }
  const { text, type: _type, ...options } = content;
  return workspace.writeText(path, text, options);
}

export function patchedFile(
  { kind, from, to }: NamedDiff,
  texts: { readonly before: string; readonly after: string },
): PatchedFile {
  const { before, after } = texts;
  if (kind === "delete") return { path: from, kind, diff: unifiedDiff({ path: from, before }).text };
  if (kind === "create" || kind === "copy")
    return { path: to, kind: "create", diff: unifiedDiff({ path: to, after }).text };
  const diff = unifiedDiff({ path: to, fromPath: from, before, after }).text;
  return { path: to, kind: kind === "rename" ? "move" : "modify", diff };
}

/** A deletion must remove every line of the file. */
export function assertEmpty(content: PatchedContent, { from }: NamedDiff): void {
  if (content.type === "bytes" ? content.bytes.length === 0 : textOf(content) === "") return;
  throw new ToolError("PATCH_FAILED", `${from}: the patch deletes the file, but not all of its lines`);
}

function assertTarget(target: string, { to }: NamedDiff): void {
  if (target !== "" && !target.includes("\n")) return;
  throw new ToolError(
    "PATCH_FAILED",
    `${to}: the target of a symbolic link is one line, followed by "\\ No newline at end of file"`,
  );
}
