import { createHash } from "node:crypto";
import { readdirSync, statSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { isMissing } from "../workspace/system-error.js";
import { type ApprovalRecord, parseDecision, parseRecord, type StoredDecision } from "./approval-record.js";
import type { ReadAnswer } from "./approval-response.js";
import { createPrivateFile, removePrivateFile, writePrivateFile } from "./private-file.js";

/**
 * Pending approvals and their decisions on disk, one private file each. Whoever creates the decision
 * file has decided; whoever removes the pending file may use the decision. Both happen exactly once,
 * whatever processes take part.
 */
export class ApprovalStore {
  readonly #directory: string;
  #listing: { names: readonly string[]; changedMs: number; isSettled: boolean } | undefined;

  constructor(directory: string) {
    this.#directory = directory;
  }

  async save(record: ApprovalRecord): Promise<void> {
    await writePrivateFile(this.#pendingFile(record), JSON.stringify(record));
  }

  async list(): Promise<readonly ApprovalRecord[]> {
    const names = this.#names();
    await this.#sweep(names);
    return this.#read(names.filter((name) => name.endsWith(PENDING)));
  }

  async ofCall(callId: string): Promise<readonly ApprovalRecord[]> {
    const start = callKey(callId);
    const names = this.#names().filter((name) => name.startsWith(start) && name.endsWith(PENDING));
    return (await this.#read(names)).filter(({ request }) => request.callId === callId);
  }

  /** Cheap, for every call asks: whether something is stored for it. */
  has(callId: string): boolean {
    const names = this.#names();
    if (names.length === 0) return false;
    const start = callKey(callId);
    return names.some((name) => name.startsWith(start) && name.endsWith(PENDING));
  }

  /** False when somebody else was first. */
  async decide(id: string, answer: ReadAnswer): Promise<boolean> {
    const decision = { decidedAt: new Date().toISOString(), approved: answer.approved, answer };
    return createPrivateFile(this.#decisionFile(id), JSON.stringify(decision));
  }

  async decision(id: string): Promise<StoredDecision | undefined> {
    if (!IS_ID.test(id)) return undefined;
    const text = await readFile(this.#decisionFile(id), "utf8").catch(ifMissing(undefined));
    return text === undefined ? undefined : parseDecision(text);
  }

  /** True for exactly one of those who try; what was asked is forgotten, that it was decided is not. */
  async take(record: ApprovalRecord): Promise<boolean> {
    const isTaken = await removePrivateFile(this.#pendingFile(record));
    if (isTaken) await this.#dropAnswer(record.request.stepId);
    return isTaken;
  }

  /** Arguments a person changed may hold file content, like those they replace. */
  async #dropAnswer(id: string): Promise<void> {
    const decision = await this.decision(id);
    if (decision === undefined) return;
    const { decidedAt, approved } = decision;
    await writePrivateFile(this.#decisionFile(id), JSON.stringify({ decidedAt, approved }));
  }

  /** Read again only when the directory has changed, or so recently that its time might not tell. */
  #names(): readonly string[] {
    const changedMs = changeTimeOf(this.#directory);
    if (changedMs === undefined) return [];
    if (this.#listing?.changedMs !== changedMs || !this.#listing.isSettled) {
      const isSettled = Date.now() - changedMs > COARSEST_CLOCK_MS;
      this.#listing = { names: readdirSync(this.#directory), changedMs, isSettled };
    }
    return this.#listing.names;
  }

  async #read(names: readonly string[]): Promise<readonly ApprovalRecord[]> {
    const texts = await Promise.all(
      names.map((name) => readFile(join(this.#directory, name), "utf8").catch(ifMissing(""))),
    );
    return texts.map(parseRecord).filter((record) => record !== undefined);
  }

  async #sweep(names: readonly string[]): Promise<void> {
    const oldest = Date.now() - KEPT_MS;
    for (const name of names) {
      const file = join(this.#directory, name);
      const found = await stat(file).catch(ifMissing(undefined));
      if (found !== undefined && found.mtimeMs < oldest) await removePrivateFile(file);
    }
  }

  #pendingFile({ request }: ApprovalRecord): string {
    return join(this.#directory, `${callKey(request.callId)}.${checkedId(request.stepId)}${PENDING}`);
  }

  #decisionFile(id: string): string {
    return join(this.#directory, `${checkedId(id)}.decided.json`);
  }
}

const PENDING = ".pending.json";
const COARSEST_CLOCK_MS = 2_000;
const KEPT_MS = 7 * 24 * 60 * 60 * 1000;
const IS_ID = /^[A-Za-z0-9_-]{1,80}$/;

/** An id comes from outside when somebody decides; it must not be able to name another file. */
function checkedId(id: string): string {
  if (IS_ID.test(id)) return id;
  throw new TypeError("not the id of an approval");
}

function callKey(callId: string): string {
  return createHash("sha256").update(callId).digest("hex").slice(0, 24);
}

/** Undefined when it is not there; the system's own way of asking takes a file above it for a failure. */
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
