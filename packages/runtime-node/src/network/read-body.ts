import { pipeline, type Readable, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { ToolError } from "@haft/core";

export interface ReadBody {
  readonly bytes: Uint8Array;
  readonly truncated: boolean;
}

/**
 * The body without its content encoding. What counts against the limit is what comes out, so a small
 * body that unpacks to gigabytes costs no more than the limit.
 */
export async function readBody(body: Readable, contentEncoding: string, maxBytes: number): Promise<ReadBody> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of unpacked(body, contentEncoding) as AsyncIterable<Uint8Array>) {
    const room = maxBytes - size;
    chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk);
    size += Math.min(chunk.length, room);
    if (chunk.length > room) return { bytes: joined(chunks, size), truncated: true };
  }
  return { bytes: joined(chunks, size), truncated: false };
}

function unpacked(body: Readable, contentEncoding: string): Readable {
  const encodings = contentEncoding
    .toLowerCase()
    .split(",")
    .map((encoding) => encoding.trim())
    .filter((encoding) => encoding !== "" && encoding !== "identity");
  if (encodings.length > MAX_LAYERS) {
    throw new ToolError("NETWORK_ERROR", `The answer is packed ${encodings.length} times over`);
  }
  const layers = encodings.reverse().map(openLayer);
  // A failure of any layer reaches whoever reads the last one.
  return layers.reduce<Readable>((source, layer) => pipeline(source, layer, () => {}), body);
}

const MAX_LAYERS = 2;

function openLayer(encoding: string): Transform {
  const open = LAYERS.get(encoding);
  if (open !== undefined) return open();
  throw new ToolError("NETWORK_ERROR", `The answer is packed as ${JSON.stringify(encoding.slice(0, 40))}`, {
    hint: "Only gzip, deflate and br are understood.",
  });
}

const LAYERS = new Map<string, () => Transform>([
  ["gzip", () => createGunzip()],
  ["x-gzip", () => createGunzip()],
  ["deflate", () => createInflate()],
  ["br", () => createBrotliDecompress()],
]);

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
