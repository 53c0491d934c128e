import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { WorkspaceStore } from "@haft/core";
import { describeWorkspaceContract, type ScenarioStore } from "@haft/testing";
import { type NodeWorkspaceOptions, openNodeWorkspace } from "./open-node-workspace.js";

async function open(stateParent: string | undefined, options: NodeWorkspaceOptions): Promise<ScenarioStore> {
  const base = mkdtempSync(join(tmpdir(), "haft-contract-"));
  const state = mkdtempSync(join(stateParent ?? base, "state-"));
  mkdirSync(join(base, "ws"));
  const store = await openNodeWorkspace(join(base, "ws"), { ...options, stateDirectory: state });
  return {
    store: withOwnCallIds(store),
    dispose: () => {
      store.close();
      rmSync(base, { recursive: true });
      rmSync(state, { recursive: true, force: true });
    },
  };
}

/** The contract commits all its changes as one call, which a journal would reject. */
function withOwnCallIds<T extends WorkspaceStore>(store: T): T {
  const commit = store.commit.bind(store);
  let calls = 0;
  store.commit = (changes, call) => {
    calls += 1;
    return commit(changes, { ...call, callId: `${call.callId}-${calls}` });
  };
  return store;
}

describeWorkspaceContract("a folder, held by descriptors", () => open(undefined, {}));
describeWorkspaceContract("a folder, without /proc", () => open(undefined, { portable: true }));
describeWorkspaceContract("a folder, its state on another disk", () => open("/dev/shm", {}));
