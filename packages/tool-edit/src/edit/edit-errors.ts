import { ToolError } from "@haft/core";
import type { Pace } from "@haft/core/workspace";
import { countLines, splitLines, truncateLine } from "@haft/text";
import { diffWordsWithSpace } from "diff";
import { linesAt, linesCovered, numberLines } from "../text/line-numbers.js";
import { MAX_MATCHES } from "../text/match-limit.js";
import { occurrences } from "../text/occurrences.js";
import { TextLines } from "../text/text-lines.js";
import type { Replacement } from "./edit-schema.js";
import { nearestLines, similarity } from "./nearest-lines.js";

/** The context of an edit, for messages that show the current content. */
export interface Target {
  readonly path: string;
  readonly text: string;
  readonly hash: string;
}

export async function notFound(target: Target, wanted: Replacement, pace: Pace): Promise<ToolError> {
  const { path, text, hash } = target;
  const head = `old_string not found in ${path} (${countLines(text)} lines, hash ${hash}).`;
  const applied = await alreadyThere(text, wanted, pace);
  if (applied !== undefined) {
    return new ToolError(
      "EDIT_NOT_FOUND",
      `${head}\nnew_string is already there, at ${applied.where}: this edit may have been made before.`,
      {
        hint: "Read the lines there before you repeat anything.",
        details: { path, alreadyApplied: true },
        next: { tool: "read_file", args: { path, offset: Math.max(1, applied.line - 5), limit: 20 } },
      },
    );
  }
  return nearMiss(target, wanted, head);
}

function nearMiss({ path, text }: Target, wanted: Replacement, head: string): ToolError {
  const near = nearestWindow(text, wanted.old_string);
  if (near === undefined)
    return new ToolError("EDIT_NOT_FOUND", `${head}\nNothing in it looks similar.`, {
      hint: "Read the file again and copy the text exactly.",
      details: { path },
    });
  const { window, firstLine, likeness, isOnly } = near;
  const message = [
    head,
    `The nearest text is at ${lineRange(firstLine, firstLine + window.length - 1)}:`,
    numberLines(window.map(short), firstLine),
    ...differences(wanted.old_string, window.join("\n")),
  ];
  return new ToolError("EDIT_NOT_FOUND", message.join("\n"), {
    hint: "Copy the text exactly as it appears in the file, including white space.",
    details: { path, nearestLine: firstLine, similarity: Math.round(likeness * 100) / 100 },
    // A ready call for one of several equally similar places would be a guess.
    ...(likeness >= SURE && isOnly
      ? {
          next: {
            tool: "edit",
            args: { path, old_string: window.join("\n"), new_string: wanted.new_string },
          },
        }
      : {}),
  });
}

/** `starts` is ascending; MAX_MATCHES + 1 entries mean "more than that". */
export function notUnique(target: Target, starts: readonly number[]): ToolError {
  const lines = linesAt(target.text, starts.slice(0, MAX_LISTED));
  const isMore = starts.length > MAX_MATCHES;
  const count = isMore ? MAX_MATCHES : starts.length;
  const more = starts.length > MAX_LISTED ? ` and ${count - MAX_LISTED} more` : "";
  return new ToolError(
    "EDIT_NOT_UNIQUE",
    `old_string found ${isMore ? "more than " : ""}${count} times at lines ${lines.join(", ")}${more}. Use replace_all=true or provide more context to make it unique.`,
    { details: { path: target.path, count, lines } },
  );
}

export function noChange(path: string): ToolError {
  return new ToolError("NO_CHANGE", `old_string and new_string are the same; ${path} was not changed`, {
    hint: "Leave the edit out, or say what should be different.",
  });
}

export function overlapping(path: string, line: number): ToolError {
  return new ToolError(
    "INVALID_ARGUMENTS",
    `Two edits of ${path} overlap at line ${line}; nothing was changed`,
    { hint: "Merge them into one edit." },
  );
}

const SURE = 0.8;
const CLOSE = 0.05;
const MAX_WINDOW = 12;
const MAX_LISTED = 20;

async function alreadyThere(
  text: string,
  { new_string }: Replacement,
  pace: Pace,
): Promise<{ readonly where: string; readonly line: number } | undefined> {
  if (new_string.trim().length < 3) return undefined;
  const [at] = await occurrences(text, new_string, { max: 1, pace });
  if (at === undefined) return undefined;
  const { startLine, endLine } = linesCovered(text, at, at + new_string.length);
  return { where: lineRange(startLine, endLine), line: startLine };
}

function lineRange(first: number, last: number): string {
  return first === last ? `line ${first}` : `lines ${first}-${last}`;
}

function nearestWindow(text: string, wanted: string) {
  const sought = splitLines(wanted);
  const size = Math.min(MAX_WINDOW, Math.max(1, sought.length));
  const offset = sought.findIndex((line) => line.trim() !== "");
  const near = nearestLines(text, wanted, 5);
  // Only the first lines are needed, so a long file is not scanned completely.
  const lines = new TextLines(
    text.slice(0, Math.max(0, ...near.map(({ start }) => start)) + MAX_SHOWN_CHARS),
  );
  const candidates = near.map(({ line }) => {
    const first = Math.max(0, line - 1 - Math.max(0, offset));
    const window = lines.slice(first, first + size);
    return {
      window,
      firstLine: first + 1,
      likeness: similarity(wanted.slice(0, MAX_COMPARED), window.join("\n").slice(0, MAX_COMPARED)),
    };
  });
  const [best, second] = candidates.sort((a, b) => b.likeness - a.likeness || a.firstLine - b.firstLine);
  return best && { ...best, isOnly: second === undefined || best.likeness - second.likeness > CLOSE };
}

const MAX_COMPARED = 2_000;
const MAX_SHOWN_CHARS = 100_000;

/** Renders a word diff: `{-sent text-}{+file text+}`. */
function differences(wanted: string, actual: string): readonly string[] {
  if (wanted.length > MAX_COMPARED || actual.length > MAX_COMPARED) return [];
  const parts = diffWordsWithSpace(wanted, actual, { timeout: 100 }) ?? [];
  const shown = parts
    .map(({ value, added, removed }) => (added ? `{+${value}+}` : removed ? `{-${value}-}` : value))
    .join("");
  return [`Your old_string against it, {-yours-}{+theirs+}:`, shown];
}

function short(line: string): string {
  return truncateLine(line, 200);
}
