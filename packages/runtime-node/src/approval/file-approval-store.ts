import { createHash } from "node:crypto";
import { statSync, watch } from "node:fs";
import { stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import type { ReadAnswer } from "@haft/core/policy";
import {
  type ApprovalDecision,
  type ApprovalFilter,
  type ApprovalRecord,
  type ApprovalStore,
  filteredApprovals,
  type StoredApproval,
} from "@haft/core/stores";
import { isAlive, ownIdentity } from "../journal/process-identity.js";
import { stateError } from "../journal/state-error.js";
import { namesInState, readStateText, withoutDamaged } from "../journal/state-file.js";
import { isMissing } from "../workspace/system-error.js";
import { type OwnedRecord, parseDecision, parseRecord } from "./approval-record.js";
import { createPrivateFile, removePrivateFile, writePrivateFile } from "./private-file.js";

/**
 * Stores approvals on disk, one private file each: `CALL.ID.pending.json`, `ID.decided.json`, and `ID.released` when
 * no process waits. The process that creates the decision file has decided. The process that removes the pending file
 * may use the decision. The modification time of a pending file shows that its owner still waits.
 */
export class FileApprovalStore implements ApprovalStore {
  readonly #directory: string;
  readonly #owner = ownIdentity();
  #listing: { names: readonly string[]; changedMs: number; isSettled: boolean } | undefined;

  constructor(directory: string) {
    this.#directory = directory;
  }

  async insert(record: ApprovalRecord): Promise<void> {
    const { stepId, callId } = record.request;
    const owned: OwnedRecord = { ...record, owner: this.#owner };
    const name = `${callKey(callId)}.${checkedId(stepId)}${PENDING}`;
    try {
      await writePrivateFile(join(this.#directory, name), JSON.stringify(owned));
      await removePrivateFile(this.#file(stepId, RELEASED));
    } catch (cause) {
      throw stateError(cause, "The approval request could not be stored");
    }
  }

  async list(filter: ApprovalFilter = {}): Promise<readonly StoredApproval[]> {
    const { callId, id } = filter;
    // Every call with an id looks here. If nothing is stored, that costs one stat of the folder.
    const names = this.#names();
    if (names.length === 0) return [];
    if (callId === undefined && id === undefined) await this.#sweep(names);
    const start = callId === undefined ? "" : callKey(callId);
    const end = `${id === undefined ? "" : `.${id}`}${PENDING}`;
    const wanted = names.filter((name) => name.startsWith(start) && name.endsWith(end));
    const stored = await Promise.all(wanted.map((name) => this.#read(name).catch(withoutDamaged)));
    return filteredApprovals(
      stored.filter((approval) => approval !== undefined),
      filter,
    );
  }

  async decide(id: string, answer: ReadAnswer): Promise<boolean> {
    const { approved } = answer;
    const decision: ApprovalDecision = { decidedAt: new Date().toISOString(), approved, answer };
    return createPrivateFile(this.#file(id, DECIDED), JSON.stringify(decision)).catch((cause: unknown) => {
      throw stateError(cause, "The decision could not be stored");
    });
  }

  async decision(id: string): Promise<ApprovalDecision | undefined> {
    if (!IS_ID.test(id)) return undefined;
    const text = await readStateText(this.#file(id, DECIDED));
    return text === undefined ? undefined : parseDecision(text);
  }

  async take(id: string): Promise<boolean> {
    const pending = this.#pendingFile(id);
    if (pending === undefined || !(await removePrivateFile(pending))) return false;
    await this.#dropAnswer(id);
    await removePrivateFile(this.#file(id, RELEASED));
    return true;
  }

  async renew(id: string): Promise<void> {
    const pending = this.#pendingFile(id);
    const now = Date.now() / 1000;
    if (pending !== undefined) await utimes(pending, now, now).catch(ifMissing(undefined));
  }

  async release(id: string): Promise<void> {
    if (this.#pendingFile(id) !== undefined) await createPrivateFile(this.#file(id, RELEASED), "");
  }

  watch(listener: () => void): () => void {
    try {
      const watcher = watch(this.#directory, { persistent: false }, listener);
      watcher.on("error", () => watcher.close());
      return () => watcher.close();
    } catch {
      // The system has no watches left; waiting callers poll instead.
      return () => {};
    }
  }

  async #read(name: string): Promise<StoredApproval | undefined> {
    const file = join(this.#directory, name);
    const parsed = parseRecord((await readStateText(file)) ?? "");
    if (parsed === undefined) return undefined;
    const { owner, ...record } = parsed;
    const { stepId } = record.request;
    const isReleased = this.#names().includes(`${stepId}${RELEASED}`);
    const renewedMs = await stat(file).then(({ mtimeMs }) => mtimeMs, ifMissing(0));
    const decision = await this.decision(stepId);
    const isWaitedFor = !isReleased && isAlive(owner, renewedMs);
    return { ...record, isWaitedFor, ...(decision !== undefined && { decision }) };
  }

  /** Deletes the answer: arguments that a person changed may contain file content. */
  async #dropAnswer(id: string): Promise<void> {
    const decision = await this.decision(id);
    if (decision === undefined) return;
    const { decidedAt, approved } = decision;
    await writePrivateFile(this.#file(id, DECIDED), JSON.stringify({ decidedAt, approved }));
  }

  /** Reads the folder again only if it changed, or changed so recently that its timestamp may not show it. */
  #names(): readonly string[] {
    const changedMs = changeTimeOf(this.#directory);
    if (changedMs === undefined) return [];
    if (this.#listing?.changedMs !== changedMs || !this.#listing.isSettled) {
      const isSettled = Date.now() - changedMs > COARSEST_CLOCK_MS;
      this.#listing = { names: namesInState(this.#directory), changedMs, isSettled };
    }
    return this.#listing.names;
  }

  async #sweep(names: readonly string[]): Promise<void> {
    const oldest = Date.now() - KEPT_MS;
    for (const name of names) {
      const file = join(this.#directory, name);
      const found = await stat(file).catch(ifMissing(undefined));
      if (found?.isFile() === true && found.mtimeMs < oldest) await removePrivateFile(file);
    }
  }

  #pendingFile(id: string): string | undefined {
    if (!IS_ID.test(id)) return undefined;
    const name = this.#names().find((each) => each.endsWith(`.${id}${PENDING}`));
    return name === undefined ? undefined : join(this.#directory, name);
  }

  #file(id: string, ending: string): string {
    return join(this.#directory, `${checkedId(id)}${ending}`);
  }
}

const PENDING = ".pending.json";
const DECIDED = ".decided.json";
const RELEASED = ".released";
const COARSEST_CLOCK_MS = 2_000;
const KEPT_MS = 7 * 24 * 60 * 60 * 1000;
const IS_ID = /^[A-Za-z0-9_-]{1,80}$/;

/** Rejects an id that could name another file: ids in decisions come from outside. */
function checkedId(id: string): string {
  if (IS_ID.test(id)) return id;
  throw new TypeError("not the id of an approval");
}

function callKey(callId: string): string {
  return createHash("sha256").update(callId).digest("hex").slice(0, 24);
}

/**
 * Returns undefined if the folder is missing. `statSync` with `throwIfNoEntry` would still throw when a parent is a
 * file.
 */
function changeTimeOf(directory: string): number | undefined {
  try {
    return statSync(directory, { throwIfNoEntry: false })?.mtimeMs;
  } catch (thrown) {
    return ifMissing(undefined)(thrown);
  }
}

function ifMissing<T>(value: T): (cause: unknown) => T {
  return (cause) => {
    if (isMissing(cause)) return value;
    throw cause;
  };
}
