import { promisify } from "node:util";
import { constants, gunzip, gzip } from "node:zlib";

/** Quickly rather than tightly. */
export function pack(bytes: Uint8Array): Promise<Buffer> {
  return promisify<Uint8Array, { level: number }, Buffer>(gzip)(bytes, { level: constants.Z_BEST_SPEED });
}

export function unpack(packed: Uint8Array): Promise<Buffer> {
  return promisify<Uint8Array, Buffer>(gunzip)(packed);
}
