import { ToolError } from "@haft/core";

/** Bytes as base64, without a dependency on any platform. */
export function toBase64(bytes: Uint8Array): string {
  const parts: string[] = [];
  // A multiple of three, so that no part but the last is padded.
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES)
    parts.push(btoa(String.fromCharCode(...bytes.subarray(start, start + CHUNK_BYTES))));
  return parts.join("");
}

/** Strict: anything that is not base64 is INVALID_ARGUMENTS, so that no garbage is ever written. */
export function fromBase64(text: string, parameter: string): Uint8Array {
  const compact = text.replace(/[\r\n\t ]+/g, "");
  if (!BASE64.test(compact) || compact.length % 4 === 1) throw notBase64(parameter);
  const binary = atob(compact);
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index += 1) bytes[index] = binary.charCodeAt(index);
  return bytes;
}

const CHUNK_BYTES = 3 * 4096;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

function notBase64(parameter: string): ToolError {
  return new ToolError("INVALID_ARGUMENTS", `${parameter} is not base64`, {
    hint: 'With encoding "base64" the content must be the bytes in base64. Leave encoding out to write text.',
  });
}
