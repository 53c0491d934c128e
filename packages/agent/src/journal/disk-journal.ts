import type { DurableEvent } from "../event/run-event.js";
import { journalLine, parseJournal } from "./journal-lines.js";
import type { AppendOptions, RunJournal } from "./run-journal.js";

/** The file behind a journal. All of it may throw. */
export interface JournalDisk {
  read(): Uint8Array;
  truncate(size: number): void;
  append(bytes: Uint8Array): void;
  /** Returns when all that was appended survives a power cut. */
  sync(): void;
  close(): void;
}

/** A journal of lines on a disk; what a crash tore at its end is cut off when it is opened. */
export class DiskJournal implements RunJournal {
  readonly runId: string;
  readonly events: readonly DurableEvent[];
  readonly #disk: JournalDisk;
  #size: number;
  #broken: { readonly cause: unknown } | undefined;
  #isClosed = false;

  constructor(runId: string, disk: JournalDisk) {
    this.runId = runId;
    this.#disk = disk;
    const bytes = disk.read();
    const { events, size } = parseJournal(bytes);
    if (events[0] !== undefined && events[0].runId !== runId)
      throw new Error(`the journal is of run ${events[0].runId}, not of ${runId}`);
    this.events = events;
    this.#size = size;
    if (size === bytes.length) return;
    disk.truncate(size);
    disk.sync();
  }

  append(event: DurableEvent, { durable = true }: AppendOptions = {}): void {
    if (this.#isClosed) throw new Error("the journal is closed");
    // After a failure nobody knows what is on the disk, so nothing more goes there.
    if (this.#broken !== undefined) throw this.#broken.cause;
    const line = journalLine(event);
    try {
      this.#disk.append(line);
      if (durable) this.#disk.sync();
      this.#size += line.length;
    } catch (cause) {
      this.#broken = { cause };
      this.#takeBack();
      throw cause;
    }
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#disk.close();
  }

  /** Half a line is cut off at the next opening; a whole one that was refused would count then. */
  #takeBack(): void {
    try {
      this.#disk.truncate(this.#size);
    } catch {
      // The cause that made the journal fail is what its caller hears.
    }
  }
}
