import { ToolError } from "@haft/core";
import { redactShapes, renderForHuman, renderInline, untrusted } from "@haft/text";
import type { CallToolResult } from "@modelcontextprotocol/client";
import type { CallSetting } from "./call-foreign-tool.js";
import { isRecord } from "./wire-shapes.js";

/** What another server answered, as text of a size that can be shown; its images beside it. */
export function foreignResult(
  { content = [], structuredContent, isError }: CallToolResult,
  source: string,
  { attach, warn }: Pick<CallSetting, "attach" | "warn">,
): { readonly text: string } {
  const texts: string[] = [];
  for (const block of content.slice(0, MAX_BLOCKS)) {
    const text = textOf(block);
    if (text !== undefined) texts.push(text);
    else if (isImage(block)) {
      if (!attach({ type: "image", mimeType: block.mimeType, data: block.data }))
        warn("an image was left out");
    } else warn(`a part of the answer was left out: ${renderInline(String(block.type), { maxChars: 40 })}`);
  }
  if (content.length > MAX_BLOCKS) warn(`${content.length - MAX_BLOCKS} parts of the answer were left out`);
  const said = texts.join("\n") || JSON.stringify(structuredContent) || "";
  const text = redactShapes(said.slice(0, MAX_CHARS));
  if (isError === true) throw failed(text, source);
  return { text };
}

const MAX_BLOCKS = 100;
const MAX_CHARS = 1_000_000;
const MAX_IMAGE_CHARS = 8 * 1024 * 1024;

/** A block says what it is; nothing proves that it has what such a block has. */
function textOf(block: unknown): string | undefined {
  const { type, resource, text } = block as Readonly<Record<string, unknown>>;
  if (type === "text" && typeof text === "string") return text;
  const embedded = type === "resource" && isRecord(resource) ? resource.text : undefined;
  return typeof embedded === "string" ? embedded : undefined;
}

function isImage(block: unknown): block is { readonly mimeType: string; readonly data: string } {
  const { type, mimeType, data } = block as Readonly<Record<string, unknown>>;
  if (type !== "image" || typeof mimeType !== "string" || typeof data !== "string") return false;
  return /^image\/(png|jpeg|gif|webp)$/.test(mimeType) && data.length <= MAX_IMAGE_CHARS;
}

function failed(text: string, source: string): ToolError {
  const said = renderForHuman(text, { maxChars: 2_000 }).trim();
  if (said === "") return new ToolError("MCP_TOOL_ERROR", "The server answered with an error and no reason");
  return new ToolError("MCP_TOOL_ERROR", `The server answered with an error:\n${untrusted(source, said)}`);
}
