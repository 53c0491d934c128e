import type { Command } from "commander";
import { option } from "../options.js";
import { callCommand } from "./call-command.js";
import { type CommandContext, example, withRuntimeOptions } from "./command-context.js";

export function addCalls(program: Command, { io, exitWith }: CommandContext): void {
  withRuntimeOptions(program.command("call"))
    .description("call one tool; - reads its arguments from stdin")
    .argument("<tool>", "its name")
    .argument("[json]", "its arguments, or -")
    .addOption(option.approve())
    .addOption(option.dryRun())
    .addOption(option.json())
    .addHelpText("after", example('haft call write_file \'{"path": "a.txt", "content": "hi"}\' --dry-run'))
    .action((tool, args, choices) =>
      exitWith(import("../commands/call.js").then(({ call }) => call(callCommand(tool, args, choices), io))),
    );
  addMcp(program, { io, exitWith });
}

function addMcp(program: Command, { io, exitWith }: CommandContext): void {
  const mcp = withRuntimeOptions(program.command("mcp"))
    .description("serve the tools over MCP, on stdio or HTTP")
    .addOption(option.approve())
    .addOption(option.dryRun())
    .addOption(option.json())
    .addOption(option.http())
    .addOption(option.host())
    .addOption(option.allowHost())
    .addOption(option.structured())
    .addOption(option.noToken())
    .addHelpText("after", MCP_FOLDER)
    .addHelpText("after", example("haft mcp --workspace . --role coder"))
    .action((choices) => exitWith(import("../commands/mcp.js").then(({ mcp }) => mcp(choices, io))));
  mcp
    .command("install", { hidden: true })
    .description("print or write an MCP client's configuration")
    .addOption(option.client())
    .addOption(option.write())
    .addOption(option.workspace())
    .addOption(option.role())
    .addHelpText("after", example("haft mcp install --client claude-code --write"))
    .action((_choices, command: Command) =>
      exitWith(
        import("../commands/mcp-install.js").then(({ mcpInstall }) =>
          mcpInstall(command.optsWithGlobals(), io),
        ),
      ),
    );
}

const MCP_FOLDER = "\nWithout --workspace the client's first root is used. More: haft help mcp";
