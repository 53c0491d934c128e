import { ToolError } from "@haft/core";

/** Decodes strictly: throws INVALID_ARGUMENTS for anything that is not base64, so that garbage is never written. */
export function fromBase64(text: string, parameter: string): Uint8Array {
  const compact = text.replace(/[\r\n\t ]+/g, "");
  const tail = compact.length % 4;
  const isComplete = compact.endsWith("=") ? tail === 0 : tail !== 1;
  if (!isComplete || !BASE64.test(compact)) throw notBase64(parameter);
  const binary = atob(compact);
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index += 1) bytes[index] = binary.charCodeAt(index);
  return bytes;
}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

function notBase64(parameter: string): ToolError {
  return new ToolError("INVALID_ARGUMENTS", `${parameter} is not base64`, {
    hint: 'With encoding "base64", content must be base64. Omit encoding to write text.',
  });
}
