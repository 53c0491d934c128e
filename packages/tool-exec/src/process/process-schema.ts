import { type Parsed, s } from "@haft/core";

export const processInput = s.object({
  action: s.enum("What to do", ["list", "read", "write", "wait", "kill"]),
  id: s.optional(
    s.string("Which background command, such as p1; needed for all but list", { maxLength: 40 }),
  ),
  input: s.optional(s.string("For write: what to type, with its line break", { maxLength: 65_536 })),
  wait_ms: s.integer("For read and wait: how long to wait for it to end", {
    default: 0,
    minimum: 0,
    maximum: 600_000,
  }),
  max_output_tokens: s.integer("The most output to show, in tokens", {
    default: 8_000,
    minimum: 100,
    maximum: 12_000,
  }),
});

const backgroundCommand = s.object({
  id: s.string("Names it in further calls"),
  command: s.string("The command line"),
  running: s.boolean("True while it runs"),
  exitCode: s.optional(s.integer("How it ended")),
  duration: s.integer("Milliseconds so far"),
  stdoutBytes: s.integer("All bytes it wrote to standard output"),
  stderrBytes: s.integer("All bytes it wrote to standard error"),
});

export const processOutput = s.object({
  processes: s.array("The background commands asked about", backgroundCommand),
  output: s.optional(s.string("Output since the last read, both streams in order")),
  omittedChars: s.optional(s.integer("Characters at its beginning that are not shown")),
});

export type ProcessArgs = Parsed<typeof processInput>;
export type ProcessResult = Parsed<typeof processOutput>;
