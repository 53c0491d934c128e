import type { Command } from "commander";
import { option } from "../options.js";
import { callCommand } from "./call-command.js";
import { example, type Setting, withRuntimeOptions } from "./setting.js";

export function addPolicy(program: Command, { io, settled }: Setting): void {
  const policy = program
    .command("policy")
    .description("why a call is allowed, and what is remembered")
    .addHelpText("after", example('haft policy explain delete_file \'{"path": "a.txt"}\''));
  withRuntimeOptions(policy.command("explain"))
    .description("say which rule decides a call; nothing is done")
    .argument("<tool>", "its name")
    .argument("[json]", "its arguments, or -")
    .addOption(option.json())
    .addHelpText("after", example('haft policy explain write_file \'{"path": "a", "content": ""}\''))
    .action((tool, args, choices) =>
      settled(
        import("../commands/policy.js").then(({ explain }) => explain(callCommand(tool, args, choices), io)),
      ),
    );
  policy
    .command("grants")
    .description("list what need not be asked again here")
    .addOption(option.workspace())
    .addOption(option.json())
    .addHelpText("after", example("haft policy grants"))
    .action((choices) => settled(import("../commands/grants.js").then(({ grants }) => grants(choices, io))));
  policy
    .command("revoke")
    .description("ask again: take back what was remembered")
    .argument("<id>", "as `haft policy grants` lists it, or its first letters")
    .addOption(option.workspace())
    .addOption(option.json())
    .addHelpText("after", example("haft policy revoke 3f2a"))
    .action((id, choices) =>
      settled(import("../commands/grants.js").then(({ revoke }) => revoke({ id, ...choices }, io))),
    );
}
