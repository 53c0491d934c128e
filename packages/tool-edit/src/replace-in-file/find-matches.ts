import { ToolError } from "@haft/core";
import { findAll } from "@haft/text";
import { RE2JS, RE2JSException } from "re2js";
import type { LineFeedView } from "../text/line-feed-view.js";
import type { Splice } from "../text/splice-text.js";
import type { ReplaceArgs } from "./replace-in-file-schema.js";
import { compileTemplate } from "./replacement-template.js";

/** Every match with its replacement, in offsets of the view. Linear in the text for every pattern. */
export function findMatches(view: LineFeedView, args: ReplaceArgs): readonly Splice[] {
  const find = args.find.replaceAll("\r\n", "\n");
  if (args.is_regex) return regexMatches(view.text, compile(find, args), args.replace);
  if (!args.case_sensitive)
    return regexMatches(view.text, compile(RE2JS.quote(find), args), undefined, args.replace);
  return findAll(view.text, find).map((start) => ({
    start,
    end: start + find.length,
    replacement: args.replace,
  }));
}

function compile(pattern: string, { case_sensitive, find }: ReplaceArgs): RE2JS {
  const flags = RE2JS.MULTILINE | (case_sensitive ? 0 : RE2JS.CASE_INSENSITIVE);
  try {
    return RE2JS.compile(pattern, flags);
  } catch (cause) {
    throw invalidPattern(find, cause);
  }
}

/** With a template the replacement is made anew for each match; a literal one is the same for all. */
function regexMatches(
  text: string,
  regex: RE2JS,
  template: string | undefined,
  literal = "",
): readonly Splice[] {
  const names = Object.keys(regex.namedGroups());
  const count = regex.groupCount();
  const fill = template === undefined ? () => literal : compileTemplate(template, { count, names });
  const matcher = regex.matcher(text);
  const splices: Splice[] = [];
  while (matcher.find()) {
    const numbered = Array.from({ length: count + 1 }, (_, index) => matcher.group(index) ?? undefined);
    const named = Object.fromEntries(names.map((name) => [name, matcher.group(name) ?? undefined]));
    splices.push({
      start: matcher.start(),
      end: matcher.end(),
      replacement: fill({ whole: numbered[0] ?? "", numbered, named }),
    });
  }
  return splices;
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
