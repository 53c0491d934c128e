import { defineTool, ToolError } from "@haft/core";
import { Pace } from "@haft/core/workspace";
import type { Splice, TextPlace } from "@haft/text";
import { countOf } from "@haft/text";
import { nearestLines } from "../edit/nearest-lines.js";
import { pathAliases } from "../parameters.js";
import { renderChange } from "../render-change.js";
import { lineEndingAdapter } from "../text/adapt-line-endings.js";
import { linesAt } from "../text/line-numbers.js";
import { growsTooLarge, MAX_ADDED_CHARS, MatchLimit } from "../text/match-limit.js";
import { type PlannedFile, planInPart } from "../text/plan-in-part.js";
import { splicedPart } from "../text/spliced-part.js";
import { findMatches } from "./find-matches.js";
import { type ReplaceArgs, replaceInFileInput, replaceInFileOutput } from "./replace-in-file-schema.js";

export const ReplaceInFile = defineTool({
  name: "replace_in_file",
  summary: "Replace all occurrences of a text or regular expression in one file.",
  deferred: true,
  category: "write",
  pack: "@haft/tool-edit",
  permissions: ["ReadFiles", "WriteFiles"],
  approval: "confirm",
  input: replaceInFileInput,
  output: replaceInFileOutput,
  errors: ["INVALID_PATTERN", "COUNT_MISMATCH", "OUTPUT_TOO_LARGE"],
  aliases: {
    ...pathAliases,
    find: ["search", "old", "pattern"],
    replace: ["replacement", "new"],
    preview_only: ["dry_run", "preview"],
  },
  guidance:
    "Replaces every match. Finding nothing is a success with 0 replacements. Use preview_only to see the diff first; give expected_count when you know how many there are. Use [[edit]] for one exact place.",
  termination:
    "Preview first with preview_only when the pattern could match more than you mean. terminate=true after a successful edit that completes the task; terminate=false when you still want to verify it.",
  examples: [
    {
      when: "rename a variable everywhere in a file",
      args: { path: "src/app.ts", find: "userId", replace: "accountId" },
    },
    {
      when: "see what a pattern would change",
      args: {
        path: "src/app.ts",
        find: "log\\((\\w+)\\)",
        replace: "debug($1)",
        is_regex: true,
        preview_only: true,
      },
    },
  ],
  dialects: { "openai-patch": "hidden" },
  previewOnly: ({ preview_only }) => preview_only,

  async run(args, { workspace, warn, signal }) {
    const place = placeOf(args);
    const { path, encoding } = args;
    const pace = new Pace(signal);
    const { file, plan } = await planInPart(workspace, { path, place, encoding }, (text) =>
      planReplacements(text, args, pace),
    );
    if (plan.length === 0) {
      const [nearest] = nearestLines(file.text, args.find, 1);
      if (nearest !== undefined && !args.is_regex)
        warn(`the nearest line is ${nearest.line}: ${nearest.text.trim()}`);
      return { path: file.path, replacements: 0, changed: false, diff: "" };
    }
    // With 100,000 matches each step takes a tenth of a second.
    await pace.breathe();
    const { diff } = await workspace.spliceText(args.path, file, plan);
    await pace.breathe();
    const part = splicedPart(file.text, plan);
    const changed = part.after !== part.before;
    return { path: file.path, replacements: plan.length, changed, diff: changed ? diff(file.path) : "" };
  },

  render: ({ path, replacements, diff }, { showPath }) =>
    renderChange(`${countOf(replacements, "replacement")} in ${showPath(path)}.`, diff),
});

/** A literal text can be located without decoding; a pattern cannot. */
function placeOf({ find, is_regex, case_sensitive }: ReplaceArgs): TextPlace | undefined {
  return is_regex || !case_sensitive ? undefined : { find: [find.replaceAll("\r\n", "\n")] };
}

async function planReplacements(
  file: PlannedFile,
  args: ReplaceArgs,
  pace: Pace,
): Promise<readonly Splice[]> {
  const { text } = file;
  const limit = new MatchLimit(file);
  const { matches, namesEndings } = await findMatches({ text, limit, pace }, args);
  assertCount(args, matches, text);
  if (matches.length === 0) return [];
  // In a part the total length is unknown, so large additions are left to the whole file.
  assertGrowth(file.linesAbove === undefined ? file.text.length : 0, limit.addedChars);
  if (namesEndings) return matches;
  const adapt = lineEndingAdapter(text);
  return matches.map((match) => ({ ...match, replacement: adapt(match, match.replacement) }));
}

function assertCount(args: ReplaceArgs, matches: readonly Splice[], text: string): void {
  const { expected_count: expected, path } = args;
  const found = matches.length;
  if (expected === undefined || expected === found) return;
  const starts = matches.slice(0, MAX_LISTED).map(({ start }) => start);
  const lines = linesAt(text, starts);
  const more = found > MAX_LISTED ? ` and ${found - MAX_LISTED} more` : "";
  const where = found === 0 ? "" : ` (line ${lines.join(", ")}${more})`;
  throw new ToolError(
    "COUNT_MISMATCH",
    `${path} has ${countOf(found, "match")}${where}, not ${expected}; nothing was changed`,
    {
      hint: "Use preview_only to see them, or make find more specific.",
      details: { expected, found, lines },
      next: { tool: "replace_in_file", args: previewOf(args) },
    },
  );
}

/** The same call without the count, as a preview. */
function previewOf({ expected_count: _, ...args }: ReplaceArgs): Record<string, unknown> {
  return { ...args, preview_only: true };
}

const MAX_LISTED = 20;
const MAX_GROWTH = 10;
const SMALL_CHARS = 1024 * 1024;

function assertGrowth(before: number, added: number): void {
  const after = before + added;
  const isManifold = after > before * MAX_GROWTH && after > SMALL_CHARS;
  if (isManifold || added > MAX_ADDED_CHARS) throw growsTooLarge(before, added);
}
