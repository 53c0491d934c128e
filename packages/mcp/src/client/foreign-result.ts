import { ToolError } from "@haft/core";
import { renderForHuman } from "@haft/text";
import type { CallToolResult } from "@modelcontextprotocol/client";
import type { CallSetting } from "./foreign-tool.js";

/** What another server answered, as text of a size that can be shown; its images beside it. */
export function foreignResult(
  { content = [], structuredContent, isError }: CallToolResult,
  { attach, warn }: Pick<CallSetting, "attach" | "warn">,
): { readonly text: string } {
  const texts: string[] = [];
  for (const block of content.slice(0, MAX_BLOCKS)) {
    if (block.type === "text") texts.push(block.text);
    else if (block.type === "image" && isImage(block)) {
      if (!attach({ type: "image", mimeType: block.mimeType, data: block.data }))
        warn("an image was left out");
    } else if (block.type === "resource" && "text" in block.resource) texts.push(block.resource.text);
    else warn(`a part of the answer was left out: ${renderForHuman(String(block.type), { maxChars: 40 })}`);
  }
  if (content.length > MAX_BLOCKS) warn(`${content.length - MAX_BLOCKS} parts of the answer were left out`);
  const text = (texts.join("\n") || JSON.stringify(structuredContent) || "").slice(0, MAX_CHARS);
  if (isError === true) throw failed(text);
  return { text };
}

const MAX_BLOCKS = 100;
const MAX_CHARS = 1_000_000;
const MAX_IMAGE_CHARS = 8 * 1024 * 1024;

function isImage({ mimeType, data }: { readonly mimeType: string; readonly data: string }): boolean {
  return /^image\/(png|jpeg|gif|webp)$/.test(mimeType) && data.length <= MAX_IMAGE_CHARS;
}

function failed(text: string): ToolError {
  const said = renderForHuman(text, { maxChars: 2_000 }).trim() || "it did not say why";
  return new ToolError("MCP_TOOL_ERROR", `The server answered with an error: ${said}`);
}
