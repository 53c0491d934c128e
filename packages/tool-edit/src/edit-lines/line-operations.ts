import { ToolError } from "@haft/core";
import type { TextLines } from "../text/text-lines.js";
import type { EditLinesArgs, LineOperation } from "./edit-lines-schema.js";

/** A resolved line operation: lines `from` to `to` (exclusive, 0-based) become `lines`. */
export interface PlannedLines {
  readonly from: number;
  readonly to: number;
  /** Without line endings. */
  readonly lines: readonly string[];
  /** The line ending in `content`, for a file that has none. */
  readonly ending?: "\n" | "\r\n";
  readonly operation: LineOperation["operation"];
}

/** Returns the operations of a call, checked against the file, from top to bottom. */
export function plannedOperations(args: EditLinesArgs, lines: TextLines): readonly PlannedLines[] {
  const planned = operationsOf(args).map((operation) => plan(operation, lines));
  const ordered = planned.sort((a, b) => a.from - b.from || a.to - b.to);
  for (const [index, operation] of ordered.entries()) {
    const next = ordered[index + 1];
    const touches =
      next !== undefined &&
      (next.from < operation.to || (next.from === operation.from && next.to === operation.to));
    if (touches)
      throw new ToolError(
        "INVALID_ARGUMENTS",
        `Two edits overlap at line ${next.from + 1}; nothing was changed`,
        { hint: "Merge them into one." },
      );
  }
  return ordered;
}

/** Returns true if every operation states what it expects; the file then need not have been read. */
export function provesWhatItSaw(args: EditLinesArgs): boolean {
  return (args.edits ?? [args]).every(
    ({ operation, expected }) => expected !== undefined && operation !== undefined,
  );
}

/** Returns the first and last line a call refers to. Undefined if it does not say. */
export function linesMeant(args: EditLinesArgs): { readonly lines: [number, number] } | undefined {
  const ranges = (args.edits ?? [args]).map(({ start_line, end_line = start_line }) => [
    start_line,
    end_line,
  ]);
  const numbers = ranges.flat().filter((line) => line !== undefined);
  return numbers.length === 0 ? undefined : { lines: [Math.min(...numbers), Math.max(...numbers)] };
}

function operationsOf(args: EditLinesArgs): readonly LineOperation[] {
  const { operation, start_line, end_line, content, expected, edits } = args;
  if (edits !== undefined) {
    if (operation === undefined && start_line === undefined) return edits;
    throw new ToolError("INVALID_ARGUMENTS", "Give either one operation or edits, not both");
  }
  if (operation === undefined || start_line === undefined)
    throw new ToolError(
      "INVALID_ARGUMENTS",
      "operation and start_line are required, or edits for several at once",
    );
  return [
    {
      operation,
      start_line,
      ...(end_line && { end_line }),
      ...(content !== undefined && { content }),
      ...(expected !== undefined && { expected }),
    },
  ];
}

function plan(edit: LineOperation, lines: TextLines): PlannedLines {
  const { operation, start_line, end_line = start_line } = edit;
  if (operation === "insert") {
    if (start_line > lines.length) throw outOfRange(edit, lines);
    assertExpected(edit, lines.slice(Math.max(0, start_line - 1), start_line), start_line);
    return { from: start_line, to: start_line, ...newLines(edit), operation };
  }
  if (start_line < 1 || end_line < start_line || end_line > lines.length) throw outOfRange(edit, lines);
  assertExpected(edit, lines.slice(start_line - 1, end_line), start_line);
  return {
    from: start_line - 1,
    to: end_line,
    ...(operation === "delete" ? { lines: [] } : newLines(edit)),
    operation,
  };
}

function newLines({ operation, content }: LineOperation): Pick<PlannedLines, "lines" | "ending"> {
  if (content === undefined) throw new ToolError("INVALID_ARGUMENTS", `content is required for ${operation}`);
  if (content === "") {
    throw new ToolError("NO_CHANGE", `content is empty, so ${operation} has no lines to put in`, {
      hint: 'Use operation delete to remove lines, or content "\\n" for an empty line.',
    });
  }
  const lines = content.split(/\r?\n/);
  // A final line ending closes the last line and does not start another.
  if (lines.at(-1) === "") lines.pop();
  return { lines, ending: content.includes("\r\n") ? "\r\n" : "\n" };
}

function assertExpected({ expected }: LineOperation, standing: readonly string[], startLine: number): void {
  if (expected === undefined) return;
  const wanted = expected.replaceAll("\r\n", "\n").replace(/\n$/, "");
  if (wanted === standing.join("\n")) return;
  const now = standing.map((line, index) => `${Math.max(1, startLine) + index}: ${line}`).join("\n");
  throw new ToolError(
    "STALE_FILE",
    `The lines are not what was expected; nothing was changed. They are now:\n${now}`,
    { hint: "Line numbers may have moved: read the file again." },
  );
}

function outOfRange({ operation, start_line, end_line }: LineOperation, lines: TextLines): ToolError {
  const first = operation === "insert" ? 0 : 1;
  const asked =
    end_line === undefined || end_line === start_line ? `${start_line}` : `${start_line}-${end_line}`;
  const valid =
    lines.length === 0 && first === 1
      ? "the file is empty; its only valid range is 0, for insert"
      : `valid range ${first}-${lines.length}`;
  return new ToolError("INVALID_RANGE", `Line ${asked} is out of range for ${operation}: ${valid}`, {
    hint: "Nothing was changed. Line numbers may have changed: read the file again.",
    details: { validRange: [first, lines.length], totalLines: lines.length },
  });
}
