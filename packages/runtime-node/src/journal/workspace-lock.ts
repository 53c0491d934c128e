import { randomBytes } from "node:crypto";
import {
  linkSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ToolError } from "@haft/core";
import { errnoOf } from "../workspace/system-error.js";
import { isAlive, ownIdentity, type ProcessIdentity } from "./process-identity.js";

/**
 * One commit at a time, across runtimes and processes. A file that names its owner; it comes into
 * being whole, and when its owner is dead somebody takes it away, exactly one.
 */
export class WorkspaceLock {
  readonly #path: string;
  readonly #identity: ProcessIdentity = ownIdentity();
  readonly #maxWaitMs: number;

  constructor(path: string, options: { readonly maxWaitMs?: number } = {}) {
    this.#path = path;
    this.#maxWaitMs = options.maxWaitMs ?? DEFAULT_MAX_WAIT_MS;
  }

  async hold<T>(work: () => Promise<T>): Promise<T> {
    await this.#take(this.#path, Date.now() + this.#maxWaitMs);
    try {
      return await work();
    } finally {
      letGo(this.#path);
    }
  }

  /** Takes away what those left behind who died while they waited. */
  sweep(): void {
    const directory = dirname(this.#path);
    const waiting = new RegExp(`^${basename(this.#path)}\\.[0-9a-f]{16}$`);
    for (const name of readdirSync(directory).filter((each) => waiting.test(each))) {
      const path = join(directory, name);
      const owner = readOwner(path);
      if (owner !== undefined && !isAlive(owner)) rmSync(path, { force: true });
    }
  }

  async #take(path: string, deadlineMs: number): Promise<void> {
    const nonce = randomBytes(8).toString("hex");
    const ready = `${path}.${nonce}`;
    writeFileSync(ready, JSON.stringify({ ...this.#identity, nonce }), { mode: 0o600, flag: "wx" });
    try {
      for (let attempt = 0; !tryLink(ready, path); attempt += 1) {
        if (Date.now() > deadlineMs) throw busy(this.#maxWaitMs);
        await this.#waitFor(path, { attempt, deadlineMs });
      }
    } finally {
      unlinkSync(ready);
    }
  }

  async #waitFor(path: string, wait: { attempt: number; deadlineMs: number }): Promise<void> {
    const owner = readOwner(path);
    if (owner === undefined) return;
    if (!isAlive(owner)) return this.#takeAway(path, owner.nonce, wait.deadlineMs);
    // Random, so that two that wait do not keep step; short, because a commit is.
    await sleep(1 + Math.random() * Math.min(2 + wait.attempt, MAX_PAUSE_MS));
  }

  /**
   * Removing a dead owner's lock is itself done under a lock that is named after that owner. Whoever
   * comes late finds another owner, or none, and leaves it alone.
   */
  async #takeAway(path: string, nonce: string, deadlineMs: number): Promise<void> {
    const right = `${path}.dead-${nonce}`;
    await this.#take(right, deadlineMs);
    try {
      if (readOwner(path)?.nonce === nonce) unlinkSync(path);
    } finally {
      unlinkSync(right);
    }
  }
}

interface LockOwner extends ProcessIdentity {
  readonly nonce: string;
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

/** What was done under the lock is done, so a failure here must not hide it: a lock that cannot be removed is made nobody's. */
function letGo(path: string): void {
  try {
    unlinkSync(path);
  } catch (thrown) {
    if (errnoOf(thrown) === undefined) throw thrown;
    truncateSync(path);
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

function busy(maxWaitMs: number): ToolError {
  return new ToolError(
    "TIMEOUT",
    `Another process has been writing to this workspace for ${maxWaitMs / 1000} s`,
    {
      hint: "Nothing was changed. Try again.",
    },
  );
}

// No process has this number, so it counts as dead.
const NOBODY: LockOwner = { pid: 2 ** 30, startTime: "", nonce: "nobody" };
const DEFAULT_MAX_WAIT_MS = 30_000;
const MAX_PAUSE_MS = 20;
