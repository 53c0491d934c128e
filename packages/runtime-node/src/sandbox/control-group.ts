import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { SandboxLimits } from "./sandbox-limits.js";

/** Counts memory and processes of one run for the kernel, where this process may make such groups. */
export class ControlGroup {
  readonly #directories: readonly string[];
  readonly limitsMemory: boolean;
  readonly limitsProcesses: boolean;

  private constructor(directories: readonly string[], limited: { memory: boolean; processes: boolean }) {
    this.#directories = directories;
    this.limitsMemory = limited.memory;
    this.limitsProcesses = limited.processes;
  }

  static create(limits: SandboxLimits): ControlGroup {
    const name = `haft-${randomUUID()}`;
    const bytes = String(limits.memoryMb * 1024 * 1024);
    const unified = make(
      parentsOf("", "/sys/fs/cgroup"),
      name,
      { "pids.max": String(limits.processes), "memory.max": bytes },
      { "memory.swap.max": "0" },
    );
    if (unified !== undefined) return new ControlGroup([unified], { memory: true, processes: true });
    const pids = make(parentsOf("pids", "/sys/fs/cgroup/pids"), name, {
      "pids.max": String(limits.processes),
    });
    const memory = make(
      parentsOf("memory", "/sys/fs/cgroup/memory"),
      name,
      { "memory.limit_in_bytes": bytes },
      { "memory.memsw.limit_in_bytes": bytes },
    );
    const made = [pids, memory].filter((directory) => directory !== undefined);
    return new ControlGroup(made, { memory: memory !== undefined, processes: pids !== undefined });
  }

  /** The files a process writes its id to in order to join. */
  get joinFiles(): readonly string[] {
    return this.#directories.map((directory) => join(directory, "cgroup.procs"));
  }

  get wasMemoryHit(): boolean {
    return this.#counts("memory.oom_control", "oom_kill") || this.#counts("memory.events", "oom_kill");
  }

  get wasProcessesHit(): boolean {
    return this.#counts("pids.events", "max");
  }

  /** Ends whoever is still in it and takes it away. */
  async remove(): Promise<void> {
    for (let round = 0; round < REMOVE_ROUNDS; round += 1) {
      for (const file of this.joinFiles) killMembers(file);
      if (this.#directories.map(removed).every(Boolean)) return;
      await delay(REMOVE_WAIT_MS);
    }
  }

  #counts(file: string, key: string): boolean {
    return this.#directories.some((directory) => {
      const line = textOf(join(directory, file))
        .split("\n")
        .find((each) => each.startsWith(`${key} `));
      return Number(line?.slice(key.length)) > 0;
    });
  }
}

const REMOVE_ROUNDS = 100;
const REMOVE_WAIT_MS = 10;

/** Where a group may be made: below the one this process is in, or at the top of the hierarchy. */
function parentsOf(controller: string, mount: string): readonly string[] {
  const line = textOf("/proc/self/cgroup")
    .split("\n")
    .find((each) => each.split(":")[1]?.split(",").includes(controller));
  const own = line?.split(":").slice(2).join(":") ?? "/";
  return [...new Set([join(mount, own), mount])];
}

function make(
  parents: readonly string[],
  name: string,
  settings: Readonly<Record<string, string>>,
  optional: Readonly<Record<string, string>> = {},
): string | undefined {
  for (const parent of parents) {
    const directory = join(parent, name);
    try {
      mkdirSync(directory);
    } catch {
      continue;
    }
    if (Object.entries(settings).every(([file, value]) => set(join(directory, file), value))) {
      for (const [file, value] of Object.entries(optional)) set(join(directory, file), value);
      return directory;
    }
    removed(directory);
  }
  return undefined;
}

function set(file: string, value: string): boolean {
  try {
    if (!existsSync(file)) return false;
    writeFileSync(file, value);
    return true;
  } catch {
    return false;
  }
}

function killMembers(file: string): void {
  for (const pid of textOf(file).split("\n").filter(Boolean)) {
    try {
      process.kill(Number(pid), "SIGKILL");
    } catch {
      // It has ended.
    }
  }
}

function removed(directory: string): boolean {
  try {
    rmdirSync(directory);
    return true;
  } catch {
    return !existsSync(directory);
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
