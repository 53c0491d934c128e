import { defineTool, ToolError, token } from "@haft/core";
import { describeOutput } from "../output/describe-output.js";
import { changedMeanwhile } from "./changed-meanwhile.js";
import { RECORDING, recordChanges } from "./record-changes.js";
import { LIMIT_MESSAGES, OUTPUT_TOKENS, renderRun } from "./render-run.js";
import { type RunCodeArgs, type RunCodeResult, runCodeInput, runCodeOutput } from "./run-code-schema.js";
import { unappliedRun } from "./unapplied-run.js";

export const RunCodeTool = defineTool({
  name: "run_code",
  summary: "Run Python or bash code in a sandbox: the workspace is writable, there is no network.",
  category: "execute",
  permissions: ["RunCode"],
  // What the code changes becomes changes of the call: shown, journalled, taken back like any other.
  alsoUses: RECORDING,
  // Without a sandbox nothing runs at all, so there is nothing to ask about; unless the host wants it to.
  approval: ({ changes, service }) =>
    service(SANDBOX_CONFIG).tier === "unconfined" && changes.length === 0 ? UNCONFINED : "auto",
  input: runCodeInput,
  output: runCodeOutput,
  errors: ["SANDBOX_UNAVAILABLE", "STALE_FILE"],
  pack: "@haft/tool-exec",
  aliases: { code: ["script", "source"], language: ["lang"], stdin: ["input"], timeout: ["timeout_seconds"] },
  examples: [
    { when: "compute something", args: { language: "python", code: "print(sum(range(10)))" } },
    { when: "work over files", args: { language: "bash", code: 'wc -l "$@"', args: ["README.md"] } },
  ],
  guidance: [
    "It starts in the workspace root. Only the workspace and /tmp can be written; /tmp is gone afterwards.",
    "What it changes is applied when it has ended and can be taken back; of a run that is stopped by time, or that changed a file somebody else changed meanwhile, nothing is.",
    "Secrets and what is in git's history cannot be read (git ls-files works; use execute_command for git log and git show), .git and settings that run as code cannot be changed. Limits: 60 s, 1 GB of memory, 128 processes.",
    "An exit code other than 0 is an answer, not an error. limitHit says which limit stopped it.",
  ].join("\n"),
  termination: "Go on with what it printed. Do not repeat code that ran into the same limit.",
  timeoutMs: 660_000,
  whenUnapplied: unappliedRun,
  render: renderRun,

  async run(args, { sandbox, workspace, signal, warn }) {
    const { stdin, env, timeout } = args;
    const { argv, name } = launcherOf(args);
    const outcome = await sandbox.run(
      {
        argv,
        script: { name, content: args.code },
        timeoutMs: timeout * 1000,
        ...(stdin !== undefined && { stdin }),
        ...(env !== undefined && { env }),
      },
      signal,
    );
    for (const warning of outcome.warnings) warn(warning);
    const { stdout, stderr, limitHit } = outcome;
    const value: RunCodeResult = {
      stdout: stdout.text,
      stderr: stderr.text,
      exitCode: outcome.exitCode,
      duration: outcome.durationMs,
      truncated: stdout.omittedBytes + stderr.omittedBytes > 0,
      filesChanged: await recordChanges(workspace, outcome, warn),
      ...(limitHit !== undefined && { limitHit }),
    };
    if (outcome.timedOut) throw timedOut(args, value);
    if (outcome.conflicts.length > 0) throw changedMeanwhile(outcome.conflicts, value);
    return value;
  },
});

/** The section `sandbox` of a host's configuration. */
const SANDBOX_CONFIG = token<{ readonly tier?: string }>("config.sandbox", () => ({}));

const UNCONFINED = { confirm: "the host runs code without a sandbox, with the rights of the user" };

function launcherOf({ language, args }: RunCodeArgs): { argv: readonly [string, ...string[]]; name: string } {
  return language === "python"
    ? { argv: ["python3", "{script}", ...args], name: "main.py" }
    : { argv: ["bash", "{script}", ...args], name: "main.sh" };
}

/** Stopped by the time limit; what it printed until then is told, what it changed was only in its view. */
function timedOut({ timeout }: RunCodeArgs, value: RunCodeResult): ToolError {
  const limit = value.limitHit ?? "time";
  const why = limit === "time" ? "" : ` (${LIMIT_MESSAGES[limit]})`;
  return new ToolError("TIMEOUT", `The code took longer than ${timeout} s and was stopped${why}`, {
    hint: `None of its changes to files were kept. Run it again with a longer timeout (at most 600), or do less at once.\nOutput until then:\n${describeOutput(value, OUTPUT_TOKENS)}`,
    details: { ...value, limitHit: limit },
  });
}
