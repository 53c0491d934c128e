import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SharedStore } from "@haft/core/calls";
import type { CrashBench, CrashWorkerOptions } from "@haft/testing";
import { bundleProcess } from "../../../tooling/testing/bundle-process.js";
import { remoteRuntime } from "../src/remote/index.js";
import { startWorkerProcess } from "./worker-processes.js";

export interface CrashStore extends Pick<CrashBench, "killServer"> {
  readonly store: SharedStore;
  /** How a worker process opens the store. */
  readonly place: object;
  close(): Promise<void>;
}

/** Real worker processes over a store. */
export async function openCrashBench(open: (folder: string) => Promise<CrashStore>): Promise<CrashBench> {
  const folder = mkdtempSync(join(tmpdir(), "haft-crash-"));
  const root = join(folder, "root");
  mkdirSync(join(root, "ws"), { recursive: true });
  const source = new URL("./crash-worker.ts", import.meta.url);
  const [{ store, place, killServer, close }, program] = await Promise.all([
    open(folder),
    bundleProcess(source, join(folder, "program")),
  ]);
  const children: { kill(signal: "SIGKILL"): void }[] = [];
  const deaf: SharedStore = { ...store, calls: { ...store.calls, watch: () => () => {} } };
  return {
    store,
    folder,
    ...(killServer !== undefined && { killServer }),
    startWorker: async (options: CrashWorkerOptions) => {
      const { process: child, workerId } = await startWorkerProcess(program, { place, root, ...options });
      children.push(child);
      const ended = new Promise((resolve) => child.once("exit", resolve));
      return { workerId, ended, kill: (signal) => void child.kill(signal) };
    },
    connect: ({ isDeaf = false } = {}) =>
      remoteRuntime({
        workspace: "ws",
        store: isDeaf ? deaf : store,
        principal: { tenant: "acme", id: "bot" },
        pollMs: 100,
        connectMs: 60_000,
      }),
    [Symbol.asyncDispose]: async () => {
      for (const child of children) child.kill("SIGKILL");
      await close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
