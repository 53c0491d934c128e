import { commonEnds, splitLines } from "@haft/text";
import { ToolError } from "../error/tool-error.js";
import { decodedText } from "../workspace/decoded-texts.js";
import {
  type CreateChange,
  type FileChange,
  type FileState,
  type ModifyChange,
  pathsOf,
} from "../workspace/file-change.js";
import {
  findPlaceholder,
  MAX_LINE,
  mayHoldPlaceholder,
  type Placeholder,
} from "../workspace/omission-placeholder.js";
import type { SplicedContent } from "../workspace/spliced-content.js";
import { SplicedFile } from "../workspace/spliced-file.js";

/**
 * Throws OMISSION_PLACEHOLDER if a call writes a line such as `// ... existing code ...` in place of text that the
 * model omitted. A line that a changed file already has, or that the arguments do not contain, is meant literally.
 */
export function refusePlaceholders(changes: readonly FileChange[], args: unknown): void {
  const written = changes.filter(isWritten);
  if (!written.some(isSuspicious)) return;
  const known = new Set(originals(changes).flatMap(linesBefore));
  for (const change of written) {
    const { path, after } = change;
    const text = decodedText(after.bytes)?.text ?? "";
    const losesLines = linesBefore(change).length > splitLines(text).length;
    const found = findPlaceholder(text, { path, known, losesLines });
    if (found !== undefined && containsText(args, found.words)) throw omitted(path, found);
  }
}

type Written = (CreateChange | ModifyChange) & { readonly after: FileState };

function isWritten(change: FileChange): change is Written {
  return (change.kind === "create" || change.kind === "modify") && change.after.type === "file";
}

function isSuspicious({ path, after, ...change }: Written): boolean {
  const before = "before" in change ? change.before.bytes : undefined;
  if (after instanceof SplicedFile && after.made.before === before) return isSplicedIn(path, after.made);
  const text = decodedText(after.bytes)?.text;
  if (text === undefined) return false;
  const { start, afterEnd } = commonEnds((before && decodedText(before)?.text) ?? "", text);
  return mayHoldPlaceholder(text.slice(start, afterEnd));
}

/** Checks only the lines that the splices touch, so that a small edit of a long file stays cheap. */
function isSplicedIn(path: string, { text, splices }: SplicedContent): boolean {
  let harmless: string | undefined;
  return splices.some(({ start, end, replacement }) => {
    if (replacement === harmless) return false;
    if (!mayHoldPlaceholder(replacement)) {
      harmless = replacement;
      return false;
    }
    const head = text.slice(Math.max(0, start - MAX_LINE), start);
    const tail = text.slice(end, end + MAX_LINE);
    const lines = head.slice(head.lastIndexOf("\n") + 1) + replacement + (/^.*/.exec(tail)?.[0] ?? "");
    return findPlaceholder(lines, { path, losesLines: true }) !== undefined;
  });
}

/** Returns the changes whose `before` is the state before the call, not the output of an earlier change. */
function originals(changes: readonly FileChange[]): readonly FileChange[] {
  const touched = new Set<string>();
  return changes.filter((change) => {
    const isFirst = !pathsOf(change).some((path) => touched.has(path));
    for (const path of pathsOf(change)) touched.add(path);
    return isFirst;
  });
}

function linesBefore(change: FileChange): readonly string[] {
  const bytes = change.kind === "create" ? undefined : change.before.bytes;
  const text = bytes && decodedText(bytes)?.text;
  return text === undefined ? [] : splitLines(text).map((line) => line.trim());
}

/** Returns whether any string in a JSON value contains a text. */
function containsText(value: unknown, text: string): boolean {
  if (typeof value === "string") return value.includes(text);
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some((each) => containsText(each, text));
}

function omitted(path: string, { line, text }: Placeholder): ToolError {
  return new ToolError(
    "OMISSION_PLACEHOLDER",
    `Line ${line} of ${path} would be a placeholder for omitted text: ${JSON.stringify(text)}`,
    {
      hint: "Nothing was written. Send the omitted lines in full, or change only the lines that differ.",
      details: { path, line, text },
    },
  );
}
