import { randomBytes } from "node:crypto";
import { linkSync, statSync, truncateSync, unlinkSync, utimesSync, writeFileSync } from "node:fs";
import { errnoOf } from "../workspace/system-error.js";
import { parseObject } from "./parse-object.js";
import { isAlive, ownIdentity, type ProcessIdentity, RENEW_MS } from "./process-identity.js";
import { readStateFile } from "./state-file.js";

export interface LockOwner extends ProcessIdentity {
  readonly nonce: string;
}

/**
 * Makes this process the only holder of a lock file. The returned function releases it. While another process holds
 * it, throws the error that `busy` creates.
 */
export function takeLock(path: string, busy: (owner: LockOwner) => Error): () => void {
  const attempt = new LockAttempt(path);
  try {
    const owner = attempt.take();
    if (owner !== undefined) throw busy(owner);
  } finally {
    attempt.withdraw();
  }
  return keepLock(path);
}

/**
 * Renews a lock file that this process holds until the returned function releases it, so that processes in other
 * containers see that its owner is alive.
 */
export function keepLock(path: string): () => void {
  const timer = setInterval(() => renew(path), RENEW_MS).unref();
  let isHeld = true;
  return () => {
    clearInterval(timer);
    // Only once: afterwards another process may hold it.
    if (isHeld) release(path);
    isHeld = false;
  };
}

/**
 * A file that one process holds at a time. It is created with its content and names its owner. When the owner is
 * dead, exactly one process removes it. Call `withdraw` after the last attempt, successful or not.
 */
export class LockAttempt {
  readonly #path: string;
  readonly #ready: string;
  #renewedMs = Date.now();

  constructor(path: string) {
    const nonce = randomBytes(8).toString("hex");
    this.#path = path;
    this.#ready = `${path}.${nonce}`;
    writeFileSync(this.#ready, JSON.stringify({ ...ownIdentity(), nonce }), { mode: 0o600, flag: "wx" });
  }

  /**
   * Returns undefined once this process holds the lock. Otherwise returns the owner, which may be dead and being
   * removed by another process.
   */
  take(): LockOwner | undefined {
    this.#renew();
    for (let attempt = 0; !tryLink(this.#ready, this.#path); attempt += 1) {
      const owner = readLockOwner(this.#path);
      if (attempt === MAX_ATTEMPTS) return owner ?? NOBODY;
      if (owner !== undefined && (isOwned(this.#path, owner) || !removeStale(this.#path, owner)))
        return owner;
    }
    return undefined;
  }

  withdraw(): void {
    unlinkSync(this.#ready);
  }

  /** Refreshes a lock that was waited for before it is taken. */
  #renew(): void {
    if (Date.now() - this.#renewedMs < RENEW_MS) return;
    this.#renewedMs = Date.now();
    renew(this.#ready);
  }
}

/** Returns whether a process holds a lock file. */
export function isLocked(path: string): boolean {
  const owner = readLockOwner(path);
  return owner !== undefined && isOwned(path, owner);
}

/** Returns whether the owner of a lock file may be alive. */
export function isOwned(path: string, owner: LockOwner): boolean {
  return isAlive(owner, statSync(path, { throwIfNoEntry: false })?.mtimeMs);
}

/**
 * Never throws: the work under the lock is done, and a failure here must not hide it. A lock that cannot be removed
 * is overwritten with no owner.
 */
function release(path: string): void {
  try {
    unlinkSync(path);
  } catch (thrown) {
    if (errnoOf(thrown) === undefined) throw thrown;
    truncateSync(path);
  }
}

/** Returns undefined if no process holds it. Throws STATE_DAMAGED if it is not a file. */
export function readLockOwner(path: string): LockOwner | undefined {
  const text = readStateFile(path)?.toString("utf8");
  if (text === undefined) return undefined;
  const { pid, startTime, nonce, space } = parseObject(text) ?? {};
  const isOwner = typeof pid === "number" && typeof startTime === "string" && typeof nonce === "string";
  // A power cut can leave a file without content; its owner is gone.
  if (!isOwner) return NOBODY;
  return { pid, startTime, nonce, ...(typeof space === "string" && { space }) };
}

/**
 * Removes the lock of a dead owner, under a second lock named after that owner: a late process finds another owner,
 * or none, and leaves it alone. Returns false if another process is removing it.
 */
function removeStale(path: string, { nonce }: LockOwner): boolean {
  const right = `${path}.dead-${nonce}`;
  const attempt = new LockAttempt(right);
  try {
    if (attempt.take() !== undefined) return false;
  } finally {
    attempt.withdraw();
  }
  try {
    if (readLockOwner(path)?.nonce === nonce) unlinkSync(path);
    return true;
  } finally {
    release(right);
  }
}

function renew(path: string): void {
  try {
    const now = Date.now() / 1000;
    utimesSync(path, now, now);
  } catch {
    // The file was removed or cannot be touched. Others then see the lock expire, as intended.
  }
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

const MAX_ATTEMPTS = 20;

// No process has this number, so it counts as dead. The nonce identifies a file without content.
const NOBODY: LockOwner = { pid: 2 ** 30, startTime: "", nonce: "nobody" };
