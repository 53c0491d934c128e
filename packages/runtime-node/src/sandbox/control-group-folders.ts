import { existsSync, mkdirSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { textIfReadable } from "../fs/if-readable.js";

/** Returns where a group may be created: below the group of this process, or at the top of the hierarchy. */
export function parentsOf(controller: string, mount: string): readonly string[] {
  const line = (textIfReadable("/proc/self/cgroup") ?? "")
    .split("\n")
    .find((each) => each.split(":")[1]?.split(",").includes(controller));
  const own = line?.split(":").slice(2).join(":") ?? "/";
  return [...new Set([join(mount, own), mount])];
}

interface GroupSettings {
  readonly settings: Readonly<Record<string, string>>;
  readonly optional?: Readonly<Record<string, string>>;
}

/** Creates a group in the first folder where all required settings can be made. */
export function makeIn(
  parents: readonly string[],
  name: string,
  { settings, optional = {} }: GroupSettings,
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

/** Returns whether the group no longer exists. */
export function removed(directory: string): boolean {
  try {
    rmdirSync(directory);
    return true;
  } catch {
    return !existsSync(directory);
  }
}
