import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { messageOf } from "@haft/core";
import { loadConfig, prepareNodeRuntime } from "@haft/runtime-node";
import type { CliIo } from "../cli-io.js";
import { EXIT, type ExitCode } from "../exit-code.js";
import { commandOptions } from "../open/command-options.js";
import { loadOptional } from "../open/load-optional.js";
import { printText } from "../output/print.js";
import { UsageError } from "../usage-error.js";
import { openStore, type StoreChoices } from "./store.js";

interface WorkerChoices extends StoreChoices {
  readonly root: string;
  readonly tenant: string;
  readonly slots: number;
  readonly role?: string;
  readonly config?: string;
  readonly packs?: readonly string[];
}

/** Serves workspaces until SIGTERM or SIGINT, then drains running calls. */
export async function work(choices: WorkerChoices, io: CliIo): Promise<ExitCode> {
  const { tenant, slots } = choices;
  if (!Number.isInteger(slots) || slots < 1)
    throw new UsageError("USAGE", "--slots must be a whole number, 1 or above");
  const root = resolve(io.cwd, choices.root);
  if (!existsSync(root))
    throw new UsageError(
      "PATH_NOT_FOUND",
      `The folder of --root does not exist: ${root}`,
      "Create it first.",
    );
  const { serveWorkspaces } = await loadOptional<typeof import("@haft/worker")>("@haft/worker", "The worker");
  const { workspace: _root, ...options } = await workerOptions(root, choices, io);
  const store = await openStore(choices, io);
  try {
    const worker = await serveWorkspaces({
      ...options,
      root,
      store,
      tenant,
      slots,
      onError: (error) => printText(io.stderr, `haft worker: ${messageOf(error)}`),
    });
    printText(
      io.stderr,
      `haft worker: ${worker.workerId} serves ${root}. SIGTERM drains running calls and exits.`,
    );
    await new Promise<void>((stop) => {
      for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => stop());
    });
    await worker.drain();
    return EXIT.ok;
  } finally {
    await store.close();
  }
}

/** What all workspaces have in common. Only a configuration that is named applies: agents write in the workspaces. */
async function workerOptions(root: string, choices: WorkerChoices, io: CliIo) {
  const loaded =
    choices.config === undefined
      ? { config: {}, file: undefined }
      : await loadConfig({ workspace: root, file: resolve(io.cwd, choices.config), env: io.env });
  const { options, servers } = await commandOptions(loaded, choices, {
    workspace: root,
    from: io.cwd,
    env: io.env,
    warn: (text) => void io.stderr.write(text),
    // It serves many agents, who keep the tools of the other packs.
    skipsBroken: true,
  });
  if (Object.keys(servers).length > 0)
    throw new UsageError(
      "USAGE",
      "A worker starts no MCP servers",
      "Remove mcpServers from its configuration.",
    );
  // The first workspace may appear later; a mistake is reported now.
  await prepareNodeRuntime(options);
  return options;
}
