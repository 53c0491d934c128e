import { resolve } from "node:path";
import { messageOf } from "@haft/core";
import type { CliIo } from "../cli-io.js";
import { EXIT, type ExitCode } from "../exit-code.js";
import { choosePacks } from "../open/choose-packs.js";
import { loadOptional } from "../open/load-optional.js";
import { printText } from "../output/print.js";
import { UsageError } from "../usage-error.js";
import { openStore, type StoreChoices } from "./store.js";

interface WorkerChoices extends StoreChoices {
  readonly root: string;
  readonly tenant: string;
  readonly slots: number;
  readonly role?: string;
  readonly packs?: readonly string[];
}

/** Serves workspaces until SIGTERM or SIGINT, then drains running calls. */
export async function work(choices: WorkerChoices, io: CliIo): Promise<ExitCode> {
  const { tenant, slots, role, packs } = choices;
  if (!Number.isInteger(slots) || slots < 1)
    throw new UsageError("USAGE", "--slots must be a whole number, 1 or above");
  const root = resolve(io.cwd, choices.root);
  const { serveWorkspaces } = await loadOptional<typeof import("@haft/worker")>("@haft/worker", "The worker");
  const { tools } = await choosePacks({
    names: packs,
    isTrusted: true,
    workspace: root,
    from: io.cwd,
    warn: (text) => void io.stderr.write(text),
  });
  const store = await openStore(choices, io);
  try {
    const worker = await serveWorkspaces({
      root,
      store,
      tenant,
      slots,
      tools,
      ...(role !== undefined && { role: role as never }),
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
