import { type NextCall, ToolError } from "@haft/core";
import type { Pace } from "@haft/core/workspace";
import type { Splice } from "@haft/text";
import { exceedsLimit, PatternError, patternRefusal } from "@haft/text/path-rules";
import type { TextMatch, TextRegex } from "@haft/text/regex";
import { lineFeedView } from "../text/line-feed-view.js";
import { growsTooLarge, MAX_ADDED_CHARS, MAX_MATCHES, type MatchLimit } from "../text/match-limit.js";
import { occurrences } from "../text/occurrences.js";
import type { ReplaceArgs } from "./replace-in-file-schema.js";
import { compileTemplate } from "./replacement-template.js";

/** What is searched, and what bounds the search. */
interface MatchSearch {
  /** The text to search; matches are offsets in it. */
  readonly text: string;
  readonly limit: MatchLimit;
  readonly pace: Pace;
}

interface FoundMatches {
  readonly matches: readonly Splice[];
  /** The pattern contains a carriage return, so replacements keep their own line endings. */
  readonly namesEndings: boolean;
}

/** Finds every match with its replacement. Linear in the text for every pattern; stops at the limit. */
export async function findMatches(search: MatchSearch, args: ReplaceArgs): Promise<FoundMatches> {
  const { is_regex: isRegex, case_sensitive: isCaseSensitive } = args;
  if (!isRegex && isCaseSensitive) return { matches: await textMatches(search, args), namesEndings: false };
  try {
    return await regexMatches(search, args);
  } catch (error) {
    throw error instanceof PatternError ? refusePattern(error, args) : error;
  }
}

async function textMatches(
  { text, limit, pace }: MatchSearch,
  { find: given, replace }: ReplaceArgs,
): Promise<readonly Splice[]> {
  const find = given.replaceAll("\r\n", "\n");
  const view = lineFeedView(text);
  const starts = await occurrences(view.text, find, { max: MAX_MATCHES + 1, pace });
  return starts.map((at) => {
    const place = { start: view.toOriginal(at), end: view.toOriginal(at + find.length) };
    const splice = { ...place, replacement: replace };
    limit.count(splice);
    return splice;
  });
}

async function regexMatches(search: MatchSearch, args: ReplaceArgs): Promise<FoundMatches> {
  const { text, limit, pace } = search;
  const { regex, groups, replacementOf } = await compile(text, args);
  const splices: Splice[] = [];
  for (const match of regex.matches(text, groups)) {
    if (match) {
      const splice = { start: match.start, end: match.end, replacement: replacementOf(match) };
      limit.count(splice);
      splices.push(splice);
    }
    await pace.breathe();
  }
  return { matches: splices, namesEndings: regex.namesCarriageReturn };
}

interface CompiledCall {
  readonly regex: TextRegex;
  /** The groups that the replacement refers to. */
  readonly groups: readonly number[];
  replacementOf(match: TextMatch): string;
}

async function compile(text: string, args: ReplaceArgs): Promise<CompiledCall> {
  // Loaded on demand, because most calls replace plain text.
  const { TextRegex } = await import("@haft/text/regex");
  const { is_regex: isRegex, case_sensitive: isCaseSensitive, replace } = args;
  const pattern = isRegex ? args.find : args.find.replaceAll("\r\n", "\n");
  const regex = new TextRegex({ pattern, literal: !isRegex, ignoreCase: !isCaseSensitive });
  if (!isRegex) return { regex, groups: [], replacementOf: () => replace };
  const { groups, fill } = compileTemplate(replace, regex.groups);
  const textOf = (span: { start: number; end: number } | undefined) =>
    span === undefined ? "" : text.slice(span.start, span.end);
  return {
    regex,
    groups,
    replacementOf: (match) => {
      const size = MAX_ADDED_CHARS + text.length;
      const filled = fill((group) => textOf(group === 0 ? match : match.groups.get(group)), size);
      if (filled === undefined) throw growsTooLarge(text.length, MAX_ADDED_CHARS);
      return filled;
    },
  };
}

/** Creates INVALID_PATTERN with grep's wording. Text that only looks like a pattern can be replaced as plain text. */
function refusePattern(error: PatternError, args: ReplaceArgs): ToolError {
  const { message, hint, details } = patternRefusal(error, {
    kind: args.is_regex ? "regular expression" : "text",
    pattern: args.find,
    syntax: error.construct.includes("look-")
      ? "To keep a part of the match, capture it: find (foo)bar and replace it by $1baz."
      : "The syntax is RE2's, for example `foo\\((\\w+)\\)`; leave is_regex out for plain text.",
  });
  return new ToolError("INVALID_PATTERN", message, {
    hint,
    details,
    next: plainCall(error, args),
    cause: error,
  });
}

function plainCall(error: PatternError, args: ReplaceArgs): NextCall | undefined {
  if (!args.is_regex || exceedsLimit(error)) return undefined;
  return { tool: "replace_in_file", args: { ...args, is_regex: false, preview_only: true } };
}
