import type { Command } from "commander";
import { option } from "../options.js";
import { callCommand } from "./call-command.js";
import { example, type Setting, withRuntimeOptions } from "./setting.js";

export function addCalls(program: Command, { io, settled }: Setting): void {
  withRuntimeOptions(program.command("call"))
    .description("call one tool; - reads its arguments from stdin")
    .argument("<tool>", "its name")
    .argument("[json]", "its arguments, or -")
    .addOption(option.approve())
    .addOption(option.dryRun())
    .addOption(option.json())
    .addHelpText("after", example('haft call write_file \'{"path": "a.txt", "content": "hi"}\' --dry-run'))
    .action((tool, args, choices) =>
      settled(import("../commands/call.js").then(({ call }) => call(callCommand(tool, args, choices), io))),
    );
  withRuntimeOptions(program.command("mcp"))
    .description("serve the tools over MCP on stdin and stdout, or HTTP")
    .addOption(option.approve())
    .addOption(option.dryRun())
    .addOption(option.json())
    .addOption(option.http())
    .addOption(option.host())
    .addOption(option.allowHost())
    .addHelpText("after", MCP_FOLDER)
    .addHelpText("after", example("haft mcp --workspace . --role coder"))
    .action((choices) => settled(import("../commands/mcp.js").then(({ mcp }) => mcp(choices, io))));
}

const MCP_FOLDER = `
Without --workspace the folder is the first of the client's roots; over HTTP
only where HAFT_MCP_TOKEN is set, otherwise it is the current one.`;
