import { readdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ToolError } from "@haft/core";
import { LockAttempt, letGo, readLockOwner } from "./lock-file.js";
import { isAlive } from "./process-identity.js";

/** One commit at a time, across runtimes and processes: whoever comes second waits. */
export class WorkspaceLock {
  readonly #path: string;
  readonly #maxWaitMs: number;

  constructor(path: string, options: { readonly maxWaitMs?: number } = {}) {
    this.#path = path;
    this.#maxWaitMs = options.maxWaitMs ?? DEFAULT_MAX_WAIT_MS;
  }

  async hold<T>(work: () => Promise<T>): Promise<T> {
    await this.#take();
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
      const owner = readLockOwner(path);
      if (owner !== undefined && !isAlive(owner)) rmSync(path, { force: true });
    }
  }

  async #take(): Promise<void> {
    const deadlineMs = Date.now() + this.#maxWaitMs;
    const attempt = new LockAttempt(this.#path);
    try {
      for (let round = 0; attempt.take() !== undefined; round += 1) {
        if (Date.now() > deadlineMs) throw busy(this.#maxWaitMs);
        // Random, so that two that wait do not keep step; short, because a commit is.
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
