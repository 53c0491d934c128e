import { isSupported } from "./iconv-codec.js";
import type { TextFormat } from "./text-format.js";
import { webEncoding } from "./utf-8.js";

/**
 * Returns the format that a label names, or undefined if unsupported: "utf-8-bom" is UTF-8 with a byte order
 * mark.
 */
export function textFormatOf(label: string): TextFormat | undefined {
  const [encoding] = encodingsOf(label);
  if (encoding === undefined) return undefined;
  return { encoding, bom: /^utf-?8-(?:bom|sig)$|^utf-?16/i.test(label.trim()) };
}

/**
 * Returns the encodings a label may mean, most likely first; empty if none is supported. Accepts labels of
 * the web, Python, Emacs, Vim and .editorconfig: "latin1", "cp1251", "koi8_r", "sjis", "utf-8-unix",
 * "utf-8-bom".
 */
export function encodingsOf(label: string): readonly string[] {
  const name = label
    .trim()
    .toLowerCase()
    .replaceAll("_", "-")
    .replace(/-(?:unix|dos|mac|bom|sig|emacs)$/, "");
  const found =
    webEncoding(label) ??
    webEncoding(name) ??
    webEncoding(respelled(name)) ??
    (isCodePage(name) ? name : undefined);
  if (found === undefined) return [];
  return (MEANINGS[found] ?? [found]).filter(isSupported);
}

function respelled(name: string): string {
  const page = /^(?:cp|ms|win|windows)-?(\d+)$/.exec(name)?.[1];
  if (page !== undefined) return WINDOWS_PAGES[page] ?? `windows-${page}`;
  return name
    .replace(/^latin-(\d+)$/, "latin$1")
    .replace(/^mac-?cyrillic$/, "x-mac-cyrillic")
    .replace(/^(?:sjis|shift-?jis|s-jis)\b.*$/, "shift_jis")
    .replace(/^euc-?(jp|kr)\b.*$/, "euc-$1")
    .replace(/^iso-?8859-?(\d+)$/, "iso-8859-$1");
}

const WINDOWS_PAGES: Readonly<Record<string, string>> = {
  "932": "shift_jis",
  "936": "gbk",
  "949": "euc-kr",
  "950": "big5",
  "65001": "utf-8",
};

/** Code pages of DOS and other systems, for which the web defines no labels. */
function isCodePage(name: string): boolean {
  return (
    /^(?:cp|ibm)-?\d{3,4}$|^iso-?8859-?\d{1,2}$|^mac[a-z]+$|^utf-?32-?[lb]e$/.test(name) && isSupported(name)
  );
}

/** The web maps old names to the encodings actually used under them. The strict meaning is tried second. */
const MEANINGS: Readonly<Record<string, readonly string[]>> = {
  "windows-1252": ["windows-1252", "iso-8859-1"],
  "windows-1254": ["windows-1254", "iso-8859-9"],
  "x-mac-cyrillic": ["maccyrillic"],
  "iso-8859-8-i": ["iso-8859-8", "windows-1255"],
  "iso-8859-8": ["iso-8859-8", "windows-1255"],
  gbk: ["gb18030"],
};
