import { join } from "node:path";
import {
  type AuditEntry,
  type AuditRecord,
  type AuditStore,
  type AuditVerdict,
  chainRecord,
  isDecision,
  verifyChain,
} from "@haft/core/stores";
import { makeFolder } from "../journal/make-folder.js";
import { stateError } from "../journal/state-error.js";
import { WorkspaceLock } from "../journal/workspace-lock.js";
import { contentDigest } from "../workspace/content-hash.js";
import { AuditFile, newest } from "./audit-file.js";

interface FileAuditStoreOptions {
  /** The file that holds the end of the log once more, best outside its folder. Default: `anchors/audit.json` in it. */
  readonly anchor?: string;
}

/**
 * Stores decisions as JSON lines, in one hash chain for all processes. Two files hold its last sequence number and
 * hash: the head beside the log, and the anchor. A changed, cut or deleted log is therefore detected, and later records
 * leave a gap, so that the damage stays visible. A program that can write all three files can forge the log or delete
 * all of it.
 */
export class FileAuditStore implements AuditStore {
  readonly #directory: string;
  readonly #file: AuditFile;
  readonly #lock: WorkspaceLock;
  #last: Promise<unknown> = Promise.resolve();

  constructor(directory: string, { anchor }: FileAuditStoreOptions = {}) {
    this.#directory = directory;
    this.#file = new AuditFile(directory, anchor ?? join(directory, "anchors", "audit.json"));
    this.#lock = new WorkspaceLock(join(directory, "audit.lock"));
  }

  append(entry: AuditEntry): Promise<AuditRecord> {
    // Appends run one at a time within the process, so polling is needed only for other processes.
    const appended = this.#last.then(() => this.#append(entry));
    this.#last = appended.catch(() => {});
    return appended;
  }

  async list(afterSeq = 0): Promise<readonly AuditRecord[]> {
    return this.#file.read().records.filter(({ seq }) => seq > afterSeq);
  }

  async verify(): Promise<AuditVerdict> {
    const verdict = this.#verdict();
    return verdict.intact ? verdict : { ...verdict, remedy: remedyFor(this.#file.paths) };
  }

  #verdict(): AuditVerdict {
    const { records, ends, badLine } = this.#file.read();
    const verdict = verifyChain(records, newest(ends));
    if (!verdict.intact) return verdict;
    const found = (problem: string, at = records.length + 1) => ({ ...verdict, intact: false, at, problem });
    if (badLine !== undefined) return found(`line ${badLine} is not a record`);
    if (ends.length === 0 && records.length > 0) return found(HEAD_MISSING);
    // The chain is without gaps here, so the record with number N is the Nth.
    const replaced = ends.find(
      ({ seq, hash }) => seq > 0 && seq <= records.length && records[seq - 1]?.hash !== hash,
    );
    return replaced === undefined ? verdict : found(`record ${replaced.seq} was replaced`, replaced.seq);
  }

  async #append(entry: AuditEntry): Promise<AuditRecord> {
    try {
      makeFolder(this.#directory);
      return await this.#lock.hold(async () => {
        const record = chainRecord(entry, this.#file.head(), contentDigest);
        this.#file.append(record, { durable: isDecision(entry) && entry.decider.how !== "rule" });
        return record;
      });
    } catch (cause) {
      throw stateError(cause, "The decision could not be recorded in the audit log");
    }
  }
}

const HEAD_MISSING = "the head record is missing, so the newest records may have been cut off";

function remedyFor(paths: readonly string[]): string {
  return `Restore the log from a backup, or begin a new one by moving these files away: ${paths.join(", ")}`;
}
