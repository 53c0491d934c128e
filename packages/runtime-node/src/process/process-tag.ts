import { readdirSync, readFileSync } from "node:fs";

/** A variable that every process of one command inherits, also one that left its group for a session of its own. */
export const TAG_NAME = "HAFT_COMMAND";

/** The processes that carry a tag; none where there is no /proc. */
export function findTagged(tag: string): readonly number[] {
  const wanted = `${TAG_NAME}=${tag}`;
  return processIds().filter((pid) => environmentOf(pid).includes(wanted));
}

/** Ends all that carry a tag, those too that start more while they are ended. True if there were any. */
export function killTagged(tag: string): boolean {
  let found = findTagged(tag);
  const wereAny = found.length > 0;
  for (let round = 0; found.length > 0 && round < MAX_ROUNDS; round += 1) {
    for (const pid of found) kill(pid);
    found = findTagged(tag);
  }
  return wereAny;
}

const MAX_ROUNDS = 20;

function processIds(): readonly number[] {
  try {
    return readdirSync("/proc").map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

/** Empty for what has ended, and for the processes of others. */
function environmentOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1").split("\0");
  } catch {
    return [];
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It ended by itself.
  }
}
