import { looksBinary } from "@haft/text";

/** What a body is good for. */
export type ContentKind = "html" | "json" | "text" | "image" | "binary";

/** By the declared type; where that says nothing, by the bytes. */
export function contentKind(contentType: string, body: Uint8Array): ContentKind {
  const type = mimeTypeOf(contentType);
  if (type === "text/html" || type === "application/xhtml+xml") return "html";
  if (type === "application/json" || type.endsWith("+json")) return "json";
  if (type.startsWith("text/") || type.endsWith("+xml") || TEXTUAL.has(type)) return "text";
  if (ATTACHABLE.has(type)) return "image";
  if (looksBinary(body) || IS_BINARY.test(type)) return "binary";
  return type === "" && looksLikeHtml(body) ? "html" : "text";
}

/** The type without its parameters, in lower case. */
export function mimeTypeOf(contentType: string): string {
  return (contentType.split(";", 1)[0] ?? "").trim().toLowerCase();
}

/** What the providers of models take. */
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
