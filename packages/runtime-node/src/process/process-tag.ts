import { readdirSync, readFileSync } from "node:fs";

/** A variable that every process of one command inherits, even one that left its group for a session of its own. */
export const TAG_NAME = "HAFT_COMMAND";

/** Returns the processes with a tag. Empty without /proc. */
function findTagged(tag: string): readonly number[] {
  const wanted = `${TAG_NAME}=${tag}`;
  return processIds().filter((pid) => environmentOf(pid).includes(wanted));
}

/** Kills all processes with a tag, including those started meanwhile. Returns true if there were any. */
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

/** Returns an empty list for processes that have ended or belong to other users. */
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
    // It has already ended.
  }
}
