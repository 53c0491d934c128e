import { randomUUID } from "node:crypto";
import { type FileEntry, ToolError, type WorkspaceStore } from "@haft/core";
import type { CommitCall, FileChange, PathState, Snapshot } from "@haft/core/workspace";
import { pathsOf } from "@haft/core/workspace";
import { contentDigest, contentHash } from "@haft/runtime-node/paths";
import { commitRequest } from "./commit-request.js";
import { ConnectionLost, NotUnderstood } from "./connection/remote-end.js";
import { entryAt } from "./remote-answers.js";
import type { RemoteEntry } from "./remote-entry.js";
import { asWorkspaceError, unknownOutcome } from "./remote-errors.js";
import { SshReader } from "./ssh-reader.js";

/** A workspace on another machine. Changes are applied there by one program, all or nothing. */
export class SshWorkspace extends SshReader implements WorkspaceStore {
  async entry(path: string): Promise<FileEntry | undefined> {
    const { path: located } = this.vet(path);
    return this.#told(path, async () => {
      const { value } = await this.parts.connection.ask<readonly (RemoteEntry | null)[]>("entries", {
        paths: [located],
      });
      return value[0] ? entryAt(located, value[0]) : undefined;
    });
  }

  async snapshot(path: string): Promise<Snapshot | undefined> {
    const { path: located } = this.vet(path);
    return this.#told(path, async () => {
      const fields = { path: located, held: this.parts.maxHeldBytes };
      const { value, body } = await this.parts.connection.ask<RemoteSnapshot>("snapshot", fields);
      this.parts.guard.judge(value.path, path);
      if (value.snapshot === null) return undefined;
      const { held, ...taken } = value.snapshot;
      return held === true ? { ...taken, bytes: new Uint8Array(body) } : taken;
    });
  }

  hash(bytes: Uint8Array): string {
    return contentHash(bytes);
  }

  digest(bytes: Uint8Array): string {
    return contentDigest(bytes);
  }

  async readMany(paths: readonly string[]): Promise<readonly PathState[]> {
    const located = paths.map((path) => this.vet(path).path);
    return this.#told(".", async () => {
      const fields = { paths: located, each: MAX_UNASKED_BYTES, most: MAX_BATCH_BYTES };
      const { value, body } = await this.parts.connection.ask<readonly RemoteState[]>("many", fields);
      let at = 0;
      return value.flatMap(({ entry, length }, index) => {
        const path = paths[index] ?? "";
        if (entry === undefined) return [];
        const state = { path, entry: entry === null ? undefined : entryAt(located[index] ?? "", entry) };
        if (length === undefined) return [state];
        const bytes = new Uint8Array(body.subarray(at, at + length));
        at += length;
        return [{ ...state, bytes }];
      });
    });
  }

  async commit(changes: readonly FileChange[], call: CommitCall): Promise<void> {
    for (const path of changes.flatMap(pathsOf)) this.vet(path, { purpose: "write" });
    if (changes.length === 0) return;
    const { fields, body } = commitRequest(changes);
    if (call.beforeFirstEffect === undefined) return this.#effect("commit", fields, body);
    const token = randomUUID();
    await this.#told(".", () => this.parts.connection.tell("prepare", { ...fields, token }, body));
    try {
      await call.beforeFirstEffect();
    } catch (thrown) {
      await this.parts.connection.tell("abandon", { token }).catch(() => undefined);
      throw thrown;
    }
    return this.#effect("apply", { ...fields, token });
  }

  /** The number of requests sent so far. */
  get roundTrips(): number {
    return this.parts.connection.roundTrips;
  }

  /** Closes the connection. The other machine finishes a running commit. */
  async close(): Promise<void> {
    await this.parts.connection.close();
  }

  /**
   * If the connection is lost or the answer is invalid, the next request waits until the commit is over and reads its
   * outcome.
   */
  async #effect(
    op: string,
    fields: { readonly changes: unknown; readonly token?: string },
    body?: Uint8Array,
  ): Promise<void> {
    try {
      await this.parts.connection.tell(op, fields, body);
    } catch (thrown) {
      if (!(thrown instanceof ConnectionLost || thrown instanceof NotUnderstood))
        throw asWorkspaceError(thrown, ".");
      if (!(await this.#wasApplied(fields.changes, thrown))) throw asWorkspaceError(thrown, ".");
    }
  }

  async #wasApplied(changes: unknown, lost: Error): Promise<boolean> {
    try {
      const { value } = await this.parts.connection.ask<{ applied: boolean }>("settle", { changes });
      return value.applied;
    } catch {
      throw unknownOutcome(lost);
    }
  }

  async #told<T>(path: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (thrown) {
      throw ToolError.is(thrown) ? thrown : asWorkspaceError(thrown, path);
    }
  }
}

interface RemoteSnapshot {
  readonly path: string;
  readonly snapshot: (Omit<Snapshot, "bytes"> & { readonly held?: boolean }) | null;
}

interface RemoteState {
  /** Null if nothing is there; omitted if the path must be queried separately. */
  readonly entry?: RemoteEntry | null;
  readonly length?: number;
}

const MAX_UNASKED_BYTES = 4 * 1024 * 1024;
const MAX_BATCH_BYTES = 16 * 1024 * 1024;
