import type { NextCall } from "@haft/core";
import { exceedsLimit, PatternError } from "@haft/text/path-rules";
import { invalidGlob } from "../invalid-glob.js";
import { invalidPattern } from "../invalid-pattern.js";
import type { GrepArgs } from "./grep-schema.js";
import { rewritePattern } from "./rewrite-pattern.js";

/** Returns INVALID_PATTERN with the problem and the call to make instead; any other error unchanged. */
export function grepRefusal(error: unknown, args: GrepArgs): unknown {
  const globRefusal = invalidGlob(error, { tool: "grep", args, parameters: ["glob", "exclude"] });
  if (globRefusal !== undefined) return globRefusal;
  const rewrite = args.literal ? undefined : rewritePattern(args.pattern, args.multiline);
  return invalidPattern(error, {
    kind: "regular expression",
    pattern: args.pattern,
    rewrite,
    syntax: "The syntax is RE2's, for example `foo\\(\\w+\\)`; literal:true searches for plain text.",
    next: nextCall(error, args, rewrite),
  });
}

function nextCall(error: unknown, args: GrepArgs, rewrite: string | undefined): NextCall | undefined {
  const isAcrossLines = error instanceof PatternError && error.construct.startsWith("a line break");
  if (isAcrossLines) return { tool: "grep", args: { ...args, multiline: true } };
  if (rewrite !== undefined) return { tool: "grep", args: { ...args, pattern: rewrite } };
  const mayBePlain = !args.literal && error instanceof PatternError && !exceedsLimit(error);
  return mayBePlain ? { tool: "grep", args: { ...args, literal: true } } : undefined;
}
