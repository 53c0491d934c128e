import { ToolError } from "../error/tool-error.js";
import type { CreateChange, FileChange, FileState, ModifyChange } from "./file-change.js";
import { recordChange } from "./record-change.js";
import { sizeOfParts, sizeOfState } from "./spliced-file.js";

/** The changes of one rehearsal in the order they must be applied, within a memory limit. */
export class RecordedChanges {
  readonly #maxHeldBytes: number;
  readonly #changes: FileChange[] = [];
  #heldBytes = 0;

  constructor(maxHeldBytes = DEFAULT_MAX_HELD_BYTES) {
    this.#maxHeldBytes = maxHeldBytes;
  }

  list(): readonly FileChange[] {
    return [...this.#changes];
  }

  add(change: FileChange): void {
    const last = this.#changes.at(-1);
    const room = this.#maxHeldBytes - this.#heldBytes + heldBytes(last);
    const tail = fitting(recordChange(last, change), room);
    const tailBytes = tail.reduce((sum, recorded) => sum + heldBytes(recorded), 0);
    if (tailBytes > room) throw tooMuch(this.#maxHeldBytes - room + tailBytes, this.#maxHeldBytes);
    this.#changes.splice(-1, 1, ...tail);
    this.#heldBytes += tailBytes - heldBytes(last);
  }
}

const DEFAULT_MAX_HELD_BYTES = 20 * 1024 * 1024;

/**
 * Drops previous content that exceeds the remaining memory: it is kept only for display, and the change then shows its
 * size instead. New content must fit.
 */
function fitting(changes: readonly FileChange[], room: number): readonly FileChange[] {
  const change = changes.at(-1);
  const isOver = changes.reduce((sum, recorded) => sum + heldBytes(recorded), 0) > room;
  if (!isOver || change === undefined || change.kind === "create") return changes;
  const { bytes: _shown, ...before } = change.before;
  if (change.kind !== "move") return [...changes.slice(0, -1), { ...change, before }];
  if (change.replaces === undefined) return [...changes.slice(0, -1), { ...change, before }];
  const { bytes: _lost, ...replaces } = change.replaces;
  return [...changes.slice(0, -1), { ...change, before, replaces }];
}

/** Returns the number of bytes that a change keeps in memory. */
function heldBytes(change: FileChange | undefined): number {
  if (change === undefined) return 0;
  const before = change.kind === "create" ? 0 : (change.before.bytes?.length ?? 0);
  const replaced = change.kind === "move" ? (change.replaces?.bytes?.length ?? 0) : 0;
  return before + replaced + (isOfFile(change) ? newBytes(change) : 0);
}

function isOfFile(change: FileChange): change is (CreateChange | ModifyChange) & { after: FileState } {
  return "after" in change && change.after.type === "file";
}

/** Content shared with the previous state is counted once. */
function newBytes(change: (CreateChange | ModifyChange) & { readonly after: FileState }): number {
  const { after } = change;
  const shared = change.kind === "modify" ? change.before.bytes?.buffer : undefined;
  if (after.parts === undefined || shared === undefined) return sizeOfState(after);
  return sizeOfParts(after.parts.filter(({ buffer }) => buffer !== shared));
}

function tooMuch(heldBytes: number, maxHeldBytes: number): ToolError {
  return new ToolError(
    "FILE_TOO_LARGE",
    `This call would change ${heldBytes} bytes at once; at most ${maxHeldBytes} are allowed`,
    { hint: "Change fewer or smaller files in one call." },
  );
}
