import { Command, Option } from "commander";
import type { ApproveChoice } from "./ask/choose-approver.js";
import type { CliIo } from "./cli-io.js";
import type { CallCommand } from "./commands/call.js";
import type { ExitCode } from "./exit-code.js";
import type { RuntimeChoices } from "./open/runtime-choices.js";
import { option } from "./options.js";
import { ownVersion } from "./own-version.js";
import { UsageError } from "./usage-error.js";

type SetExitCode = (code: ExitCode) => void;

/** The command line as data. What a command does is imported when it is run. */
export function createProgram(io: CliIo, setExitCode: SetExitCode): Command {
  const program = new Command("haft")
    .description("The handle between an agent and its tools.")
    .version(ownVersion(), "-V, --version", "print the version")
    .helpOption("-h, --help", "show help")
    .helpCommand(false)
    .addHelpText("after", example('haft call read_file \'{"path": "README.md"}\''));
  program.configureHelp({ showGlobalOptions: false, helpWidth: 80 });
  const settled = (run: Promise<ExitCode>) => run.then(setExitCode);
  addListings(program, io, settled);
  addCalls(program, io, settled);
  addJournal(program, io, settled);
  addHousekeeping(program, io, settled);
  addAnnounced(program);
  for (const command of [program, ...allCommands(program)]) configure(command, io);
  return program;
}

type Settled = (run: Promise<ExitCode>) => Promise<void>;

function addListings(program: Command, io: CliIo, settled: Settled): void {
  withRuntimeOptions(program.command("tools"))
    .description("list the tools a role sees")
    .addOption(option.json())
    .addHelpText("after", example("haft tools --role reader --json"))
    .action((choices) => settled(import("./commands/tools.js").then(({ tools }) => tools(choices, io))));
  withRuntimeOptions(program.command("prompt"))
    .description("print the system prompt for a role")
    .option("--xml", "mark it up as XML instead of Markdown")
    .option("--stats", "print its size instead")
    .addOption(option.noTerminate())
    .addHelpText("after", example("haft prompt --role reader --dialect claude"))
    .action((choices) => settled(import("./commands/prompt.js").then(({ prompt }) => prompt(choices, io))));
  withRuntimeOptions(program.command("schema"))
    .description("print the tools in a provider's format")
    .addOption(option.provider())
    .option("--strict", "OpenAI's strict mode, where a tool's schema allows it")
    .addOption(option.noTerminate())
    .addHelpText("after", example("haft schema --for anthropic --role coder"))
    .action((choices) => settled(import("./commands/schema.js").then(({ schema }) => schema(choices, io))));
}

function addCalls(program: Command, io: CliIo, settled: Settled): void {
  withRuntimeOptions(program.command("call"))
    .description("call one tool; - reads its arguments from stdin")
    .argument("<tool>", "its name")
    .argument("[json]", "its arguments, or -")
    .addOption(option.approve())
    .addOption(option.dryRun())
    .addOption(option.json())
    .addHelpText("after", example('haft call write_file \'{"path": "a.txt", "content": "hi"}\' --dry-run'))
    .action((tool, args, choices) =>
      settled(import("./commands/call.js").then(({ call }) => call(callCommand(tool, args, choices), io))),
    );
  withRuntimeOptions(program.command("mcp"))
    .description("serve the tools over MCP on stdin and stdout")
    .addOption(option.approve())
    .addOption(option.dryRun())
    .addOption(option.json())
    .addOption(new Option("--http <port>", "serve Streamable HTTP on 127.0.0.1 instead").hideHelp())
    .addHelpText("after", example("haft mcp --workspace . --role coder"))
    .action((choices) => settled(import("./commands/mcp.js").then(({ mcp }) => mcp(choices, io))));
  const policy = program
    .command("policy")
    .description("see why a call is allowed or denied")
    .addHelpText("after", example('haft policy explain delete_file \'{"path": "a.txt"}\''));
  withRuntimeOptions(policy.command("explain"))
    .description("say which rule decides a call; nothing is done")
    .argument("<tool>", "its name")
    .argument("[json]", "its arguments, or -")
    .addOption(option.json())
    .addHelpText("after", example('haft policy explain write_file \'{"path": "a", "content": ""}\''))
    .action((tool, args, choices) =>
      settled(
        import("./commands/policy.js").then(({ explain }) => explain(callCommand(tool, args, choices), io)),
      ),
    );
}

function addJournal(program: Command, io: CliIo, settled: Settled): void {
  program
    .command("changes")
    .description("list what calls have changed")
    .addOption(option.workspace())
    .addOption(option.json())
    .addHelpText("after", example("haft changes --json"))
    .action((choices) =>
      settled(import("./commands/changes.js").then(({ changes }) => changes(choices, io))),
    );
  program
    .command("undo")
    .description("take back the last call, or a given one")
    .argument("[call-id]", "as `haft changes` lists it")
    .addOption(option.workspace())
    .addOption(option.json())
    .addHelpText("after", example("haft undo"))
    .action((callId, choices) =>
      settled(import("./commands/undo.js").then(({ undo }) => undo({ callId, ...choices }, io))),
    );
}

function addHousekeeping(program: Command, io: CliIo, settled: Settled): void {
  program
    .command("doctor")
    .description("what this machine offers, and how to fix it")
    .addOption(option.json())
    .addHelpText("after", example("haft doctor"))
    .action((choices) => settled(import("./commands/doctor.js").then(({ doctor }) => doctor(choices, io))));
  program
    .command("new")
    .description("start something new")
    .addHelpText("after", example("haft new tool word-count"))
    .command("tool")
    .description("scaffold a tool pack in a new folder")
    .argument("<name>", "such as word-count")
    .addHelpText("after", example("haft new tool word-count"))
    .action((name) => settled(import("./commands/new-tool.js").then(({ newTool }) => newTool(name, io))));
}

/** Part of the interface, and of a later version: said clearly instead of "unknown command". */
function addAnnounced(program: Command): void {
  for (const name of ["run", "console"]) {
    program
      .command(name, { hidden: true })
      .allowUnknownOption()
      .allowExcessArguments()
      .action(() => {
        throw new UsageError("NOT_AVAILABLE", `haft ${name} is not part of this version`);
      });
  }
}

/** "json" is an argument and an option of the same command; here they get names of their own. */
function callCommand(tool: string, args: string | undefined, choices: CallOptions): CallCommand {
  const { json, dryRun, ...rest } = choices;
  return { ...rest, tool, args, asJson: json ?? false, dryRun: dryRun ?? false };
}

type CallOptions = RuntimeChoices & ApproveChoice & { readonly json?: boolean; readonly dryRun?: boolean };

function withRuntimeOptions(command: Command): Command {
  return command
    .addOption(option.workspace())
    .addOption(option.role())
    .addOption(option.dialect())
    .addOption(option.config())
    .addOption(option.packs());
}

function configure(command: Command, io: CliIo): void {
  command
    .exitOverride()
    .helpOption("-h, --help", "show help")
    .showSuggestionAfterError()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      outputError: (text, write) => write(text.replace(/^error:/, "haft: USAGE:")),
      getOutHelpWidth: () => 80,
      getErrHelpWidth: () => 80,
    });
}

function allCommands(command: Command): readonly Command[] {
  return command.commands.flatMap((below) => [below, ...allCommands(below)]);
}

function example(command: string): string {
  return `\nExample:\n  ${command}`;
}
