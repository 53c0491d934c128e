import { createTextStreamDecoder, detectEncoding } from "@haft/text";

export interface DecodedBody {
  readonly text: string;
  readonly encoding: string;
  /** Some bytes meant nothing in that encoding and became U+FFFD. */
  readonly isLossy: boolean;
}

/**
 * The characters of a body: by its byte order mark, then as its headers say, then as the document itself
 * says, then by what the bytes look like. Never fails; what fits nowhere is read as UTF-8, with a note.
 */
export function decodeBody(body: Uint8Array, contentType: string): DecodedBody {
  const looks = detectEncoding(body, { partial: true });
  if (looks?.bom === true) return { ...strictly(body, looks), isLossy: false };
  const declared = [charsetOf(contentType), charsetInside(body)];
  for (const label of declared) {
    const decoded = label === undefined ? undefined : decodeLabelled(body, label);
    if (decoded !== undefined) return decoded;
  }
  if (looks !== undefined) return { ...strictly(body, looks), isLossy: false };
  const encoding = canonicalName(declared[0] ?? "") ?? "utf-8";
  return { text: new TextDecoder(encoding).decode(body), encoding, isLossy: true };
}

function charsetOf(contentType: string): string | undefined {
  return /;\s*charset\s*=\s*["']?([^\s"';]+)/i.exec(contentType)?.[1];
}

/** What `<meta charset>`, `<meta http-equiv>` or an XML declaration says, where browsers look for it. */
function charsetInside(body: Uint8Array): string | undefined {
  const start = String.fromCharCode(...body.subarray(0, 4096));
  const [, inMeta, inXml] =
    /<meta\b[^>]{0,400}?\bcharset\s*=\s*["']?([\w:.-]+)|^\s*<\?xml\b[^>]{0,200}?\bencoding\s*=\s*["']([\w:.-]+)/i.exec(
      start,
    ) ?? [];
  const label = inMeta ?? inXml;
  // A document whose declaration can be read byte by byte is not in UTF-16, whatever it says.
  return label !== undefined && /^utf-?16/i.test(label) ? "utf-8" : label;
}

function decodeLabelled(body: Uint8Array, label: string): DecodedBody | undefined {
  const encoding = canonicalName(label);
  if (encoding === undefined) return undefined;
  try {
    return { ...strictly(body, { encoding, bom: false }), isLossy: false };
  } catch {
    // Declared wrongly, which is common: what comes next may know better.
    return undefined;
  }
}

/** A body that was cut may end inside a character, which is left out. */
function strictly(body: Uint8Array, format: { encoding: string; bom: boolean }) {
  return { text: createTextStreamDecoder(format).decode(body), encoding: format.encoding };
}

/** The one name behind the many labels of the web; undefined for a label nobody knows. */
function canonicalName(label: string): string | undefined {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}
