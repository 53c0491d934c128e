import type { ChildProcess } from "node:child_process";
import { lstatSync, readdirSync, statfsSync } from "node:fs";
import { stopProcessGroup } from "../process/stop-process-group.js";
import { groupUsage } from "./group-usage.js";
import { entriesInMemory } from "./memory-folders.js";
import type { SandboxLaunch } from "./sandboxed-process.js";
import { stopBox } from "./stop-box.js";

/** Why a run was ended early. */
export type EndedBy = "time" | "disk" | "memory" | "cpu" | "pids";

const POLL_MS = 200;

/** Ends a run; the first cause counts. */
export class SandboxEnding {
  readonly #child: ChildProcess;
  readonly #signal: AbortSignal;
  readonly #timers: readonly NodeJS.Timeout[];
  #cause: EndedBy | "abort" | undefined;
  #stopped: Promise<void> | undefined;

  constructor(child: ChildProcess, launch: SandboxLaunch, signal: AbortSignal) {
    const { timeoutMs, disk, group, memoryFolders = [] } = launch;
    this.#child = child;
    this.#signal = signal;
    let most = freeOn(disk.path);
    // The disk's free space is cheap to query but may change through others, so a drop leads to an exact check.
    const checkDisk = () => {
      // A read-only view cannot grow.
      if (disk.startBytes === Number.POSITIVE_INFINITY) return;
      const now = freeOn(disk.path);
      // Another program that frees space must not hide what this one fills.
      most = { bytes: Math.max(most.bytes, now.bytes), entries: Math.max(most.entries, now.entries) };
      const { maxEntries = MAX_ENTRIES } = disk;
      const isSuspect = most.bytes - now.bytes > disk.maxBytes || most.entries - now.entries > maxEntries;
      if (!isSuspect) return;
      const { bytes, entries } = contentOf(disk.path);
      if (bytes - disk.startBytes > disk.maxBytes || entries > maxEntries) this.#end("disk");
    };
    const check = () => {
      checkDisk();
      if (entriesInMemory(child.pid ?? 0, memoryFolders) > (disk.maxEntries ?? MAX_ENTRIES))
        this.#end("disk");
      this.#checkGroup(group);
    };
    const limit = timeoutMs === undefined ? [] : [setTimeout(() => this.#end("time"), timeoutMs)];
    this.#timers = [...limit, setInterval(check, POLL_MS)];
    signal.addEventListener("abort", this.#aborted, { once: true });
    if (signal.aborted) this.#end("abort");
  }

  async settled(): Promise<EndedBy | "abort" | undefined> {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#signal.removeEventListener("abort", this.#aborted);
    await this.#stopped;
    return this.#cause;
  }

  #checkGroup(group: SandboxLaunch["group"]): void {
    if (group === undefined || this.#child.pid === undefined) return;
    const { memoryMb, cpuSeconds, processes } = groupUsage(this.#child.pid);
    if (processes > (group.processes ?? Number.POSITIVE_INFINITY)) this.#end("pids");
    else if (memoryMb > (group.memoryMb ?? Number.POSITIVE_INFINITY)) this.#end("memory");
    else if (cpuSeconds > group.cpuSeconds) this.#end("cpu");
  }

  #end(cause: EndedBy | "abort"): void {
    if (this.#cause !== undefined || this.#child.pid === undefined) return;
    this.#cause = cause;
    const isPatient = cause === "time" || cause === "abort";
    this.#stopped = isPatient ? stopBox(this.#child.pid) : stopProcessGroup(this.#child.pid);
  }

  readonly #aborted = (): void => this.#end("abort");
}

/** Empty files fill a disk too: the number of its entries is limited. */
const MAX_ENTRIES = 250_000;

interface Amount {
  readonly bytes: number;
  readonly entries: number;
}

/** Never throws, since it runs in a timer: a folder that cannot be measured counts as too much. */
function contentOf(path: string): Amount {
  try {
    return measured(path);
  } catch {
    return { bytes: Number.POSITIVE_INFINITY, entries: Number.POSITIVE_INFINITY };
  }
}

/** Measures a folder that others write to meanwhile. */
function measured(path: string): Amount {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return { bytes: 0, entries: 0 };
  let bytes = stats.isDirectory() ? 0 : stats.blocks * BLOCK_BYTES;
  let entries = 1;
  for (const name of stats.isDirectory() ? namesIn(path) : []) {
    const below = measured(`${path}/${name}`);
    bytes += below.bytes;
    entries += below.entries;
  }
  return { bytes, entries };
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

const BLOCK_BYTES = 512;

/** Never throws, since it runs in a timer: a disk that cannot be queried counts as empty. */
function freeOn(path: string): Amount {
  try {
    const { bavail, bsize, ffree } = statfsSync(path);
    return { bytes: bavail * bsize, entries: ffree };
  } catch {
    return { bytes: Number.POSITIVE_INFINITY, entries: Number.POSITIVE_INFINITY };
  }
}
