import { ToolError } from "@haft/core";
import type { CallStore, WorkspaceFacts, WorkspaceKey } from "@haft/core/calls";

/** The last known state of a workspace, refreshed when another worker takes it over. */
export interface WorkspaceConnection {
  readonly facts: WorkspaceFacts;
  /** Translates a canonical call to the names that the worker offers. */
  spell(call: SpelledCall): SpelledCall;
  onChange(listener: () => void): () => void;
  /** Called when a call was claimed under this epoch. */
  noteEpoch(epoch: number): void;
}

interface SpelledCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** Waits until a worker has published the workspace's tools. Rejects with WORKSPACE_UNAVAILABLE. */
export async function connectWorkspace(
  calls: CallStore,
  key: WorkspaceKey,
  connectMs: number,
): Promise<WorkspaceConnection> {
  let { epoch, facts } = await published(calls, key, connectMs);
  const listeners = new Set<() => void>();
  const refresh = async () => {
    const record = await calls.workspace(key);
    if (record?.facts === undefined) return;
    const hasChanged = JSON.stringify(record.facts.tools) !== JSON.stringify(facts.tools);
    facts = record.facts;
    if (hasChanged) for (const listener of [...listeners]) listener();
  };
  return {
    get facts() {
      return facts;
    },
    spell: ({ tool, args }) => {
      const known = facts.tools.find(({ canonicalName }) => canonicalName === tool);
      return { tool: known?.name ?? tool, args };
    },
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    noteEpoch: (seen) => {
      if (seen === epoch) return;
      epoch = seen;
      void refresh().catch(() => {});
    },
  };
}

async function published(
  calls: CallStore,
  key: WorkspaceKey,
  connectMs: number,
): Promise<{ readonly epoch: number; readonly facts: WorkspaceFacts }> {
  const deadlineMs = Date.now() + connectMs;
  for (;;) {
    const record = await calls.workspace(key);
    if (record?.facts !== undefined) return { epoch: record.epoch, facts: record.facts };
    if (Date.now() > deadlineMs) throw unavailable(key);
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

const RETRY_MS = 200;

function unavailable({ tenant, workspace }: WorkspaceKey): ToolError {
  return new ToolError("WORKSPACE_UNAVAILABLE", `No worker serves the workspace ${workspace} of ${tenant}`, {
    hint: `Start one: haft worker --root DIR --store URL, where DIR has a folder ${workspace}.`,
  });
}
