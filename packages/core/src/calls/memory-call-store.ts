import type { CallHint, CallStore } from "./call-store.js";
import { CallTable } from "./call-table.js";
import { hintsOf, type TableOperation } from "./table-operation.js";

export interface MemoryCallStoreOptions {
  readonly table?: CallTable;
  /** Returns milliseconds. Default: the system clock. */
  now?(): number;
}

/** Creates an in-memory call store. */
export function memoryCallStore({
  table = new CallTable(),
  now = Date.now,
}: MemoryCallStoreOptions = {}): CallStore {
  const listeners = new Set<(hint: CallHint) => void>();
  const run = async (name: TableOperation, input: object) => {
    const output = table[name](structuredClone(input) as never, now());
    for (const hint of hintsOf(name, input)) for (const listener of [...listeners]) listener(hint);
    return structuredClone(output);
  };
  return callStoreOver(run, (listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  });
}

/** Creates a call store that runs the operations of a table through the given function. */
export function callStoreOver(
  run: (name: TableOperation, input: object) => Promise<unknown>,
  watch: CallStore["watch"],
): CallStore {
  const operation = (name: TableOperation) => (input: object) => run(name, input) as never;
  return {
    submit: operation("submit"),
    find: operation("find"),
    cancel: operation("cancel"),
    expire: operation("expire"),
    resume: operation("resume"),
    lease: operation("lease"),
    release: operation("release"),
    publish: operation("publish"),
    workspace: operation("workspace"),
    claim: operation("claim"),
    started: operation("started"),
    awaitApproval: operation("awaitApproval"),
    settle: operation("settle"),
    duties: operation("duties"),
    limit: operation("limit"),
    list: operation("list"),
    overview: operation("overview"),
    prune: operation("prune"),
    watch,
  };
}
