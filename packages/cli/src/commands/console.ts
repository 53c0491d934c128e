import { realpathSync } from "node:fs";
import type {
  ConsoleOptions,
  ConsoleServer,
  ConsoleWorkspace,
  PreparedRun,
  RuntimeRequest,
} from "@haft/console";
import { ToolError } from "@haft/core";
import { stateHome } from "@haft/runtime-node";
import type { CliIo } from "../cli-io.js";
import { EXIT, type ExitCode } from "../exit-code.js";
import { loadOptional } from "../open/load-optional.js";
import { type CommandRuntime, IN_THE_BOX, OVERNIGHT, openRuntime } from "../open/open-runtime.js";
import type { RuntimeChoices } from "../open/runtime-choices.js";
import { workspaceFolder } from "../open/workspace-folder.js";
import type { ModelChoice } from "../run/model-settings.js";
import { projectOf, runSetup } from "../run/run-setup.js";
import { runStore } from "../run/run-store.js";
import { consoleTrust } from "../trust/console-trust.js";
import { UsageError } from "../usage-error.js";
import type { StoreChoices } from "./store.js";

interface ConsoleCommand extends RuntimeChoices, ModelChoice, StoreChoices {
  /** Workspaces in addition to `--workspace`. */
  readonly folders?: readonly string[];
  readonly port?: number;
  /** Tenant in the shared store. */
  readonly tenant?: string;
}

/** Serves the console until it is stopped, and prints the link that opens it. */
export async function serve(command: ConsoleCommand, io: CliIo): Promise<ExitCode> {
  if (Number.isNaN(command.port)) throw new UsageError("USAGE", "--port takes a number from 0 to 65535");
  const isShared = (command.store ?? io.env.HAFT_STORE) !== undefined;
  const store = isShared ? await (await import("./store.js")).openStore(command, io) : undefined;
  try {
    const team = store === undefined ? {} : { team: { store, tenant: command.tenant ?? "default" } };
    return await serveUntilStopped(command, io, team);
  } finally {
    await store?.close();
  }
}

async function serveUntilStopped(
  command: ConsoleCommand,
  io: CliIo,
  team: Pick<ConsoleOptions, "team">,
): Promise<ExitCode> {
  const { serveConsole } = await loadOptional<typeof import("@haft/console")>("@haft/console", "The console");
  const [first = ".", ...others] = [
    ...(command.workspace ? [command.workspace] : []),
    ...(command.folders ?? []),
  ];
  const workspaces = [first, ...others].map((folder) => workspaceOf(folder, { command, io }));
  const { port } = command;
  const options = {
    workspaces,
    stateDirectory: stateHome(io.env),
    ...team,
    ...(port !== undefined && { port }),
  };
  const server: ConsoleServer = await serveConsole(options).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== "EADDRINUSE") throw cause;
    throw new UsageError("PORT_IN_USE", `Port ${port ?? 4938} is in use`, "Choose another one: --port 0");
  });
  io.stdout.write(`${server.url}\n`);
  io.stderr.write(
    "haft console: open the link above. Ctrl-C stops the console; waiting runs can be continued later.\n",
  );
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void server.close());
  await server.closed;
  return EXIT.ok;
}

interface ConsoleContext {
  readonly command: ConsoleCommand;
  readonly io: CliIo;
}

function workspaceOf(folder: string, { command, io }: ConsoleContext): ConsoleWorkspace {
  const root = realpathSync(workspaceFolder(folder, io));
  const open = async (request: RuntimeRequest): Promise<CommandRuntime> => {
    const parts = {
      ...IN_THE_BOX,
      warm: "idle" as const,
      ...request,
      approvals: OVERNIGHT,
      // The page itself asks whether to trust the configuration.
      warn: () => {},
    };
    const opened = await openRuntime({ ...command, workspace: root }, io, parts);
    await opened.mountServers();
    return opened;
  };
  const runs = runStore(folder, io);
  return {
    root,
    runs,
    trust: consoleTrust({ ...command, workspace: root }, io),
    openRuntime: async (request) => (await open(request)).runtime,
    openRun: async () => {
      runs.prune();
      return preparedRun(await open({ decidable: true }), { command, io });
    },
  };
}

/** Prepares a new run. Everything else in the console works without a model. */
async function preparedRun(opened: CommandRuntime, { command, io }: ConsoleContext): Promise<PreparedRun> {
  const { runtime } = opened;
  try {
    const { options } = await runSetup(command, opened, io);
    return { ...options, runtime, project: projectOf(opened) };
  } catch (thrown) {
    await runtime.dispose();
    if (!(thrown instanceof UsageError)) throw thrown;
    throw new ToolError(thrown.code, thrown.message, { hint: thrown.hint, cause: thrown });
  }
}
