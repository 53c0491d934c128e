import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  openSync,
  read,
  readlinkSync,
  readSync,
} from "node:fs";
import { promisify } from "node:util";
import type { ByteRange } from "@haft/core/workspace";

/** A regular file open for reading. The caller closes it. */
export class OpenFile {
  readonly path: string;
  readonly stats: BigIntStats;
  readonly #descriptor: number;

  /** Opens without following a link and without blocking. The caller checks the result. */
  constructor(path: string, place: string | Buffer) {
    this.path = path;
    this.#descriptor = openSync(place, READ_FLAGS);
    try {
      this.stats = fstatSync(this.#descriptor, { bigint: true });
    } catch (thrown) {
      this.close();
      throw thrown;
    }
  }

  get size(): number {
    return Number(this.stats.size);
  }

  /** Returns the current path of the file, or undefined if the system does not report it. */
  location(): string | undefined {
    return process.platform === "linux" ? readlinkSync(this.procPath) : undefined;
  }

  /** A path to the descriptor, for system calls that only take a path. */
  get procPath(): string {
    return `/proc/self/fd/${this.#descriptor}`;
  }

  /** Returns the bytes of a range, fewer if the file ends earlier. Reads small files synchronously. */
  async read(range: ByteRange = {}): Promise<Uint8Array> {
    const { start, end } = bounds(range, this.size);
    const bytes = unfilled(end - start);
    let filled = 0;
    while (filled < bytes.length) {
      const count = await this.#fill(bytes, filled, start + filled);
      if (count === 0) return bytes.slice(0, filled);
      filled += count;
    }
    return bytes;
  }

  /** Reads the whole file synchronously. For small files only, because it blocks the event loop. */
  readAtOnce(): Uint8Array {
    const bytes = unfilled(this.size);
    let filled = 0;
    while (filled < bytes.length) {
      const count = readSync(this.#descriptor, bytes, filled, bytes.length - filled, filled);
      if (count === 0) return bytes.slice(0, filled);
      filled += count;
    }
    return bytes;
  }

  /** Like `read`, but in chunks with separate memory. */
  async *chunks(range: ByteRange = {}): AsyncGenerator<Uint8Array> {
    const { start, end } = bounds(range, this.size);
    for (let position = start; position < end; ) {
      const chunk = new Uint8Array(Math.min(CHUNK_BYTES, end - position));
      const { bytesRead } = await readAsync(this.#descriptor, chunk, 0, chunk.length, position);
      if (bytesRead === 0) return;
      yield bytesRead === chunk.length ? chunk : chunk.slice(0, bytesRead);
      position += bytesRead;
    }
  }

  /** Like `chunks`, but each chunk is only valid until the next is requested. */
  async *passingChunks(range: ByteRange = {}): AsyncGenerator<Uint8Array> {
    const { start, end } = bounds(range, this.size);
    const chunk = new Uint8Array(Math.min(CHUNK_BYTES, end - start));
    for (let position = start; position < end; ) {
      const length = Math.min(chunk.length, end - position);
      const { bytesRead } = await readAsync(this.#descriptor, chunk, 0, length, position);
      if (bytesRead === 0) return;
      yield chunk.subarray(0, bytesRead);
      position += bytesRead;
    }
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  async #fill(bytes: Uint8Array, offset: number, position: number): Promise<number> {
    const length = bytes.length - offset;
    if (length <= ON_THE_SPOT_BYTES) return readSync(this.#descriptor, bytes, offset, length, position);
    return (await readAsync(this.#descriptor, bytes, offset, length, position)).bytesRead;
  }
}

const readAsync = promisify(read);
const READ_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY;
const CHUNK_BYTES = 256 * 1024;
// A trip through the thread pool costs more than reading this much from the page cache.
const ON_THE_SPOT_BYTES = 128 * 1024;

/** Not zeroed, since all bytes are overwritten; not a Buffer, whose slices share memory. */
function unfilled(length: number): Uint8Array {
  return new Uint8Array(Buffer.allocUnsafeSlow(length).buffer);
}

function bounds({ start = 0, end }: ByteRange, size: number): { start: number; end: number } {
  const first = Math.min(Math.max(0, Math.trunc(start)), size);
  const last = Math.min(Math.max(first, Math.trunc(end ?? size)), size);
  return { start: first, end: last };
}
