/** One message: a JSON header and raw bytes. */
interface Frame {
  readonly header: unknown;
  readonly body: Buffer;
}

export function encodeFrame(header: unknown, body: Uint8Array = EMPTY): Buffer {
  const text = Buffer.from(JSON.stringify(header));
  const lengths = Buffer.alloc(LENGTHS);
  lengths.writeUInt32BE(text.length, 0);
  lengths.writeUInt32BE(body.length, 4);
  return Buffer.concat([lengths, text, body]);
}

/** Splits a stream of chunks into frames. Throws on a frame larger than any answer may be. */
export class FrameReader {
  #chunks: Buffer[] = [];
  #length = 0;

  push(chunk: Buffer): readonly Frame[] {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    const frames: Frame[] = [];
    for (let frame = this.#next(); frame !== undefined; frame = this.#next()) frames.push(frame);
    return frames;
  }

  #next(): Frame | undefined {
    if (this.#length < LENGTHS) return undefined;
    const head = this.#peek(LENGTHS);
    const headerLength = head.readUInt32BE(0);
    const bodyLength = head.readUInt32BE(4);
    if (headerLength > MAX_HEADER_BYTES || bodyLength > MAX_BODY_BYTES)
      throw new Error(`the remote program sent a frame of ${headerLength} + ${bodyLength} bytes`);
    const whole = LENGTHS + headerLength + bodyLength;
    if (this.#length < whole) return undefined;
    const joined = this.#peek(whole);
    this.#chunks = [joined.subarray(whole)];
    this.#length -= whole;
    const header: unknown = JSON.parse(joined.toString("utf8", LENGTHS, LENGTHS + headerLength));
    return { header, body: joined.subarray(LENGTHS + headerLength, whole) };
  }

  /** Joins the chunks only once enough of them have arrived. */
  #peek(count: number): Buffer {
    const [first] = this.#chunks;
    if (first !== undefined && first.length >= count) return first;
    const joined = Buffer.concat(this.#chunks, this.#length);
    this.#chunks = [joined];
    return joined;
  }
}

const EMPTY = new Uint8Array();
const LENGTHS = 8;
const MAX_HEADER_BYTES = 64 * 1024 * 1024;
const MAX_BODY_BYTES = 256 * 1024 * 1024;
