import { type Parsed, s } from "@haft/core";
import { editedPath, fileEncoding, MAX_CONTENT_CHARS, resultDiff, resultPath } from "../parameters.js";

export const replaceInFileInput = s.object({
  path: editedPath,
  find: s.string("Text to find, or with is_regex a regular expression (RE2 syntax; ^ and $ match at lines)", {
    minLength: 1,
    maxLength: 1_000_000,
  }),
  replace: s.string(
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is what a model may write.
    "What to put in its place. With is_regex: $1, ${name}, $& and $$ are understood; otherwise literal",
    {
      maxLength: MAX_CONTENT_CHARS,
    },
  ),
  is_regex: s.boolean("Treat find as a regular expression", { default: false }),
  case_sensitive: s.boolean("Whether upper and lower case differ", { default: true }),
  encoding: fileEncoding,
  preview_only: s.boolean("Only show the diff; change nothing", { default: false }),
  expected_count: s.optional(s.integer("Refuse unless there are exactly this many matches", { minimum: 0 })),
});

export const replaceInFileOutput = s.object({
  path: resultPath,
  replacements: s.integer("How many matches were replaced"),
  changed: s.boolean("Whether the file is different now"),
  diff: resultDiff,
});

export type ReplaceArgs = Parsed<typeof replaceInFileInput>;
