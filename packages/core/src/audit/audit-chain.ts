import { cutAfter, type Steps } from "@haft/text";
import { canonicalJson } from "../approval/canonical-json.js";
import { sha256 } from "../memory/sha256.js";
import { Pace } from "../runtime/pace.js";
import type { AuditEntry, AuditHead, AuditRecord, AuditVerdict } from "./audit-store.js";

/** Adds an entry to a chain. `hash` is a faster SHA-256, where the host has one. */
export function chainRecord(
  entry: AuditEntry,
  head: AuditHead | undefined,
  hash?: (bytes: Uint8Array) => string,
): AuditRecord {
  const unsigned = { ...entry, v: 1 as const, seq: (head?.seq ?? 0) + 1, previous: head?.hash ?? "" };
  return { ...unsigned, hash: digestOf(unsigned, hash) };
}

/**
 * Checks that every record is unchanged and follows the one before, and that none is missing up to the head. A chain
 * longer than its head is intact: a crash can occur between the two writes.
 */
export function verifyChain(records: readonly AuditRecord[], head: AuditHead | undefined): AuditVerdict {
  const found = (at: number, problem: string): AuditVerdict => ({
    intact: false,
    records: records.length,
    at,
    problem,
  });
  let previous: AuditHead = { seq: 0, hash: "" };
  for (const record of records) {
    const { seq, hash } = record;
    if (seq !== previous.seq + 1) return found(previous.seq + 1, `record ${previous.seq + 1} is missing`);
    if (record.previous !== previous.hash)
      return found(seq, `record ${seq} does not follow record ${seq - 1}`);
    if (hashOf(record) !== hash) return found(seq, `record ${seq} was changed`);
    if (head?.seq === seq && head.hash !== hash) return found(seq, `record ${seq} was replaced`);
    previous = record;
  }
  const next = previous.seq + 1;
  if (head?.seq === next) return found(next, `record ${next} was cut off`);
  if (head !== undefined && head.seq > next)
    return found(next, `records ${next} to ${head.seq} were cut off`);
  return { intact: true, records: records.length };
}

/** Parses a stored record. Returns undefined for text that is not a record: a crash tore it, or somebody changed it. */
export function parseAuditRecord(text: string): AuditRecord | undefined {
  try {
    const value = JSON.parse(text) as Partial<AuditRecord> | null;
    const isRecord =
      Number.isSafeInteger(value?.seq) &&
      (value?.seq ?? -1) >= 0 &&
      typeof value?.hash === "string" &&
      typeof value.previous === "string";
    return isRecord ? (value as AuditRecord) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the SHA-256 of a value as canonical JSON. */
export function digestOf(value: unknown, hash: (bytes: Uint8Array) => string = sha256): string {
  return hash(new TextEncoder().encode(canonicalJson(value)));
}

/** Like `digestOf`, for large values: in steps, and with Web Crypto, where available, on another thread. */
export async function digestInBackground(value: unknown): Promise<string> {
  const text = canonicalJson(value);
  const { subtle } = globalThis.crypto ?? {};
  if (text.length < LARGE_CHARS || subtle === undefined) return sha256(new TextEncoder().encode(text));
  const bytes = await new Pace().run(utf8Steps(text));
  const digest = new Uint8Array(await subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Encodes a piece at a time: a diff of 40 MB would block the thread for a third of a second. */
function* utf8Steps(text: string): Steps<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  // One UTF-16 unit takes at most three bytes.
  const bytes = new Uint8Array(text.length * 3);
  let length = 0;
  for (let from = 0; from < text.length; ) {
    const to = cutAfter(text, Math.min(from + PIECE_CHARS, text.length));
    length += encoder.encodeInto(text.slice(from, to), bytes.subarray(length)).written;
    from = to;
    yield;
  }
  return bytes.subarray(0, length);
}

const LARGE_CHARS = 64 * 1024;
const PIECE_CHARS = 1024 * 1024;

function hashOf({ hash: _, ...unsigned }: AuditRecord): string {
  return digestOf(unsigned);
}
