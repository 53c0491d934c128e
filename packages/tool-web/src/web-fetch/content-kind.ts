import { looksBinary } from "@haft/text";

export type ContentKind = "html" | "json" | "text" | "image" | "binary";

/** Uses the declared type, or the bytes if it says nothing. */
export function contentKind(contentType: string, body: Uint8Array): ContentKind {
  const type = mimeTypeOf(contentType);
  if (type === "text/html" || type === "application/xhtml+xml") return "html";
  if (type === "application/json" || type.endsWith("+json")) return "json";
  if (type.startsWith("text/") || type.endsWith("+xml") || TEXTUAL.has(type)) return "text";
  if (ATTACHABLE.has(type)) return "image";
  if (looksBinary(body) || IS_BINARY.test(type)) return "binary";
  return type === "" && looksLikeHtml(body) ? "html" : "text";
}

/** Returns the type in lower case, without parameters. */
export function mimeTypeOf(contentType: string): string {
  return (contentType.split(";", 1)[0] ?? "").trim().toLowerCase();
}

/** Image types that model providers accept. */
const ATTACHABLE = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

const TEXTUAL = new Set(
  "xml javascript ecmascript x-javascript x-www-form-urlencoded yaml x-yaml toml x-sh sql graphql x-ndjson rtf"
    .split(" ")
    .map((name) => `application/${name}`),
);

const IS_BINARY = /^(?:image|audio|video|font)\/|^application\/(?:pdf|zip|gzip|wasm)$/;

function looksLikeHtml(body: Uint8Array): boolean {
  const start = String.fromCharCode(...body.subarray(0, 256));
  return /^\s*(?:<!doctype html|<html|<head|<body)/i.test(start);
}
