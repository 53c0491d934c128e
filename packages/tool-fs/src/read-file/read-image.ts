import type { CallContext } from "@haft/core";
import { toBase64 } from "../base64.js";
import { describeSize } from "../describe-size.js";
import { fileFacts, NO_LINES } from "./file-facts.js";
import type { ReadFileResult } from "./read-file-schema.js";
import type { ReadContext } from "./read-slice.js";
import type { FileInHand } from "./read-text.js";

/** An image goes to a model that takes images; everybody gets its type, size and dimensions. */
export async function readImage(
  hand: FileInHand,
  mimeType: string,
  context: ReadContext & Pick<CallContext, "attach">,
): Promise<ReadFileResult> {
  const { file, limits } = hand;
  const { workspace } = context;
  const isSmall = file.size <= limits.attachedBytes;
  // Before the bytes: a change in between then makes the hash stale, never the content unseen.
  const hash = isSmall ? await workspace.hashOf(file.path) : undefined;
  const bytes = isSmall ? await workspace.readBytes(file.path) : hand.head;
  const dimensions = await dimensionsOf(bytes);
  const attached =
    isSmall && ATTACHABLE.has(mimeType) && context.attach({ type: "image", mimeType, data: toBase64(bytes) });
  return {
    ...fileFacts(file, workspace),
    kind: "image",
    ...NO_LINES,
    content: describeImage({ path: file.path, size: file.size, mimeType, dimensions, attached }),
    ...(hash === undefined ? {} : { hash }),
    mimeType,
    ...dimensions,
    attached,
  };
}

/** What the providers of models take. */
const ATTACHABLE = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

interface Dimensions {
  readonly width?: number;
  readonly height?: number;
}

async function dimensionsOf(bytes: Uint8Array): Promise<Dimensions> {
  const { imageSize } = await import("image-size");
  try {
    const { width, height } = imageSize(bytes);
    return Number.isInteger(width) && Number.isInteger(height) ? { width, height } : {};
  } catch {
    // A damaged header has no dimensions; the rest of the answer is still true.
    return {};
  }
}

function describeImage(image: {
  path: string;
  size: number;
  mimeType: string;
  dimensions: Dimensions;
  attached: boolean;
}): string {
  const { width, height } = image.dimensions;
  const dimensions = width === undefined ? "dimensions unknown" : `${width}x${height} pixels`;
  const note = image.attached ? "attached" : "not attached";
  return `[${image.mimeType} image, ${dimensions}, ${describeSize(image.size)}, ${note}]`;
}
