// Starts a worker with two workspaces in a shared store, and a call that waits for approval.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ToolResult } from "@haft/core";
import { memorySharedStore, type SharedStore } from "@haft/core/calls";
import { WriteFile } from "@haft/tool-fs";
import { serveWorkspaces } from "@haft/worker";
import { remoteRuntime } from "@haft/worker/remote";

export interface TeamAtWork extends AsyncDisposable {
  readonly store: SharedStore;
  /** The waiting call. */
  readonly calling: Promise<ToolResult>;
  read(): string;
}

export async function teamAtWork(): Promise<TeamAtWork> {
  const root = mkdtempSync(join(tmpdir(), "haft-team-"));
  const path = join(root, "shop", "a.txt");
  mkdirSync(join(root, "shop"));
  mkdirSync(join(root, "warehouse"));
  writeFileSync(path, "one\n");
  const store = memorySharedStore();
  const rules = [{ tool: "write_file", effect: "ask" }] as const;
  const shared = { root, store, tenant: "acme", tools: [WriteFile], rules, pollMs: 100 };
  const worker = await serveWorkspaces({ ...shared, workerId: "build-1" });
  const remote = await remoteRuntime({
    workspace: "shop",
    store,
    principal: { tenant: "acme", id: "bot" },
    pollMs: 100,
  });
  const calling = remote.call("write_file", { path: "new.txt", content: "two\n" }, { callId: "call-1" });
  return {
    store,
    calling,
    read: () => readFileSync(join(root, "shop", "new.txt"), "utf8"),
    [Symbol.asyncDispose]: async () => {
      await remote[Symbol.asyncDispose]();
      await calling.catch(() => undefined);
      await worker.drain();
      await store.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}
