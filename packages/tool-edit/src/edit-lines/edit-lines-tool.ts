import { defineTool } from "@haft/core";
import { countOf } from "@haft/text";
import { pathAliases } from "../parameters.js";
import { renderChange } from "../render-change.js";
import { planInPart } from "../text/plan-in-part.js";
import { countLinesAfter, splicedPart } from "../text/spliced-part.js";
import { TextLines } from "../text/text-lines.js";
import { type EditLinesResult, editLinesInput, editLinesOutput } from "./edit-lines-schema.js";
import { linesMeant, type PlannedLines, plannedOperations, provesWhatItSaw } from "./line-operations.js";
import { spliceOfLines } from "./splice-lines.js";

export const EditLines = defineTool({
  name: "edit_lines",
  summary: "Insert, delete or replace whole lines of a file by line number.",
  deferred: true,
  category: "write",
  pack: "@haft/tool-edit",
  permissions: ["ReadFiles", "WriteFiles"],
  approval: "confirm",
  input: editLinesInput,
  output: editLinesOutput,
  errors: ["INVALID_RANGE", "NO_CHANGE"],
  aliases: {
    ...pathAliases,
    start_line: ["line", "start", "insert_line"],
    end_line: ["end"],
    content: ["text", "new_text", "lines"],
  },
  guidance:
    "Line numbers are those of the file as you last read it; it must not have changed since, unless you give expected. Every line after the edit moves, so read again before the next one if you are unsure.",
  termination:
    "Use dry_run first to preview the diff. terminate=true after a successful edit that completes the task; terminate=false when you still want to verify it.",
  examples: [
    {
      when: "add an import after line 1",
      args: {
        path: "src/app.ts",
        operation: "insert",
        start_line: 1,
        content: 'import { log } from "./log.js";',
      },
    },
    {
      when: "replace lines 10 to 12",
      args: {
        path: "src/app.ts",
        operation: "replace",
        start_line: 10,
        end_line: 12,
        content: "return total;",
      },
    },
  ],
  dialects: { "openai-patch": "hidden" },
  previewOnly: ({ dry_run }) => dry_run,
  needsRead: (args) => !provesWhatItSaw(args),

  async run(args, { workspace }) {
    const { file, plan } = await planInPart(
      workspace,
      { path: args.path, place: linesMeant(args), encoding: args.encoding },
      (text) => {
        const lines = new TextLines(text.text, text);
        const planned = plannedOperations(args, lines);
        return { lines, planned, splices: planned.map((operation) => spliceOfLines(lines, operation)) };
      },
    );
    const { lines, planned, splices } = plan;
    const { diff } = await workspace.spliceText(args.path, file, splices);
    const totalLines = countLinesAfter(file.text, lines.length, splicedPart(file.text, splices));
    return {
      path: file.path,
      totalLines,
      delta: totalLines - lines.length,
      ...changedLines(planned),
      diff: diff(file.path),
    };
  },

  render: (result, { args, preview, showPath }) => {
    const [, lastLine] = linesMeant(args)?.lines ?? [0, result.endLine];
    return renderChange(
      headline({ ...result, lastLine, isPreview: preview }, showPath(result.path)),
      result.diff,
    );
  },
});

function changedLines(planned: readonly PlannedLines[]): { startLine: number; endLine: number } {
  const startLine = (planned[0]?.from ?? 0) + 1;
  const shift = planned
    .slice(0, -1)
    .reduce((sum, { from, to, lines }) => sum + lines.length - (to - from), 0);
  const last = planned.at(-1);
  return { startLine, endLine: Math.max(startLine, (last?.from ?? 0) + shift + (last?.lines.length ?? 0)) };
}

/** `lastLine` is the last line that was addressed, as numbered before the edit. */
type Edited = EditLinesResult & { readonly lastLine: number; readonly isPreview: boolean };

function headline({ totalLines, delta, lastLine, isPreview }: Edited, path: string): string {
  const size = `${path} ${isPreview ? "would have" : "now has"} ${countOf(totalLines, "line")}`;
  if (delta === 0) return `${size}.`;
  return `${size}; lines after ${lastLine} ${isPreview ? "would move" : "moved"} by ${delta > 0 ? "+" : ""}${delta}.`;
}
