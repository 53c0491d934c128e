import { ToolError } from "@haft/core";
import type { Splice } from "@haft/text";
import { RE2JS, RE2JSException } from "re2js";
import { MAX_MATCHES, type MatchLimit } from "../text/match-limit.js";
import { occurrences } from "../text/occurrences.js";
import type { SearchPace } from "../text/search-pace.js";
import type { ReplaceArgs } from "./replace-in-file-schema.js";
import { compileTemplate, type GroupNames, type MatchedGroups } from "./replacement-template.js";

/** What is searched, and what bounds the search. */
export interface MatchSearch {
  /** The text to look through; offsets of matches are offsets in it. */
  readonly text: string;
  readonly limit: MatchLimit;
  readonly pace: SearchPace;
}

/** Every match with its replacement. Linear in the text for every pattern, and ends at the limit. */
export async function findMatches(search: MatchSearch, args: ReplaceArgs): Promise<readonly Splice[]> {
  const find = args.find.replaceAll("\r\n", "\n");
  if (args.is_regex) {
    const regex = compile(find, args);
    const groups = { count: regex.groupCount(), names: Object.keys(regex.namedGroups()) };
    const fill = compileTemplate(args.replace, groups);
    return regexMatches(search, regex, (matcher) => fill(matchedGroups(matcher, groups)));
  }
  if (!args.case_sensitive) return regexMatches(search, compile(RE2JS.quote(find), args), () => args.replace);
  return occurrences(search.text, find, MAX_MATCHES + 1).map((start) => {
    const splice = { start, end: start + find.length, replacement: args.replace };
    search.limit.count(splice);
    return splice;
  });
}

type Matcher = ReturnType<RE2JS["matcher"]>;

function compile(pattern: string, { case_sensitive, find }: ReplaceArgs): RE2JS {
  const flags = RE2JS.MULTILINE | (case_sensitive ? 0 : RE2JS.CASE_INSENSITIVE);
  try {
    return RE2JS.compile(pattern, flags);
  } catch (cause) {
    throw invalidPattern(find, cause);
  }
}

async function regexMatches(
  { text, limit, pace }: MatchSearch,
  regex: RE2JS,
  replacementOf: (matcher: Matcher) => string,
): Promise<readonly Splice[]> {
  const matcher = regex.matcher(text);
  const splices: Splice[] = [];
  while (matcher.find()) {
    const splice = { start: matcher.start(), end: matcher.end(), replacement: replacementOf(matcher) };
    limit.count(splice);
    splices.push(splice);
    await pace.breathe();
  }
  return splices;
}

function matchedGroups(matcher: Matcher, { count, names }: GroupNames): MatchedGroups {
  const numbered = Array.from({ length: count + 1 }, (_, index) => matcher.group(index) ?? undefined);
  const named = Object.fromEntries(names.map((name) => [name, matcher.group(name) ?? undefined]));
  return { whole: numbered[0] ?? "", numbered, named };
}

function invalidPattern(pattern: string, cause: unknown): ToolError {
  if (!(cause instanceof RE2JSException))
    return new ToolError("INVALID_PATTERN", `find is not a regular expression: ${String(cause)}`, { cause });
  const construct = CONSTRUCTS.find(({ syntax }) => syntax.test(pattern));
  const message =
    construct === undefined
      ? cause.message.replace(/^error parsing regexp: /, "")
      : `${construct.name} is not supported: patterns run in linear time (RE2 syntax)`;
  return new ToolError("INVALID_PATTERN", `find is not a regular expression: ${message}`, {
    hint:
      construct?.rewrite ??
      'For plain text leave is_regex out. Valid forms: \\bname\\b, foo.*bar, (a|b)+, [^"]*, (?i)text.',
    cause,
  });
}

const CONSTRUCTS = [
  {
    syntax: /\(\?<?[=!]/,
    name: "look-around",
    rewrite: "Match the surrounding text as well and put it back with a capture group: (foo)bar with $1baz.",
  },
  {
    syntax: /\\[1-9]|\\k</,
    name: "a back-reference",
    rewrite: "Write the alternatives out, or use the edit tool with the exact text.",
  },
  {
    syntax: /\(\?>|[*+?}]\+/,
    name: "a possessive or atomic group",
    rewrite: "Leave it out: linear-time matching never backtracks.",
  },
];
