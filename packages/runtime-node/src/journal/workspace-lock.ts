import { rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ToolError } from "@haft/core";
import { isOwned, keepLock, LockAttempt, readLockOwner } from "./lock-file.js";
import { namesInState } from "./state-file.js";

/** Serializes commits across runtimes and processes: later ones wait. */
export class WorkspaceLock {
  readonly #path: string;
  readonly #maxWaitMs: number;

  constructor(path: string, options: { readonly maxWaitMs?: number } = {}) {
    this.#path = path;
    this.#maxWaitMs = options.maxWaitMs ?? DEFAULT_MAX_WAIT_MS;
  }

  async hold<T>(work: () => Promise<T>): Promise<T> {
    await this.#take();
    const release = keepLock(this.#path);
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** Removes files of processes that died while waiting. */
  sweep(): void {
    const directory = dirname(this.#path);
    const waiting = new RegExp(`^${basename(this.#path)}\\.[0-9a-f]{16}$`);
    for (const name of namesInState(directory).filter((each) => waiting.test(each))) {
      const path = join(directory, name);
      const owner = readLockOwner(path);
      if (owner !== undefined && !isOwned(path, owner)) rmSync(path, { force: true });
    }
  }

  async #take(): Promise<void> {
    const deadlineMs = Date.now() + this.#maxWaitMs;
    const attempt = new LockAttempt(this.#path);
    try {
      for (let round = 0; attempt.take() !== undefined; round += 1) {
        if (Date.now() > deadlineMs) throw busy(this.#maxWaitMs);
        // Random, so that two waiters do not stay in step; short, because commits are.
        await sleep(1 + Math.random() * Math.min(2 + round, MAX_PAUSE_MS));
      }
    } finally {
      attempt.withdraw();
    }
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

const DEFAULT_MAX_WAIT_MS = 30_000;
const MAX_PAUSE_MS = 20;
