import { markedFormats } from "./byte-order-mark.js";
import {
  announcedDeclaration,
  type Declaration,
  LONGEST_HEAD,
  outerDeclaration,
  ownDeclaration,
  USUAL_HEAD,
} from "./declaration.js";
import { decodeAs } from "./decode-as.js";
import { detectLegacy, readsLikeLanguage } from "./detect-legacy.js";
import { encodingsOf } from "./encoding-label.js";
import { hasBinaryBytes } from "./looks-binary.js";
import type { TextFormat } from "./text-format.js";
import { unmarkedUtf16 } from "./unmarked-utf-16.js";
import { unmarkedUtf32 } from "./unmarked-utf-32.js";
import { isPlainAscii } from "./utf-8.js";

export interface ReadAs {
  /** The encoding to decode with, by any of its names. Disables detection. */
  readonly encoding?: string | undefined;
  /** The charset declared in .editorconfig. A declaration in the file takes precedence. */
  readonly declared?: string | undefined;
  /** The charset from the server's `Content-Type`. Takes precedence over a declaration in the text. */
  readonly announced?: string | undefined;
}

export interface DetectEncodingOptions extends ReadAs {
  /** The sample is only the start of the data, so its last character may be incomplete. Default false. */
  readonly partial?: boolean | undefined;
}

/** A format that fits, and the reason it may be wrong. */
export interface DetectedEncoding {
  readonly format: TextFormat;
  /**
   * Why the encoding is a guess; absent if a byte order mark, the declared charset or valid UTF-8 settles it.
   */
  readonly doubt?: string;
}

/** Returns the format of the sample, or undefined if it is not text. A sample of 64 KiB is plenty. */
export function detectEncoding(
  sample: Uint8Array,
  options: DetectEncodingOptions = {},
): TextFormat | undefined {
  return inspectEncoding(sample, options)?.format;
}

/** Like `detectEncoding`, but also returns the reason for any doubt. */
export function inspectEncoding(
  sample: Uint8Array,
  options: DetectEncodingOptions = {},
): DetectedEncoding | undefined {
  for (const candidate of candidates(sample, options)) {
    if (decodeAs(sample, candidate.format, options.partial) !== undefined) return candidate;
  }
  return undefined;
}

/** Yields candidate formats, best first. The caller tries each on the complete bytes. */
export function* candidates(bytes: Uint8Array, options: DetectEncodingOptions): Generator<DetectedEncoding> {
  const marked = markedFormats(bytes);
  if (options.encoding !== undefined) {
    yield* namedFormats(options.encoding, marked);
    return;
  }
  const isBinary = hasBinaryBytes(bytes);
  for (const format of marked) if (!isBinary || format.encoding !== "utf-8") yield { format };
  if (isBinary) {
    const format = unmarkedUtf32(bytes) ?? unmarkedUtf16(bytes);
    if (format !== undefined) yield { format };
    const outer = announcedDeclaration(options.announced) ?? outerDeclaration(options.declared);
    for (const encoding of outer?.encodings ?? [])
      if (/^utf-(?:16|32)/.test(encoding)) yield { format: { encoding, bom: false } };
    return;
  }
  yield* unmarkedText(bytes, options);
}

/** A byte order mark that belongs to the encoding is not part of the text. */
function* namedFormats(label: string, marked: readonly TextFormat[]): Generator<DetectedEncoding> {
  for (const encoding of encodingsOf(label)) {
    const format = marked.find((each) => each.encoding === encoding);
    yield { format: format ?? { encoding, bom: false } };
  }
}

function* unmarkedText(bytes: Uint8Array, options: DetectEncodingOptions): Generator<DetectedEncoding> {
  const announced = announcedDeclaration(options.announced);
  yield* validUtf8(bytes, announced ?? ownDeclaration(bytes, USUAL_HEAD), options);
  const declared = ownDeclaration(bytes, LONGEST_HEAD) ?? outerDeclaration(options.declared);
  for (const encoding of (announced ?? declared)?.encodings ?? []) yield { format: { encoding, bom: false } };
  const doubt = announced === undefined ? undefined : unfulfilled(announced);
  if (doubt !== undefined)
    for (const encoding of declared?.encodings ?? []) yield { format: { encoding, bom: false }, doubt };
  yield* legacyText(bytes, doubt ?? (declared === undefined ? undefined : unfulfilled(declared)));
}

function* legacyText(bytes: Uint8Array, unfulfilledBy: string | undefined): Generator<DetectedEncoding> {
  for (const { encoding, isSure } of detectLegacy(bytes)) {
    const doubt = unfulfilledBy ?? (isSure ? undefined : UNDECLARED);
    yield { format: { encoding, bom: false }, ...(doubt === undefined ? {} : { doubt }) };
  }
}

const ISO_2022 = "it holds escape sequences of ISO-2022, which is not supported";
const UNDECLARED = "no charset is declared";

function unfulfilled({ said, encodings }: Declaration): string {
  return `${said}, ${encodings.length === 0 ? "which is not supported" : "but the bytes are not valid in it"}`;
}

/**
 * Text that is valid UTF-8 is almost always UTF-8, and wrong declarations are common. So for bytes above
 * ASCII, text decoded as declared must look like a language.
 */
function* validUtf8(
  bytes: Uint8Array,
  declared: Declaration | undefined,
  { partial }: DetectEncodingOptions,
): Generator<DetectedEncoding> {
  const encoding = declared?.encodings.find((each) => each !== "utf-8");
  if (
    declared === undefined ||
    declared.encodings[0] === "utf-8" ||
    (encoding === undefined && !declared.isHiddenInAscii)
  ) {
    yield { format: UTF_8, ...(hasIso2022Escapes(bytes) ? { doubt: ISO_2022 } : {}) };
  } else if (encoding === undefined) yield { format: UTF_8, doubt: unfulfilled(declared) };
  else if (isPlainAscii(bytes)) yield { format: { encoding, bom: false } };
  else if (decodeAs(bytes, UTF_8, partial) === undefined) return;
  else if (readsLikeLanguage(bytes, encoding))
    yield {
      format: { encoding, bom: false },
      doubt: `${declared.said}, but the bytes are valid UTF-8 as well`,
    };
  else yield { format: UTF_8, doubt: `${declared.said}, but the bytes are valid UTF-8` };
}

const UTF_8: TextFormat = { encoding: "utf-8", bom: false };

/**
 * Returns true for bytes that switch to a two-byte character set, as ISO-2022-JP, -KR and -CN do. Such text
 * is ASCII between the switches, so it passes for UTF-8. Terminal sequences (`ESC [`, `ESC ( B`) do not
 * count.
 */
function hasIso2022Escapes(bytes: Uint8Array): boolean {
  for (let at = bytes.indexOf(ESCAPE); at !== -1; at = bytes.indexOf(ESCAPE, at + 1)) {
    if (bytes[at + 1] !== DOLLAR) continue;
    const set = String.fromCharCode(bytes[at + 2] ?? 0, bytes[at + 3] ?? 0);
    if (/^(?:[@AB]|\([D@AB]|[)*][ACGH])/.test(set)) return true;
  }
  return false;
}

const [ESCAPE, DOLLAR] = [0x1b, 0x24];
