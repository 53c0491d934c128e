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
import type { ByteRange } from "@haft/core";

/** A regular file that is open for reading. Whoever holds it closes it. */
export class OpenFile {
  readonly path: string;
  readonly stats: BigIntStats;
  readonly #descriptor: number;

  /** Opens without following a link and without ever waiting; the caller checks what it got. */
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

  /** Where the file is now, or undefined where the system does not tell. */
  location(): string | undefined {
    return process.platform === "linux" ? readlinkSync(this.procPath) : undefined;
  }

  /** The file by its descriptor, for system calls that only take a path. */
  get procPath(): string {
    return `/proc/self/fd/${this.#descriptor}`;
  }

  /** The bytes of a range, fewer when the file ends before. Small files are read on the spot. */
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

  /** The whole, for whoever cannot wait: of a small file only, as nothing else happens meanwhile. */
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

  /** The same as `read` in chunks, each its own memory. */
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

  /** The same, each only good until the next is asked for. */
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

/** Not zeroed, as all of it that is given out is read from the file; and no Buffer, whose slices are not copies. */
function unfilled(length: number): Uint8Array {
  return new Uint8Array(Buffer.allocUnsafeSlow(length).buffer);
}

function bounds({ start = 0, end }: ByteRange, size: number): { start: number; end: number } {
  const first = Math.min(Math.max(0, Math.trunc(start)), size);
  const last = Math.min(Math.max(first, Math.trunc(end ?? size)), size);
  return { start: first, end: last };
}
