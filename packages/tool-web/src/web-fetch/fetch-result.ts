import type { ImageContent } from "@haft/core";
import type { NetworkResponse, WorkLimiter } from "@haft/core/capabilities";
import { type ShapeRedactor, toBase64 } from "@haft/text";
import { mimeTypeOf } from "./content-kind.js";
import { decodeBody } from "./decode-body.js";
import { pageOfText } from "./page-of-text.js";
import { readableText, titleOf } from "./readable-text.js";
import type { WebFetchArgs, WebFetchResult } from "./web-fetch-schema.js";

interface ResultContext {
  readonly signal: AbortSignal;
  warn(message: string): void;
  /** Returns false if the model accepts no images. */
  attach(image: ImageContent): boolean;
}

interface ReadTextParts {
  readonly args: WebFetchArgs;
  /** The encoding named by the caller. */
  readonly label: string | undefined;
  readonly kind: "html" | "json" | "text";
  readonly context: ResultContext;
  readonly redact: ShapeRedactor;
  readonly limiter: WorkLimiter;
}

/** Decodes, converts, redacts and pages a text response. */
export async function readText(
  response: NetworkResponse,
  { args, label, kind, context, redact, limiter }: ReadTextParts,
): Promise<WebFetchResult> {
  const { status, url, headers, body } = response;
  const contentType = headers["content-type"] ?? "";
  const { text, encoding, doubt, isLossy } = decodeBody(body, contentType, label);
  if (isLossy) context.warn(`some characters could not be read as ${encoding} and are shown as \ufffd`);
  const readable = await readableText({ text, kind, url }, args.format, {
    signal: context.signal,
    limiter,
  });
  if (readable.note !== undefined) context.warn(readable.note);
  const maxChars = status >= 400 ? Math.min(args.max_chars, ERROR_CHARS) : args.max_chars;
  const shown = redact(readable.text);
  const page = pageOfText(shown, args.offset, maxChars);
  const title = kind === "html" ? titleOf(text) : undefined;
  return {
    ...factsOf(response),
    kind,
    body: page.body,
    truncated: response.truncated || page.nextOffset !== undefined,
    totalChars: shown.length,
    ...(page.nextOffset !== undefined && { nextOffset: page.nextOffset }),
    ...(title !== undefined && { title }),
    encoding,
    ...(doubt !== undefined && { encodingGuessed: true, encodingDoubt: doubt }),
  };
}

/** Error pages rarely deserve much space. */
const ERROR_CHARS = 10_000;

/** Attaches an image, or describes content that is not text. */
export function describeBytes(
  response: NetworkResponse,
  kind: "image" | "binary",
  context: ResultContext,
): WebFetchResult {
  const mimeType = mimeTypeOf(response.headers["content-type"] ?? "") || "application/octet-stream";
  const isWhole = kind === "image" && !response.truncated && response.body.length > 0;
  const attached = isWhole && context.attach({ type: "image", mimeType, data: toBase64(response.body) });
  const what =
    kind === "image" ? `image, ${attached ? "attached" : "not attached"}` : "binary data, not shown";
  return {
    ...factsOf(response),
    kind,
    body: `[${mimeType}, ${response.body.length} bytes: ${what}]`,
    truncated: response.truncated,
    totalChars: 0,
    attached,
  };
}

function factsOf({ status, headers, url, body }: NetworkResponse) {
  return { status, headers, url, contentType: headers["content-type"] ?? "", size: body.length };
}
