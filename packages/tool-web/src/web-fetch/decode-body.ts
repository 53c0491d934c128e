import { createTextStreamDecoder, decodeLossily, inspectEncoding, textFormatOf } from "@haft/text";

interface DecodedBody {
  readonly text: string;
  readonly encoding: string;
  /** Why the encoding is a guess. Absent if a byte order mark, a declared charset or valid UTF-8 settles it. */
  readonly doubt?: string;
  /** Whether invalid bytes were replaced with U+FFFD. */
  readonly isLossy: boolean;
}

/**
 * Decodes a body by its byte order mark, header, own declaration or content, in that order; `encoding` overrides all of
 * them. Never fails: invalid bytes become U+FFFD.
 */
export function decodeBody(body: Uint8Array, contentType: string, encoding?: string): DecodedBody {
  const announced = charsetOf(contentType);
  const found = inspectEncoding(body, { partial: true, announced, encoding });
  if (found === undefined)
    return lossily(body, textFormatOf(encoding ?? announced ?? "")?.encoding ?? "utf-8");
  const { format, doubt } = found;
  if (doubt !== undefined && isBrokenUtf8(body)) return lossily(body, "utf-8");
  // A truncated body may end inside a character, which is dropped.
  const text = createTextStreamDecoder(format).decode(body);
  return { text, encoding: format.encoding, isLossy: false, ...(doubt !== undefined && { doubt }) };
}

function charsetOf(contentType: string): string | undefined {
  return /;\s*charset\s*=\s*["']?([^\s"';]+)/i.exec(contentType)?.[1];
}

function lossily(body: Uint8Array, encoding: string): DecodedBody {
  return { text: decodeLossily(body, encoding), encoding, isLossy: true };
}

/** A few invalid characters do not make a UTF-8 page something else. */
function isBrokenUtf8(body: Uint8Array): boolean {
  let [broken, whole] = [0, 0];
  for (const character of decodeLossily(body, "utf-8")) {
    if (character === "\ufffd") broken += 1;
    else if (character > "\x7f") whole += 1;
  }
  return broken > 0 && whole > 4 * broken;
}
