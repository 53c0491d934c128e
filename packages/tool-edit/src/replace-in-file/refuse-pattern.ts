import { type NextCall, ToolError } from "@haft/core";
import { exceedsLimit, type PatternError, patternRefusal } from "@haft/text/path-rules";
import type { ReplaceArgs } from "./replace-in-file-schema.js";

/** Creates INVALID_PATTERN with grep's wording. Text that only looks like a pattern can be replaced as plain text. */
export function refusePattern(error: PatternError, args: ReplaceArgs): ToolError {
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
