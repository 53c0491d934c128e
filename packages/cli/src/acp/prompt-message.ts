import { fileURLToPath } from "node:url";
import type { ContentBlock } from "@agentclientprotocol/sdk";
import type { ImageContent } from "@haft/core";

export interface PromptMessage {
  readonly text: string;
  readonly images: readonly ImageContent[];
}

/** Builds the message from the blocks of a prompt. Names mentioned files and quotes embedded ones. */
export function promptMessage(blocks: readonly ContentBlock[]): PromptMessage {
  const images: ImageContent[] = [];
  const text = blocks.map((block) => blockText(block, images)).join("");
  return { text: text.trim(), images };
}

function blockText(block: ContentBlock, images: ImageContent[]): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "resource_link":
      return placeOf(block.uri);
    case "resource": {
      const { resource } = block;
      if (!("text" in resource)) return placeOf(resource.uri);
      return `\n\n<file path=${JSON.stringify(placeOf(resource.uri))}>\n${resource.text}\n</file>\n\n`;
    }
    case "image":
      return imageText(block, images);
    case "audio":
      return "[audio, not sent]";
  }
}

/** Images stay in the journal and are sent with every turn, so their number and size are limited. */
function imageText({ data, mimeType }: Omit<ImageContent, "type">, images: ImageContent[]): string {
  if (!IMAGE_TYPES.has(mimeType)) return `[image of type ${JSON.stringify(mimeType.slice(0, 40))}, not sent]`;
  if (images.length >= MAX_IMAGES || data.length > MAX_IMAGE_CHARS) return "[image, too large to be sent]";
  images.push({ type: "image", mimeType, data });
  return `[image ${images.length}]`;
}

/** Image types that every provider with vision accepts. */
const IMAGE_TYPES: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
const MAX_IMAGES = 8;
/** Base64 length of an image of about 5 MB. */
const MAX_IMAGE_CHARS = 7_000_000;

function placeOf(uri: string): string {
  try {
    return fileURLToPath(uri);
  } catch {
    return uri;
  }
}
