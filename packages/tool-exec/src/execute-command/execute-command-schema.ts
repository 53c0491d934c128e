import { type Parsed, s } from "@haft/core";
import { NOT_APPLIED } from "../run-code/not-applied-schema.js";
import { NO_NUL } from "../run-code/run-code-schema.js";

export const executeCommandInput = s.object({
  command: s.anyOf("The command line, or its arguments as a list", [
    s.string("A command line as typed in bash", { minLength: 1, maxLength: 65_536, pattern: NO_NUL }),
    s.array("The program and its arguments, without a shell", s.string("One argument", { pattern: NO_NUL }), {
      minItems: 1,
      maxItems: 4_096,
    }),
  ]),
  cwd: s.path("Directory to run in", { default: "." }),
  timeout: s.number("Seconds after which it is stopped", { default: 120, minimum: 0.1, maximum: 600 }),
  env: s.optional(s.record("Variables to set for it", s.string("The value", { maxLength: 32_768 }))),
  network: s.boolean("Ask for network access", { default: false }),
  ports: s.optional(
    s.array(
      "With background: ports of this machine to forward to it",
      s.integer("A port", { minimum: 1024, maximum: 65_535 }),
      { maxItems: 8 },
    ),
  ),
  background: s.boolean("Keep it running; the process tool reads and ends it", {
    default: false,
  }),
  max_output_tokens: s.integer("The most output to show, in tokens", {
    default: 8_000,
    minimum: 100,
    maximum: 12_000,
  }),
});

export const executeCommandOutput = s.object({
  stdout: s.string("Standard output; its head and tail when there was more than is kept"),
  stderr: s.string("Standard error, likewise"),
  exitCode: s.integer("0 for success; 128 and the signal's number when a signal ended it"),
  duration: s.integer("Milliseconds"),
  timedOut: s.boolean("Stopped by the time limit"),
  truncated: s.boolean("Not all output is in stdout and stderr"),
  stdoutBytes: s.integer("All bytes it wrote to standard output"),
  stderrBytes: s.integer("All bytes it wrote to standard error"),
  limitHit: s.optional(
    s.enum("The limit it ran into", ["cpu", "memory", "time", "files", "pids", "network"]),
  ),
  passedThrough: s.optional(s.array("Folders whose changes undo does not cover", s.string("A path"))),
  notApplied: s.optional(NOT_APPLIED),
  tier: s.optional(s.string("host when it ran without a sandbox")),
  logPath: s.optional(s.string("The whole output up to 10 MiB, outside the workspace")),
  processId: s.optional(s.string("For the process tool, when it runs in the background")),
});

export type ExecuteCommandArgs = Parsed<typeof executeCommandInput>;
export type ExecuteCommandResult = Parsed<typeof executeCommandOutput>;
