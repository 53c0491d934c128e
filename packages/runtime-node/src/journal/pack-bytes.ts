import { promisify } from "node:util";
import zlib, { gunzip, gzip } from "node:zlib";

/** Favours speed over size. */
export function pack(bytes: Uint8Array): Promise<Buffer> {
  return promisify<Uint8Array, { level: number }, Buffer>(gzip)(bytes, {
    level: zlib.constants.Z_BEST_SPEED,
  });
}

export function unpack(packed: Uint8Array): Promise<Buffer> {
  return promisify<Uint8Array, Buffer>(gunzip)(packed);
}
