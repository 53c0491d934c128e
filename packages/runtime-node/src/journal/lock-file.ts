import { randomBytes } from "node:crypto";
import { linkSync, readFileSync, truncateSync, unlinkSync, writeFileSync } from "node:fs";
import { errnoOf } from "../workspace/system-error.js";
import { isAlive, ownIdentity, type ProcessIdentity } from "./process-identity.js";

export interface LockOwner extends ProcessIdentity {
  readonly nonce: string;
}

/**
 * A file that one process holds at a time. It comes into being whole and names its owner; that of a dead process is taken
 * away, by exactly one. `withdraw` must be called when enough was tried, whether it was taken or not.
 */
export class LockAttempt {
  readonly #path: string;
  readonly #ready: string;

  constructor(path: string) {
    const nonce = randomBytes(8).toString("hex");
    this.#path = path;
    this.#ready = `${path}.${nonce}`;
    writeFileSync(this.#ready, JSON.stringify({ ...ownIdentity(), nonce }), { mode: 0o600, flag: "wx" });
  }

  /** Undefined: it is held now. Otherwise who holds it, or held it and is being taken away by somebody else. */
  take(): LockOwner | undefined {
    for (let attempt = 0; !tryLink(this.#ready, this.#path); attempt += 1) {
      const owner = readLockOwner(this.#path);
      if (attempt === MAX_ATTEMPTS) return owner ?? NOBODY;
      if (owner !== undefined && (isAlive(owner) || !takeAway(this.#path, owner))) return owner;
    }
    return undefined;
  }

  withdraw(): void {
    unlinkSync(this.#ready);
  }
}

/** What was done under the lock is done, so a failure here must not hide it: a lock that cannot be removed is made nobody's. */
export function letGo(path: string): void {
  try {
    unlinkSync(path);
  } catch (thrown) {
    if (errnoOf(thrown) === undefined) throw thrown;
    truncateSync(path);
  }
}

/** Undefined when nobody holds it. */
export function readLockOwner(path: string): LockOwner | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as LockOwner;
  } catch (thrown) {
    if (errnoOf(thrown) === "ENOENT") return undefined;
    // A power cut can leave a file without its content: nobody who could own it is still there.
    if (thrown instanceof SyntaxError) return NOBODY;
    throw thrown;
  }
}

/**
 * Under a lock that is named after the dead: whoever comes late finds another owner, or none, and leaves it alone. False
 * when somebody else is at it.
 */
function takeAway(path: string, { nonce }: LockOwner): boolean {
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
    letGo(right);
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

// No process has this number, so it counts as dead; its nonce matches what a file without content gives.
const NOBODY: LockOwner = { pid: 2 ** 30, startTime: "", nonce: "nobody" };
