import { type Command, Option } from "commander";
import { option } from "../options.js";
import { type CommandContext, example } from "./command-context.js";

/** Adds the commands for shared stores and workers. */
export function addTeam(program: Command, { io, exitWith }: CommandContext): void {
  const load = () => import("../commands/store.js");
  const store = program
    .command("store", { hidden: true })
    .description("set up and maintain a shared store")
    .addHelpText("after", example("haft store migrate --store postgres://haft@localhost/haft"));
  store
    .command("migrate")
    .description("create or update the tables")
    .addOption(option.store())
    .addHelpText("after", example("haft store migrate --store postgres://haft@localhost/haft"))
    .action((choices) => exitWith(load().then(({ migrate }) => migrate(choices, io))));
  store
    .command("status")
    .description("show version, queues, quotas, workers and pending approvals")
    .addOption(option.store())
    .addOption(option.tenant())
    .addOption(option.json())
    .addHelpText("after", example("haft store status --store postgres://haft@localhost/haft"))
    .action((choices) => exitWith(load().then(({ status }) => status(choices, io))));
  store
    .command("prune")
    .description("delete calls that settled long ago")
    .addOption(option.store())
    .addOption(new Option("--days <number>", "keep this many days").default(30).argParser(Number))
    .addHelpText("after", example("haft store prune --days 7 --store postgres://haft@localhost/haft"))
    .action((choices) => exitWith(load().then(({ prune }) => prune(choices, io))));
  addMember(store, { io, exitWith });
  addWorker(program, { io, exitWith });
}

function addMember(store: Command, { io, exitWith }: CommandContext): void {
  store
    .command("member")
    .description("list members, or set the rights of one")
    .argument("[id]", "the member to change; without it, all are listed")
    .addOption(option.store())
    .addOption(option.tenant())
    .addOption(new Option("--rights <names>", 'such as "approve,operate"; "" removes the member'))
    .addHelpText(
      "after",
      example("haft store member ann --rights approve --store postgres://haft@localhost/haft"),
    )
    .action((id, choices) =>
      exitWith(import("../commands/store.js").then(({ member }) => member({ id, ...choices }, io))),
    );
}

function addWorker(program: Command, { io, exitWith }: CommandContext): void {
  program
    .command("worker", { hidden: true })
    .description("execute calls of agents on other machines")
    .addOption(new Option("--root <dir>", "folder whose subfolders are the workspaces").makeOptionMandatory())
    .addOption(option.store())
    .addOption(option.tenant())
    .addOption(
      new Option("--slots <number>", "calls to execute at the same time").default(16).argParser(Number),
    )
    .addOption(option.role())
    .addOption(new Option("--config <file>", "configuration for all workspaces"))
    .addOption(option.packs())
    .addHelpText(
      "after",
      example("haft worker --root /srv/workspaces --store postgres://haft@localhost/haft"),
    )
    .action((choices) => exitWith(import("../commands/worker.js").then(({ work }) => work(choices, io))));
}
