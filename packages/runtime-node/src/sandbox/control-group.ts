import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { namesIfReadable, textIfReadable } from "../fs/if-readable.js";
import { isAlive } from "../journal/process-identity.js";
import { makeIn, parentsOf, removed } from "./control-group-folders.js";
import type { SandboxLimits } from "./sandbox-limits.js";

/**
 * Creates the cgroups of one sandbox. An empty one is kept for the next run with the same limits: the kernel takes about
 * as long to create and remove one as to start a program.
 */
export class ControlGroups {
  readonly #free: MadeGroup[] = [];
  #isClosed = false;

  create(limits: SandboxLimits): ControlGroup {
    const isUsable = (made: MadeGroup) => made.key === keyOf(limits) && joinFilesOf(made).every(isEmpty);
    const at = this.#free.findIndex(isUsable);
    const [kept] = at < 0 ? [] : this.#free.splice(at, 1);
    return new ControlGroup(kept ?? makeGroup(limits), (made) => this.#keep(made));
  }

  /** Removes the groups that no run uses, and keeps none from now on. */
  close(): void {
    this.#isClosed = true;
    for (const { directories } of this.#free.splice(0))
      for (const directory of directories) removed(directory);
  }

  #keep(made: MadeGroup): boolean {
    const isWanted = !this.#isClosed && this.#free.length < MAX_FREE;
    if (isWanted) this.#free.push(made);
    return isWanted;
  }
}

/** A cgroup that limits memory and processes of one run, where this process may create one. */
export class ControlGroup {
  readonly #made: MadeGroup;
  readonly #keep: (made: MadeGroup) => boolean;
  #isReleased = false;

  /** `keep` returns whether it takes the empty group for another run. */
  constructor(made: MadeGroup, keep: (made: MadeGroup) => boolean) {
    this.#made = made;
    this.#keep = keep;
  }

  get limitsMemory(): boolean {
    return this.#made.memory;
  }

  get limitsProcesses(): boolean {
    return this.#made.processes;
  }

  /** A process joins by writing its id to these files. */
  get joinFiles(): readonly string[] {
    return joinFilesOf(this.#made);
  }

  get wasMemoryHit(): boolean {
    return this.#counts("memory.oom_control", "oom_kill") || this.#counts("memory.events", "oom_kill");
  }

  get wasProcessesHit(): boolean {
    return this.#counts("pids.events", "max");
  }

  /** Kills the remaining processes and releases the group. Afterwards it may belong to another run. */
  async remove(): Promise<void> {
    if (this.#isReleased) return;
    const isReusable = !this.wasMemoryHit && !this.wasProcessesHit;
    this.#isReleased = true;
    for (let round = 0; round < REMOVE_ROUNDS; round += 1) {
      for (const file of this.joinFiles) killMembers(file);
      if (isReusable && this.joinFiles.every(isEmpty) && this.#keep(this.#made)) return;
      if (this.#made.directories.map(removed).every(Boolean)) return;
      await delay(REMOVE_WAIT_MS);
    }
  }

  #counts(file: string, key: string): boolean {
    if (this.#isReleased) return false;
    return this.#made.directories.some((directory) => {
      const line = (textIfReadable(join(directory, file)) ?? "")
        .split("\n")
        .find((each) => each.startsWith(`${key} `));
      return Number(line?.slice(key.length)) > 0;
    });
  }
}

interface MadeGroup {
  readonly key: string;
  readonly directories: readonly string[];
  readonly memory: boolean;
  readonly processes: boolean;
}

const MAX_FREE = 4;

function keyOf({ memoryMb, processes }: SandboxLimits): string {
  return `${memoryMb} ${processes}`;
}

function joinFilesOf({ directories }: MadeGroup): readonly string[] {
  return directories.map((directory) => join(directory, "cgroup.procs"));
}

function makeGroup(limits: SandboxLimits): MadeGroup {
  const name = `haft-${process.pid}-${randomUUID()}`;
  const key = keyOf(limits);
  const bytes = String(limits.memoryMb * 1024 * 1024);
  const unified = makeIn(parentsOf("", "/sys/fs/cgroup"), name, {
    settings: { "pids.max": String(limits.processes), "memory.max": bytes },
    optional: { "memory.swap.max": "0" },
  });
  if (unified !== undefined) return { key, directories: [unified], memory: true, processes: true };
  const pids = makeIn(parentsOf("pids", "/sys/fs/cgroup/pids"), name, {
    settings: { "pids.max": String(limits.processes) },
  });
  const memory = makeIn(parentsOf("memory", "/sys/fs/cgroup/memory"), name, {
    settings: { "memory.limit_in_bytes": bytes },
    optional: { "memory.memsw.limit_in_bytes": bytes },
  });
  const directories = [pids, memory].filter((directory) => directory !== undefined);
  return { key, directories, memory: memory !== undefined, processes: pids !== undefined };
}

/** A group that was removed or cannot be read does not count as empty, because no process could join it. */
function isEmpty(file: string): boolean {
  return textIfReadable(file) === "";
}

/** Removes the groups of dead processes. */
export function sweepControlGroups(): void {
  const parents = [
    ...parentsOf("", "/sys/fs/cgroup"),
    ...parentsOf("pids", "/sys/fs/cgroup/pids"),
    ...parentsOf("memory", "/sys/fs/cgroup/memory"),
  ];
  for (const parent of new Set(parents))
    for (const name of namesIfReadable(parent)) {
      const pid = /^haft-(\d+)-/.exec(name)?.[1];
      if (pid !== undefined && !isAlive({ pid: Number(pid), startTime: "" })) removed(join(parent, name));
    }
}

const REMOVE_ROUNDS = 100;
const REMOVE_WAIT_MS = 10;

export function killMembers(file: string): void {
  // The kernel lists a process of another pid namespace as 0, which kill() takes for the caller's own process group.
  const pids = (textIfReadable(file) ?? "").split("\n").map(Number);
  for (const pid of pids.filter((each) => each > 0)) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has already ended.
    }
  }
}
