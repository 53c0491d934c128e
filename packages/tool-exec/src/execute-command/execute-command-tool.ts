import {
  COMMAND_HOST,
  type CommandHost,
  type ContextOf,
  type Tool,
  ToolError,
  tool,
  toolDefinition,
} from "@haft/core";
import type { CommandDecision } from "../command-policy/decide-command.js";
import { BACKGROUND_COMMANDS, type BackgroundCommands } from "../process/background-commands.js";
import { NewOutput } from "../process/new-output.js";
import { RECORDING } from "../run-code/record-changes.js";
import { unappliedRun } from "../run-code/unapplied-run.js";
import { carryOutPlan } from "./carry-out-plan.js";
import { commandDenied } from "./command-denied.js";
import { NO_OUTPUT, resultOf } from "./command-result.js";
import { COMMAND_POLICIES, type CommandPolicies } from "./commands-config.js";
import {
  type ExecuteCommandArgs,
  type ExecuteCommandResult,
  executeCommandInput,
  executeCommandOutput,
} from "./execute-command-schema.js";
import { type Judging, judgeCommand } from "./judge-command.js";
import { renderOutcome } from "./render-outcome.js";
import { runInSandbox } from "./run-in-sandbox.js";
import { commandTimedOut } from "./timed-out.js";

export const executeCommand = toolDefinition({
  name: "execute_command",
  summary: "Run an allowed command in the workspace and return its output and exit code.",
  category: "execute",
  permissions: ["ExecuteCommands"],
  // What needs a real shell runs in the sandbox, once it was approved.
  alsoUses: ["RunCode", ...RECORDING],
  input: executeCommandInput,
  output: executeCommandOutput,
  inject: [COMMAND_HOST, COMMAND_POLICIES, BACKGROUND_COMMANDS],
  errors: ["COMMAND_DENIED", "SANDBOX_UNAVAILABLE"],
  pack: "@haft/tool-exec",
  aliases: {
    command: ["cmd", "argv", "script"],
    cwd: ["workdir", "working_directory", "directory", "path"],
    timeout: ["timeout_seconds", "timeout_s"],
    background: ["run_in_background", "is_background"],
  },
  examples: [
    { when: "run the tests", args: { command: "npm test" } },
    { when: "look at the last commits", args: { command: "git log --oneline -5" } },
    { when: "start a server and go on", args: { command: "npm run dev", background: true } },
  ],
  guidance: [
    "Pipes, &&, || and ; work; there is no shell behind them, so variables, $( ), loops and writing redirections are refused.",
    "An exit code other than 0 is an answer, not an error. Nobody can type into the command.",
    "For files use the file tools: they show what changes and can be taken back. Code belongs into run_code.",
  ].join("\n"),
  termination: "Go on after a command that gathers information. Do not repeat a command that was denied.",
  timeoutMs: 660_000,
  maxTokens: 12_000,
  // A denial asks nobody: the tool refuses it by itself, and says why.
  approval: ({ args, changes, service }) => {
    // It has run, as it was decided: these are what it changed in the sandbox.
    if (changes.length > 0) return "auto";
    const host = service(COMMAND_HOST);
    const policy = service(COMMAND_POLICIES).policy();
    const { verdict, reason } = judgeCommand(args, { policy, host });
    return verdict === "ask" ? { confirm: reason } : "auto";
  },
  whenUnapplied: unappliedRun,
  render: renderOutcome,
});

@tool(executeCommand)
export class ExecuteCommandTool implements Tool<typeof executeCommand> {
  readonly #host: CommandHost;
  readonly #policies: CommandPolicies;
  readonly #background: BackgroundCommands;

  constructor(host: CommandHost, policies: CommandPolicies, background: BackgroundCommands) {
    this.#host = host;
    this.#policies = policies;
    this.#background = background;
  }

  async run(
    args: ExecuteCommandArgs,
    context: ContextOf<typeof executeCommand>,
  ): Promise<ExecuteCommandResult> {
    // Refuses a directory outside before anything else is said about the command.
    context.workspace.absolute(args.cwd);
    const judging = { policy: this.#policies.policy(), host: this.#host };
    const decision = judgeCommand(args, judging);
    if (decision.verdict === "deny") throw commandDenied(decision);
    if (decision.plan === undefined) return runInSandbox(args, context);
    if (args.background) return this.#start(args, { context, decision, judging });
    return runHere(args, { context, decision, judging });
  }

  async #start(
    args: ExecuteCommandArgs,
    { context, decision, judging }: InHand,
  ): Promise<ExecuteCommandResult> {
    const life = new AbortController();
    const output = new NewOutput();
    const onOutput = (chunk: string) => output.push(chunk);
    const run = await context.processes.open({ cwd: args.cwd, interactive: true, onOutput }, life.signal);
    const carrying = { ...judging, run, isApproved: decision.verdict === "ask", env: args.env ?? {} };
    const { id } = this.#background.start({
      command: textOf(args),
      cwd: args.cwd,
      run,
      output,
      life,
      carryOut: async () => (await carryOutPlan(planOf(decision), carrying)).exitCode,
    });
    return { ...NO_OUTPUT, processId: id };
  }
}

interface InHand {
  readonly context: ContextOf<typeof executeCommand>;
  readonly decision: CommandDecision;
  readonly judging: Judging;
}

async function runHere(
  args: ExecuteCommandArgs,
  { context, decision, judging }: InHand,
): Promise<ExecuteCommandResult> {
  const { processes, signal, report } = context;
  const onOutput = (chunk: string) => report({ message: chunk });
  const run = await processes.open({ cwd: args.cwd, timeoutMs: args.timeout * 1000, onOutput }, signal);
  try {
    const carrying = { ...judging, run, isApproved: decision.verdict === "ask", env: args.env ?? {} };
    const { exitCode, notFound } = await carryOutPlan(planOf(decision), carrying);
    const output = await run.close();
    if (output.timedOut) throw commandTimedOut(args, output);
    if (notFound !== undefined) throw noSuchProgram(notFound);
    if (output.leftBehind)
      context.warn(
        "processes that outlived the command were ended; use background: true to keep one running",
      );
    return resultOf(exitCode, output);
  } finally {
    await run.close();
  }
}

function textOf({ command }: ExecuteCommandArgs): string {
  return typeof command === "string" ? command : command.join(" ");
}

function planOf({ plan }: CommandDecision) {
  if (plan === undefined) throw new Error("a command without a plan was to be carried out");
  return plan;
}

function noSuchProgram(name: string): ToolError {
  return new ToolError(
    "EXECUTION_ERROR",
    `There is no program called ${JSON.stringify(name.slice(0, 80))} on this machine`,
    { hint: "Programs are looked up in the system's directories, never in the workspace." },
  );
}
