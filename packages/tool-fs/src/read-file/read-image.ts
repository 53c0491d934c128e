import type { CallContext } from "@haft/core";
import { describeBytes, toBase64 } from "@haft/text";
import { fileFacts, NO_LINES } from "./file-facts.js";
import { type Dimensions, imageDimensions } from "./image-dimensions.js";
import type { ReadFileResult } from "./read-file-schema.js";
import type { ReadContext } from "./read-slice.js";
import type { FileInHand } from "./read-text.js";

/** Attaches the image for models that accept images. Every caller gets its type, size and dimensions. */
export async function readImage(
  hand: FileInHand,
  mimeType: string,
  context: ReadContext & Pick<CallContext, "attach">,
): Promise<ReadFileResult> {
  const { file, limits } = hand;
  const { workspace } = context;
  const isSmall = file.size <= limits.attachedBytes;
  // Hash before reading the bytes: a change in between makes the hash stale, never the content unseen.
  const hash = isSmall ? await workspace.hashOf(file.path) : undefined;
  const bytes = isSmall ? await workspace.readBytes(file.path) : hand.head;
  const dimensions = imageDimensions(bytes, mimeType);
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

/** The image types that model providers accept. */
const ATTACHABLE = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

function describeImage(image: {
  path: string;
  size: number;
  mimeType: string;
  dimensions: Dimensions | undefined;
  attached: boolean;
}): string {
  const { dimensions: size } = image;
  const dimensions = size === undefined ? "dimensions unknown" : `${size.width}x${size.height} pixels`;
  const note = image.attached ? "attached" : "not attached";
  return `[${image.mimeType} image, ${dimensions}, ${describeBytes(image.size)}, ${note}]`;
}
