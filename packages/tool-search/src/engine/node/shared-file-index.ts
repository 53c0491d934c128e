import { deviceOfFiles, FILE_SETTLED_MS } from "./kept-times.js";

/** Plain data that can be sent to a worker: all threads of an engine share one index. */
export interface SharedFileIndex {
  readonly memory: SharedArrayBuffer;
  readonly device: number;
  readonly settledMs: number;
}

/** Returns undefined on file systems that do not maintain file times; files are then read each time. */
export function shareFileIndex(root: string, settledMs = FILE_SETTLED_MS): SharedFileIndex | undefined {
  const device = deviceOfFiles(root);
  if (device === undefined) return undefined;
  // Pages that are never written use no memory: a small tree has a small index.
  return { memory: new SharedArrayBuffer(MEMORY_BYTES), device, settledMs };
}

// The counters, a table from paths to records, the records, which are immutable once the table points to them, and
// texts.
export const COUNTER = {
  top: 0,
  slots: 1,
  records: 2,
  found: 3,
  refused: 4,
  spoiltBytes: 5,
  textTop: 6,
  spoiltText: 7,
  moment: 8,
  recordRoom: 9,
} as const;
export const TABLE = 16;
export const SLOTS = 1 << 17;
export const FIRST_RECORD = TABLE * 4 + SLOTS * 8;
/** Records fill this room from the start, texts from the end. */
export const ROOM = 64 * 1024 * 1024;
const MEMORY_BYTES = FIRST_RECORD + ROOM;

/** The bytes of the room that are for records; the rest is for texts. A tree of unknown size may be large. */
export function recordRoomFor(files: number | undefined): number {
  const wanted = files === undefined ? MAX_RECORDS : files * RECORD_BYTES;
  return Math.max(MIN_RECORDS, Math.min(wanted, MAX_RECORDS));
}

const MIN_RECORDS = 14 * 1024 * 1024;
const MAX_RECORDS = 36 * 1024 * 1024;
/** Most take less than half of it. */
const RECORD_BYTES = 3 * 1024;
