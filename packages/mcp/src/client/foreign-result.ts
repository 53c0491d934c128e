import { ToolError } from "@haft/core";
import { renderForHuman, renderInline, type ShapeRedactor, untrusted } from "@haft/text";
import type { CallToolResult } from "@modelcontextprotocol/client";
import { isRecord } from "../call/plain-call.js";
import type { ForeignCallContext } from "./call-foreign-tool.js";

/** Converts a response of another server into bounded text, and attaches its images. */
export function foreignResult(
  { content = [], structuredContent, isError }: CallToolResult,
  { source, redact }: { readonly source: string; readonly redact: ShapeRedactor },
  { attach, warn }: Pick<ForeignCallContext, "attach" | "warn">,
): { readonly text: string } {
  const texts: string[] = [];
  for (const block of content.slice(0, MAX_BLOCKS)) {
    const text = textOf(block);
    if (text !== undefined) texts.push(text);
    else if (isImage(block)) {
      if (!attach({ type: "image", mimeType: block.mimeType, data: block.data }))
        warn("an image was dropped");
    } else warn(`part of the response was dropped: ${renderInline(String(block.type), { maxChars: 40 })}`);
  }
  if (content.length > MAX_BLOCKS) warn(`${content.length - MAX_BLOCKS} parts of the response were dropped`);
  const received = texts.join("\n") || jsonOf(structuredContent, warn);
  const text = redact(received.slice(0, MAX_CHARS));
  if (isError === true) throw failed(text, source);
  return { text };
}

const MAX_BLOCKS = 100;
const MAX_CHARS = 1_000_000;
const MAX_IMAGE_CHARS = 8 * 1024 * 1024;

/** Checks the fields, because a block's type guarantees nothing. */
function textOf(block: unknown): string | undefined {
  const { type, resource, text } = block as Readonly<Record<string, unknown>>;
  if (type === "text" && typeof text === "string") return text;
  const embedded = type === "resource" && isRecord(resource) ? resource.text : undefined;
  return typeof embedded === "string" ? embedded : undefined;
}

/** JSON.stringify fails for a value that is nested a few thousand levels deep, which JSON.parse accepts. */
function jsonOf(value: unknown, warn: (message: string) => void): string {
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    warn("the structured response was dropped: it is nested too deeply");
    return "";
  }
}

function isImage(block: unknown): block is { readonly mimeType: string; readonly data: string } {
  const { type, mimeType, data } = block as Readonly<Record<string, unknown>>;
  if (type !== "image" || typeof mimeType !== "string" || typeof data !== "string") return false;
  return /^image\/(png|jpeg|gif|webp)$/.test(mimeType) && data.length <= MAX_IMAGE_CHARS;
}

function failed(text: string, source: string): ToolError {
  const message = renderForHuman(text, { maxChars: 2_000 }).trim();
  if (message === "")
    return new ToolError("MCP_TOOL_ERROR", "The server returned an error without a message");
  return new ToolError("MCP_TOOL_ERROR", `The server returned an error:\n${untrusted(source, message)}`);
}
