import type { Command } from "commander";
import { option } from "../options.js";
import { callCommand } from "./call-command.js";
import { type CommandContext, example, withRuntimeOptions } from "./command-context.js";

export function addPolicy(program: Command, { io, exitWith }: CommandContext): void {
  const policy = program
    .command("policy")
    .description("explain decisions, manage remembered answers")
    .addHelpText("after", example('haft policy explain delete_file \'{"path": "a.txt"}\''));
  withRuntimeOptions(policy.command("explain"))
    .description("show which rule decides a call in a session (with --approve: by haft call)")
    .argument("<tool>", "its name")
    .argument("[json]", "its arguments, or -")
    .addOption(option.approve())
    .addOption(option.json())
    .addHelpText("after", example('haft policy explain write_file \'{"path": "a", "content": ""}\''))
    .action((tool, args, choices) =>
      exitWith(
        import("../commands/policy.js").then(({ explain }) => explain(callCommand(tool, args, choices), io)),
      ),
    );
  policy
    .command("suggest")
    .description("propose rules from the calls you approved here")
    .addOption(option.workspace())
    .addOption(option.json())
    .addHelpText("after", example("haft policy suggest > rules.json"))
    .action((choices) =>
      exitWith(import("../commands/replayed-policy.js").then(({ suggest }) => suggest(choices, io))),
    );
  withRuntimeOptions(policy.command("replay"))
    .description("show which past calls the current rules would decide differently")
    .addOption(option.json())
    .addHelpText("after", example("haft policy replay --config new.json"))
    .action((choices) =>
      exitWith(import("../commands/replayed-policy.js").then(({ replay }) => replay(choices, io))),
    );
  addGrants(policy, { io, exitWith });
  addTrust(program, { io, exitWith });
}

function addGrants(policy: Command, { io, exitWith }: CommandContext): void {
  policy
    .command("grants")
    .description("list remembered answers")
    .addOption(option.workspace())
    .addOption(option.json())
    .addHelpText("after", example("haft policy grants"))
    .action((choices) => exitWith(import("../commands/grants.js").then(({ grants }) => grants(choices, io))));
  policy
    .command("revoke")
    .description("revoke a remembered answer, so that it is asked again")
    .argument("<id>", "as `haft policy grants` lists it, or its first letters")
    .addOption(option.workspace())
    .addOption(option.json())
    .addHelpText("after", example("haft policy revoke 3f2a"))
    .action((id, choices) =>
      exitWith(import("../commands/grants.js").then(({ revoke }) => revoke({ id, ...choices }, io))),
    );
}

function addTrust(program: Command, { io, exitWith }: CommandContext): void {
  program
    .command("trust")
    .description("trust the configuration of a workspace")
    .addOption(option.workspace())
    .addOption(option.list())
    .addOption(option.revoke().conflicts("list"))
    .addOption(option.yes().conflicts(["list", "revoke"]))
    .addOption(option.json())
    .addHelpText("after", TRUST)
    .addHelpText("after", example("haft trust"))
    .action((choices) => exitWith(import("../commands/trust.js").then(({ trust }) => trust(choices, io))));
}

const TRUST = `
Until then it can only remove tools, permissions, commands and addresses, and
a .ts or .js file is not executed. Any change asks again.`;
