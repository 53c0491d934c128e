import { pipeline, type Readable, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { ToolError } from "@haft/core";

interface ReadBody {
  readonly bytes: Uint8Array;
  readonly truncated: boolean;
}

/**
 * Reads the body without its content encoding. The limit applies to the decompressed size, so a small body that
 * expands to gigabytes costs no more than the limit.
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
    throw new ToolError("NETWORK_ERROR", `The response has ${encodings.length} content encodings`);
  }
  const layers = encodings.reverse().map(openLayer);
  // An error in any layer propagates to the reader of the last one.
  return layers.reduce<Readable>((source, layer) => pipeline(source, layer, () => {}), body);
}

const MAX_LAYERS = 2;

function openLayer(encoding: string): Transform {
  const open = LAYERS.get(encoding);
  if (open !== undefined) return open();
  throw new ToolError(
    "NETWORK_ERROR",
    `The response has the unsupported content encoding ${JSON.stringify(encoding.slice(0, 40))}`,
    {
      hint: "Only gzip, deflate and br are supported.",
    },
  );
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
