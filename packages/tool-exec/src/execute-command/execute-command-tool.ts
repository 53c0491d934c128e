import { type ContextOf, type Tool, ToolError, tool, toolDefinition } from "@haft/core";
import type { CommandDecision } from "../command-policy/decide-command.js";
import { BACKGROUND_COMMANDS, type BackgroundCommands } from "../process/background-commands.js";
import { proposeForChanges } from "../run-code/propose-for-changes.js";
import { RECORDING } from "../run-code/record-changes.js";
import { refusalOf } from "../run-code/refusal-of.js";
import { notAppliedIn, unappliedRun } from "../run-code/unapplied-run.js";
import { checkCall } from "./check-call.js";
import { commandDenied } from "./command-denied.js";
import { commandFacts } from "./command-facts.js";
import { COMMAND_JUDGING, type CommandJudging } from "./command-judging.js";
import { commandOperands } from "./command-operands.js";
import { NO_OUTPUT } from "./command-result.js";
import {
  type ExecuteCommandArgs,
  type ExecuteCommandResult,
  executeCommandInput,
  executeCommandOutput,
} from "./execute-command-schema.js";
import { gitInFolder } from "./git-in-folder.js";
import { judgeCommand } from "./judge-command.js";
import { openInBox } from "./open-in-box.js";
import { renderOutcome } from "./render-outcome.js";
import { runInBox } from "./run-in-box.js";
import { openOnHost, type ReadyCommand, runOnHost } from "./run-on-host.js";

const executeCommand = toolDefinition({
  name: "execute_command",
  summary: "Run a shell command in a sandbox on a view of the project, without network.",
  brief: {
    description:
      "Run a shell command in a sandbox on a view of the project, without network. File changes are applied when it ends, after approval where needed. Set network to ask for access.",
    parameters: {
      network: "Ask for network access",
      command: "Command line",
      cwd: "Directory to run in",
      timeout: "Seconds, 120 by default, at most 600",
      background: "Keep it running and return an id",
      ports: "Local ports a background command serves",
    },
  },
  category: "execute",
  permissions: ["ExecuteCommands"],
  capabilities: ["processes"],
  // File changes in the command's view become changes of the call.
  alsoUses: RECORDING,
  input: executeCommandInput,
  output: executeCommandOutput,
  inject: [COMMAND_JUDGING, BACKGROUND_COMMANDS],
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
    {
      when: "start a server",
      args: { command: "npm run dev", background: true, ports: [3000] },
    },
  ],
  guidance: [
    "File changes are applied when it ends, after approval where needed; a stopped command changes nothing.",
    "A non-zero exit code is a result, not an error. It has no terminal input.",
    "For single files use the file tools: their results are shorter.",
  ].join("\n"),
  termination: "Continue after a command that gathers information. Do not repeat a command that was denied.",
  timeoutMs: 660_000,
  maxTokens: 12_000,
  inspect: async (args, { service, stat }) => {
    const command = commandFacts(args.command, args.env);
    const refusal = await refusalOf(() => checkCall(args, stat));
    if (refusal !== undefined) return { command, refusal };
    const judging = await service(COMMAND_JUDGING)();
    const placed = gitInFolder(args, judging.host);
    const misplaced = placed === args ? undefined : await refusalOf(() => checkCall(placed, stat));
    if (misplaced !== undefined) return { command, refusal: misplaced };
    const decision = await judgeCommand(placed, judging);
    if (decision.verdict === "deny") return { command, refusal: commandDenied(decision, judging) };
    if (!judging.hasBox && needsBox(decision)) return { command, refusal: noBox() };
    return { command, operands: () => commandOperands(args, judging.host) };
  },
  // A denied command never prompts: the tool itself refuses it with a reason.
  approval: async ({ args, changes, approved, service }) => {
    if (changes.length > 0 && approved) return { covered: "the command was approved" };
    const judging = await service(COMMAND_JUDGING)();
    const { verdict, reason } = await judgeCommand(gitInFolder(args, judging.host), judging);
    if (changes.length > 0)
      return verdict === "allow"
        ? { covered: "the command is on the allow list" }
        : proposeForChanges(changes);
    if (verdict === "box") return { box: "runs in the box; asks if it changes existing files" };
    return verdict === "ask" ? { confirm: reason } : "auto";
  },
  whenUnapplied: unappliedRun,
  withoutChanges: notAppliedIn,
  render: renderOutcome,
});

@tool(executeCommand)
export class ExecuteCommand implements Tool<typeof executeCommand> {
  static readonly definition = executeCommand;
  readonly #judging: CommandJudging;
  readonly #background: BackgroundCommands;

  constructor(judging: CommandJudging, background: BackgroundCommands) {
    this.#judging = judging;
    this.#background = background;
  }

  async run(
    given: ExecuteCommandArgs,
    context: ContextOf<typeof executeCommand>,
  ): Promise<ExecuteCommandResult> {
    const judging = await this.#judging();
    const args = gitInFolder(given, judging.host);
    const decision = await judgeCommand(args, judging);
    if (decision.verdict === "deny") throw commandDenied(decision, judging);
    const inHand = { decision, judging };
    const { box: offered } = context.processes;
    const box = offered !== undefined && judging.hasBox ? offered : undefined;
    if (box === undefined && needsBox(decision)) throw noBox();
    if (args.background)
      return this.#start(
        args,
        await (box ? openInBox(args, inHand, box) : openOnHost(args, inHand, context)),
      );
    return box ? runInBox(args, inHand, { ...context, box }) : runOnHost(args, inHand, context);
  }

  /** Starts a command; one that cannot be started fails its call. */
  async #start(
    args: ExecuteCommandArgs,
    { started, ...opened }: ReadyCommand,
  ): Promise<ExecuteCommandResult> {
    const ending = opened.execute();
    await Promise.race([started, ending]);
    const { id } = this.#background.start({ ...opened, execute: () => ending, cwd: args.cwd });
    return { ...NO_OUTPUT, processId: id };
  }
}

function needsBox({ verdict, network }: CommandDecision): boolean {
  return verdict === "box" || network !== undefined;
}

/** A command that is harmless in a box is not harmless on the host. */
function noBox(): ToolError {
  return new ToolError("SANDBOX_UNAVAILABLE", "This command may only run in a box, and this host has none", {
    hint: "Nothing was run. The user can install bubblewrap (haft doctor says what is missing) or add the command to commands.allow.",
  });
}
