import { nodeSha256 } from "./node-sha256.js";

/**
 * Encodes an external id so that PostgreSQL can store and index it. Its text type rejects NUL and lone surrogates,
 * and its indexes take no long values.
 */
export function keyText(id: string): string {
  if (id.length > MAX_CHARS) return `sha256:${nodeSha256(JSON.stringify(id))}`;
  const isPlain = isWellFormed(id) && !id.includes("\0") && !/^(?:json|sha256):/.test(id);
  return isPlain ? id : `json:${JSON.stringify(id)}`;
}

/** Returns the external id of a key, unless it is only a hash. */
export function idOfKey(key: string): string | undefined {
  if (key.startsWith("sha256:")) return undefined;
  return key.startsWith("json:") ? (JSON.parse(key.slice("json:".length)) as string) : key;
}

function isWellFormed(text: string): boolean {
  return !/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(text);
}

const MAX_CHARS = 400;
