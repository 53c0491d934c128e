import { defineTool, ToolError, token } from "@haft/core";
import { commandFacts } from "../execute-command/command-facts.js";
import { describeOutput } from "../output/describe-output.js";
import { changedMeanwhile } from "./changed-meanwhile.js";
import { checkEnvironment } from "./check-environment.js";
import { proposeForChanges } from "./propose-for-changes.js";
import { RECORDING, recordChanges } from "./record-changes.js";
import { refusalOf } from "./refusal-of.js";
import { LIMIT_MESSAGES, OUTPUT_TOKENS, renderRun } from "./render-run.js";
import { type RunCodeArgs, type RunCodeResult, runCodeInput, runCodeOutput } from "./run-code-schema.js";
import { notAppliedIn, unappliedRun } from "./unapplied-run.js";

export const RunCode = defineTool({
  name: "run_code",
  summary: "Run Python or bash code in a sandbox: the workspace is writable, there is no network.",
  brief: {
    description: "Run Python or bash in the sandbox (60 s by default, at most 600).",
    parameters: {
      language: "",
      code: "",
      timeout: "Seconds",
    },
  },
  category: "execute",
  permissions: ["RunCode"],
  capabilities: ["sandbox"],
  // File changes of the code become changes of the call: shown, journalled and undone like any other.
  alsoUses: RECORDING,
  inspect: async ({ language, code, env }) => ({
    ...(language === "bash" && { command: commandFacts(code) }),
    refusal: await refusalOf(() => checkEnvironment(env)),
  }),
  // Code runs without approval, because nothing leaves the sandbox. Its changes may need approval.
  approval: ({ changes, approved, service }) => {
    if (changes.length > 0)
      return approved ? { covered: "the code was approved" } : proposeForChanges(changes);
    return service(SANDBOX_CONFIG).tier === "unconfined" ? UNCONFINED : "auto";
  },
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
    "File changes are applied when it ends and can be undone. If it runs out of time, or another program changed one of its files meanwhile, none are applied.",
    "Secrets and git's history cannot be read; git ls-files works. Use [[execute_command]] for git log and git show. .git and settings that run as code cannot be changed. Limits: 60 s, 1 GB of memory, 128 processes.",
    "A non-zero exit code is a result, not an error. limitHit says which limit stopped it.",
  ].join("\n"),
  termination: "Continue with its output. Do not repeat code that hit the same limit.",
  timeoutMs: 660_000,
  whenUnapplied: unappliedRun,
  withoutChanges: notAppliedIn,
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
    const { stdout, stderr, limitHit, unrecorded } = outcome;
    const value: RunCodeResult = {
      stdout: stdout.text,
      stderr: stderr.text,
      exitCode: outcome.exitCode,
      duration: outcome.durationMs,
      truncated: stdout.omittedBytes + stderr.omittedBytes > 0,
      filesChanged: await recordChanges(workspace, outcome, warn),
      ...(unrecorded !== undefined && { notApplied: [...unrecorded] }),
      ...(limitHit !== undefined && { limitHit }),
    };
    if (outcome.timedOut) throw timedOut(args, value);
    if (outcome.conflicts.length > 0) throw changedMeanwhile(outcome.conflicts, value);
    return value;
  },
});

/** The `sandbox` section of a host's configuration. */
const SANDBOX_CONFIG = token<{ readonly tier?: string }>("config.sandbox", () => ({}));

const UNCONFINED = { confirm: "the host runs code without a sandbox, with the user's permissions" };

function launcherOf({ language, args }: RunCodeArgs): { argv: readonly [string, ...string[]]; name: string } {
  return language === "python"
    ? { argv: ["python3", "{script}", ...args], name: "main.py" }
    : { argv: ["bash", "{script}", ...args], name: "main.sh" };
}

/** Creates the error for the time limit with the output so far. Its changes were only in its view. */
function timedOut({ timeout }: RunCodeArgs, value: RunCodeResult): ToolError {
  const limit = value.limitHit ?? "time";
  const why = limit === "time" ? "" : ` (${LIMIT_MESSAGES[limit]})`;
  return new ToolError("TIMEOUT", `The code took longer than ${timeout} s and was stopped${why}`, {
    hint: `None of its file changes were kept. Run it again with a longer timeout (at most 600), or do less in one run.\nOutput so far:\n${describeOutput(value, OUTPUT_TOKENS)}`,
    details: { ...value, limitHit: limit },
  });
}
