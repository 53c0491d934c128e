import type { BoxKey } from "./box-key.js";
import type { CommandBox } from "./command-box.js";

/**
 * Keeps boxes ready for the next commands: a few of the latest kind and one of each earlier kind. A box's view shows
 * the workspace as it is when the command starts.
 */
export class PreparedBoxes {
  readonly #closing = new Set<Promise<void>>();
  /** By kind; the latest is last. */
  readonly #shelves = new Map<string, Shelf>();
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  readonly #freeTurns: () => number;

  constructor(freeTurns: () => number = () => MAX_READY) {
    this.#freeTurns = freeTurns;
  }

  /** Returns a box that is ready and still valid. Closes those that are not. */
  take(key: BoxKey): CommandBox | undefined {
    const box = this.#takeFrom(this.#shelves.get(key.kind), key);
    this.#makeRoom();
    return box;
  }

  #takeFrom(shelf: Shelf | undefined, { mounts }: BoxKey): CommandBox | undefined {
    if (shelf === undefined) return undefined;
    const useful = mounts === shelf.mounts ? shelf.boxes.filter(({ isWaiting }) => isWaiting) : [];
    for (const box of shelf.boxes) if (!useful.includes(box)) this.close(box);
    const [box, ...more] = useful;
    shelf.boxes = more;
    return box;
  }

  /** Prepares boxes after the current answer. If one cannot be created, the next command creates its own. */
  prepare({ kind, mounts }: BoxKey, open: () => Promise<CommandBox>): void {
    const shelf = this.#shelfFor(kind, mounts);
    this.#shelves.delete(kind);
    this.#shelves.set(kind, shelf);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#fill(kind, shelf, open), AFTER_ANSWER_MS);
    this.#timer.unref();
  }

  /** Closes a box in the background; no answer waits for it. */
  close(box: CommandBox): void {
    const closing = box.close().catch(() => {});
    this.#closing.add(closing);
    void closing.finally(() => this.#closing.delete(closing));
  }

  async dispose(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    for (const { boxes } of this.#shelves.values()) for (const box of boxes) this.close(box);
    this.#shelves.clear();
    await Promise.all(this.#closing);
  }

  #shelfFor(kind: string, mounts: string): Shelf {
    const shelf = this.#shelves.get(kind);
    if (shelf?.mounts === mounts) return shelf;
    for (const box of shelf?.boxes ?? []) this.close(box);
    return { mounts, boxes: [], isFilling: false };
  }

  async #fill(kind: string, shelf: Shelf, open: () => Promise<CommandBox>): Promise<void> {
    this.#tidy(kind);
    if (shelf.isFilling) return;
    const isWanted = () => !this.#isClosed && this.#shelves.get(kind) === shelf;
    shelf.isFilling = true;
    try {
      while (isWanted() && shelf.boxes.length < MAX_READY && this.#ready < this.#freeTurns()) {
        const box = await open();
        box.rest();
        if (!isWanted()) return this.close(box);
        shelf.boxes = [...shelf.boxes, box];
      }
    } catch {
      // The next command creates its own and reports the error.
    } finally {
      shelf.isFilling = false;
    }
  }

  get #ready(): number {
    return [...this.#shelves.values()].reduce((sum, { boxes }) => sum + boxes.length, 0);
  }

  /** Keeps running and prepared boxes within the limit; the oldest kinds go first. */
  #makeRoom(): void {
    for (const shelf of this.#shelves.values())
      while (shelf.boxes.length > 0 && this.#ready > this.#freeTurns()) {
        const [box, ...more] = shelf.boxes;
        shelf.boxes = more;
        if (box !== undefined) this.close(box);
      }
  }

  #tidy(current: string): void {
    const others = [...this.#shelves].filter(([kind]) => kind !== current).reverse();
    for (const [index, [kind, shelf]] of others.entries()) {
      const kept = index < MAX_OTHER_KINDS ? 1 : 0;
      for (const box of shelf.boxes.slice(kept)) this.close(box);
      shelf.boxes = shelf.boxes.slice(0, kept);
      if (kept === 0) this.#shelves.delete(kind);
    }
  }
}

interface Shelf {
  readonly mounts: string;
  boxes: readonly CommandBox[];
  isFilling: boolean;
}

const MAX_READY = 3;
const MAX_OTHER_KINDS = 2;
const AFTER_ANSWER_MS = 1;
