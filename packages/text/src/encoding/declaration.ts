import { declaredCharset } from "./declared-charset.js";
import { encodingsOf } from "./encoding-label.js";

/** A charset declared by the file or its project. */
export interface Declaration {
  /** Source of the declaration, for messages: "the file declares latin1". */
  readonly said: string;
  /** The encodings the label may mean, most likely first; empty if unsupported. */
  readonly encodings: readonly string[];
  /** The label names an unsupported encoding that looks like ASCII, such as ISO-2022-JP. */
  readonly isHiddenInAscii: boolean;
}

/**
 * Reads the charset declared in the first bytes of a file. The declaration is ASCII in every encoding that
 * has one.
 */
export function ownDeclaration(bytes: Uint8Array, length: number): Declaration | undefined {
  const label = declaredCharset(latin1(bytes, Math.min(bytes.length, length)));
  if (label === undefined) return undefined;
  const encodings = encodingsOf(label);
  // A declaration that is readable byte by byte cannot be UTF-16, whatever it says.
  const isWide = encodings.some((each) => /^utf-(?:16|32)/.test(each));
  return declaration("the file declares", label, isWide ? ["utf-8"] : encodings);
}

/** Reads a charset declared outside the file. */
export function outerDeclaration(label: string | undefined): Declaration | undefined {
  return label === undefined ? undefined : declaration(".editorconfig declares", label, encodingsOf(label));
}

/** Reads the charset declared in the `Content-Type` of a response. */
export function announcedDeclaration(label: string | undefined): Declaration | undefined {
  return label === undefined ? undefined : declaration("the server declares", label, encodingsOf(label));
}

/** The range browsers search for a declaration. */
export const USUAL_HEAD = 1024;
/** Text that is not UTF-8 justifies a longer search. */
export const LONGEST_HEAD = 8192;

function declaration(who: string, label: string, encodings: readonly string[]): Declaration {
  const isHiddenInAscii = encodings.length === 0 && /^(?:iso-?2022|hz|utf-?7)/i.test(label);
  return { said: `${who} ${label}`, encodings, isHiddenInAscii };
}

function latin1(bytes: Uint8Array, end: number): string {
  let text = "";
  for (let at = 0; at < end; at += CHUNK)
    text += String.fromCharCode(...bytes.subarray(at, Math.min(end, at + CHUNK)));
  return text;
}

const CHUNK = 1024;
