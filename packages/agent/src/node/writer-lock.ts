import { randomBytes } from "node:crypto";
import { linkSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { ToolError } from "@haft/core";
import { isAlive, ownIdentity, type ProcessIdentity } from "./process-identity.js";

/**
 * Makes this process the only writer of a file; the function returned lets go of it. The lock comes into
 * being whole and names its owner; that of a dead process is taken away, by exactly one.
 */
export function takeWriterLock(path: string): () => void {
  const ready = `${path}.${randomBytes(8).toString("hex")}`;
  const nonce = randomBytes(8).toString("hex");
  writeFileSync(ready, JSON.stringify({ ...ownIdentity(), nonce }), { mode: 0o600, flag: "wx" });
  try {
    for (let attempt = 0; !tryLink(ready, path); attempt += 1) {
      const owner = readOwner(path);
      if (attempt === MAX_ATTEMPTS || (owner !== undefined && isAlive(owner))) throw busy(owner ?? NOBODY);
      if (owner !== undefined) takeAway(path, owner);
    }
  } finally {
    unlinkSync(ready);
  }
  return () => letGo(path, nonce);
}

const MAX_ATTEMPTS = 20;

interface LockOwner extends ProcessIdentity {
  readonly nonce: string;
}

/** Under a lock that is named after the dead: whoever comes late finds another owner and leaves it alone. */
function takeAway(path: string, { nonce }: LockOwner): void {
  const release = takeWriterLock(`${path}.dead-${nonce}`);
  try {
    letGo(path, nonce);
  } finally {
    release();
  }
}

function letGo(path: string, nonce: string): void {
  if (readOwner(path)?.nonce === nonce) unlinkSync(path);
}

function tryLink(ready: string, path: string): boolean {
  try {
    linkSync(ready, path);
    return true;
  } catch (thrown) {
    if (errnoOf(thrown) === "EEXIST") return false;
    throw thrown;
  }
}

function readOwner(path: string): LockOwner | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as LockOwner;
  } catch (thrown) {
    if (errnoOf(thrown) === "ENOENT") return undefined;
    // A power cut can leave a file without its content: nobody who could own it is still there.
    if (thrown instanceof SyntaxError) return NOBODY;
    throw thrown;
  }
}

/** No process has this number, so it counts as dead; its nonce matches what a file without content gives. */
const NOBODY: LockOwner = { pid: 2 ** 30, startTime: "", nonce: "nobody" };

function errnoOf(thrown: unknown): string | undefined {
  return (thrown as NodeJS.ErrnoException).code;
}

function busy({ pid }: LockOwner): ToolError {
  return new ToolError("RUN_BUSY", `Process ${pid} is driving this run`, {
    hint: "Wait until it has ended, or stop it.",
    details: { pid },
  });
}
