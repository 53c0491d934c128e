import type { AppendOptions } from "@haft/core/stores";
import type { DurableEvent } from "../event/run-event.js";
import { journalLine, parseJournal } from "./journal-lines.js";
import type { RunJournal } from "./run-journal.js";

/** The file behind a journal. Every method may throw. */
export interface JournalDisk {
  read(): Uint8Array;
  truncate(size: number): void;
  append(bytes: Uint8Array): void;
  /** Returns once all appended bytes survive a power failure. */
  sync(): void;
  close(): void;
}

/** A journal of JSON lines on disk. Opening it truncates a line torn by a crash. */
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
      throw new Error(`the journal belongs to run ${events[0].runId}, not ${runId}`);
    this.events = events;
    this.#size = size;
    if (size === bytes.length) return;
    disk.truncate(size);
    disk.sync();
  }

  append(event: DurableEvent, { durable = true }: AppendOptions = {}): void {
    if (this.#isClosed) throw new Error("the journal is closed");
    // After a failure the content of the disk is unknown, so nothing more is written.
    if (this.#broken !== undefined) throw this.#broken.cause;
    const line = journalLine(event);
    try {
      this.#disk.append(line);
      if (durable) this.#disk.sync();
      this.#size += line.length;
    } catch (cause) {
      this.#broken = { cause };
      this.#truncate();
      throw cause;
    }
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#disk.close();
  }

  /** Removes a rejected line, which would count as valid if it was written completely. */
  #truncate(): void {
    try {
      this.#disk.truncate(this.#size);
    } catch {
      // The caller receives the error that broke the journal.
    }
  }
}
