import { type Parsed, s } from "@haft/core";
import { NOT_APPLIED } from "./not-applied-schema.js";

/** The system accepts no NUL in a program, an argument or a variable. */
export const NO_NUL = "^[^\\u0000]*$";

export const runCodeInput = s.object({
  language: s.enum("The language of the code", ["python", "bash"]),
  code: s.string("The program", { minLength: 1, maxLength: 1_000_000, pattern: NO_NUL }),
  args: s.array("Arguments for it", s.string("One argument", { maxLength: 65_536, pattern: NO_NUL }), {
    default: [],
    maxItems: 1_000,
  }),
  env: s.optional(
    s.record("Variables to set for it", s.string("The value", { maxLength: 32_768, pattern: NO_NUL })),
  ),
  stdin: s.optional(s.string("Text for its standard input", { maxLength: 10_000_000 })),
  timeout: s.number("Seconds after which it is stopped", { default: 60, minimum: 0.1, maximum: 600 }),
});

export const runCodeOutput = s.object({
  stdout: s.string("Standard output; its head and tail when there was more than is kept"),
  stderr: s.string("Standard error, likewise"),
  exitCode: s.integer("0 for success; 128 and the signal's number when a signal ended it"),
  duration: s.integer("Milliseconds"),
  truncated: s.boolean("Not all output is in stdout and stderr"),
  limitHit: s.optional(
    s.enum("The limit it ran into", ["cpu", "memory", "time", "files", "pids", "network"]),
  ),
  filesChanged: s.array("Files it created, changed or deleted in the workspace", s.string("A path")),
  notApplied: s.optional(NOT_APPLIED),
});

export type RunCodeArgs = Parsed<typeof runCodeInput>;
export type RunCodeResult = Parsed<typeof runCodeOutput>;
