import type { Duplex } from "node:stream";
import { deserialize, serialize } from "node:v8";

interface ChannelListener {
  hear(message: unknown): void;
  /** The pack has written something else. The channel is closed. */
  onGarbage(): void;
  onClose(): void;
}

/**
 * Messages to and from the process of a contained pack, over descriptor 3 of that process. Node's own channel would not
 * do: if a pack writes other bytes to its descriptor, Node throws an error here that nothing can catch.
 */
export class PackChannel {
  readonly #stream: ChannelStream;
  #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(stream: ChannelStream, { hear, onGarbage, onClose }: ChannelListener) {
    this.#stream = stream;
    stream.on("data", (chunk: Buffer) => {
      this.#chunks.push(chunk);
      this.#bytes += chunk.length;
      try {
        for (const message of this.#messages()) hear(message);
      } catch {
        this.close();
        onGarbage();
      }
    });
    // The process has ended; "close" follows.
    stream.on("error", () => {});
    stream.once("close", onClose);
  }

  get isOpen(): boolean {
    return !this.#stream.destroyed;
  }

  /** Throws if the message cannot be cloned. A closed channel ignores it. */
  send(message: object): void {
    const body = serialize(message);
    const header = Buffer.alloc(HEADER_BYTES);
    header.writeUInt32LE(MARK);
    header.writeUInt32LE(body.length, MARK_BYTES);
    if (!this.isOpen) return;
    this.#stream.write(header);
    this.#stream.write(body);
  }

  close(): void {
    this.#stream.destroy();
  }

  ref(): void {
    this.#stream.ref?.();
  }

  unref(): void {
    this.#stream.unref?.();
  }

  /** The messages that have arrived whole. */
  *#messages(): Generator<unknown> {
    while (this.isOpen && this.#bytes >= HEADER_BYTES) {
      const header = this.#start(HEADER_BYTES);
      const length = header.readUInt32LE(MARK_BYTES);
      if (header.readUInt32LE() !== MARK || length > MAX_BYTES) throw new Error("not a message");
      if (this.#bytes < HEADER_BYTES + length) return;
      const body = this.#start(HEADER_BYTES + length).subarray(HEADER_BYTES);
      this.#drop(HEADER_BYTES + length);
      yield deserialize(body);
    }
  }

  /** Joins chunks only where they are needed, so that a long message is copied once. */
  #start(length: number): Buffer {
    const [first] = this.#chunks as [Buffer];
    if (first.length >= length) return first.subarray(0, length);
    this.#chunks = [Buffer.concat(this.#chunks)];
    return this.#start(length);
  }

  #drop(length: number): void {
    const [first, ...others] = this.#chunks as [Buffer, ...Buffer[]];
    this.#chunks = first.length === length ? others : [first.subarray(length), ...others];
    this.#bytes -= length;
  }
}

type ChannelStream = Duplex & { ref?(): unknown; unref?(): unknown };

/** Begins every message, so that other bytes are noticed at once. */
export const MARK = 0x54464148;
const MARK_BYTES = 4;
const HEADER_BYTES = 8;
/** More than a result and the images of a call together. */
const MAX_BYTES = 256 * 1024 * 1024;
