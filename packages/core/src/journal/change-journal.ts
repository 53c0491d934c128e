import type { ChangeJournalStore, JournalPosition } from "./change-journal-store.js";
import type { BeginLine, ChangeRecord, JournalLine } from "./change-record.js";

/**
 * The journal of file changes: a fold over the lines of its store. Lines are appended only under the workspace lock.
 */
export class ChangeJournal {
  readonly #store: ChangeJournalStore<JournalLine>;
  #known: Known = nothingKnown();
  #position: JournalPosition | undefined;

  constructor(store: ChangeJournalStore<JournalLine>) {
    this.#store = store;
  }

  /** Newest last. */
  records(): readonly JournalRecord[] {
    return [...this.#known.records.values()];
  }

  find(callId: string): JournalRecord | undefined {
    return this.records().findLast((record) => record.callId === callId);
  }

  /** Returns true if a call's changes were applied, even if they were undone later. */
  isCommitted(callId: string): boolean {
    return this.#known.committed.has(callId);
  }

  get nextSeq(): number {
    return this.#known.lastSeq + 1;
  }

  /** Returns content that a change replaced, where the journal keeps it itself. */
  async content(key: string): Promise<string | undefined> {
    const { lines } = await this.#store.read();
    const found = lines.findLast((line) => line.type === "content" && line.key === key);
    return found?.type === "content" ? found.base64 : undefined;
  }

  /** Reads the lines that other processes appended, or all lines after the journal was replaced. */
  async refresh(): Promise<void> {
    const { lines, position, isWhole } = await this.#store.read(this.#position);
    if (isWhole) this.#known = nothingKnown();
    this.#position = position;
    for (const line of lines) learn(this.#known, line);
  }

  /** Adds a line. Durable lines survive a power cut, the others a crash of the process. */
  async append(line: JournalLine, options: { readonly durable?: boolean } = {}): Promise<void> {
    await this.#store.append(line, options);
    await this.refresh();
  }

  /** Forgets all other lines. */
  async replace(lines: readonly JournalLine[]): Promise<void> {
    await this.#store.replace(lines);
    await this.refresh();
  }
}

/** A record with the fields that only the journal uses. */
export interface JournalRecord extends ChangeRecord {
  readonly owner: { readonly pid: number; readonly startTime: string };
  readonly storedBytes: number;
  /** How many changes of an unfinished record are known to be on disk. */
  readonly appliedCount: number;
}

interface Known {
  lastSeq: number;
  readonly records: Map<number, JournalRecord>;
  readonly committed: Set<string>;
}

function nothingKnown(): Known {
  return { lastSeq: 0, records: new Map(), committed: new Set() };
}

function learn(known: Known, line: JournalLine): void {
  known.lastSeq = Math.max(known.lastSeq, line.seq);
  if (line.type === "begin") {
    known.records.set(line.seq, recordOf(line));
    return;
  }
  const record = known.records.get(line.seq);
  if (record === undefined || line.type === "content") return;
  known.records.set(line.seq, { ...record, ...changedBy(record, line) });
  if (line.type !== "done") return;
  known.committed.add(record.callId);
  if (record.undoes !== undefined) markUndone(known, record.undoes);
}

/** The "undone" line follows the undo's own lines, so a process can be killed between the two. */
function markUndone({ records }: Known, callId: string): void {
  const undone = [...records.values()].findLast(
    (record) => record.callId === callId && record.state === "done",
  );
  if (undone !== undefined) records.set(undone.seq, { ...undone, state: "undone" });
}

function recordOf({ type: _, pid = 0, startTime = "", ...begun }: BeginLine): JournalRecord {
  return { ...begun, state: "unfinished", owner: { pid, startTime }, storedBytes: 0, appliedCount: 0 };
}

function changedBy(
  record: JournalRecord,
  line: Exclude<JournalLine, BeginLine | { type: "content" }>,
): Partial<JournalRecord> {
  if (line.type === "applied") return { appliedCount: line.index + 1 };
  if (line.type !== "done") return { state: line.type };
  const { storedBytes, hashes = {} } = line;
  const changes = record.changes.map((change, index) => {
    const afterHash = hashes[index];
    return afterHash === undefined ? change : { ...change, afterHash };
  });
  return { state: "done", storedBytes, changes };
}
