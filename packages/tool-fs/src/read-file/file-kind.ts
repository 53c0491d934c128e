/** The kind of a file according to its first bytes; names only break ties. */
type FileKind =
  | { readonly kind: "image"; readonly mimeType: string }
  | { readonly kind: "pdf" }
  | { readonly kind: "notebook" }
  | { readonly kind: "text" };

export function fileKind(head: Uint8Array, name: string): FileKind {
  const mimeType = mimeTypeOf(head);
  if (mimeType?.startsWith("image/")) return { kind: "image", mimeType };
  if (mimeType === "application/pdf" || (/\.pdf$/i.test(name) && holds(head, "%PDF-")))
    return { kind: "pdf" };
  if (/\.ipynb$/i.test(name)) return { kind: "notebook" };
  return { kind: "text" };
}

/** Returns the type a signature identifies. Undefined for text and unknown types. */
export function mimeTypeOf(head: Uint8Array): string | undefined {
  for (const [mimeType, signature, offset = 0] of SIGNATURES)
    if (startsWith(head, signature, offset)) return mimeType;
  if (startsWith(head, "RIFF") && startsWith(head, "WEBP", 8)) return "image/webp";
  if (startsWith(head, "BM") && startsWith(head, "\0\0\0\0", 6)) return "image/bmp";
  return undefined;
}

// "\0" to "\xff" represent bytes.
const SIGNATURES: readonly (readonly [mimeType: string, signature: string, offset?: number])[] = [
  ["image/png", "\x89PNG\r\n\x1a\n"],
  ["image/jpeg", "\xff\xd8\xff"],
  ["image/gif", "GIF87a"],
  ["image/gif", "GIF89a"],
  ["image/tiff", "II*\0"],
  ["image/tiff", "MM\0*"],
  ["image/x-icon", "\0\0\x01\0"],
  ["image/avif", "ftypavif", 4],
  ["image/heic", "ftypheic", 4],
  ["application/pdf", "%PDF-"],
  ["application/zip", "PK\x03\x04"],
  ["application/gzip", "\x1f\x8b"],
  ["application/zstd", "\x28\xb5\x2f\xfd"],
  ["application/x-xz", "\xfd7zXZ\0"],
  ["application/x-bzip2", "BZh"],
  ["application/x-7z-compressed", "7z\xbc\xaf\x27\x1c"],
  ["application/x-tar", "ustar", 257],
  ["application/x-executable", "\x7fELF"],
  ["application/x-mach-binary", "\xcf\xfa\xed\xfe"],
  ["application/vnd.microsoft.portable-executable", "MZ"],
  ["application/wasm", "\0asm"],
  ["application/vnd.sqlite3", "SQLite format 3\0"],
  ["application/java-vm", "\xca\xfe\xba\xbe"],
  ["font/woff2", "wOF2"],
  ["font/woff", "wOFF"],
  ["audio/mpeg", "ID3"],
  ["audio/ogg", "OggS"],
  ["audio/flac", "fLaC"],
  ["video/mp4", "ftyp", 4],
  ["video/webm", "\x1aE\xdf\xa3"],
];

function startsWith(bytes: Uint8Array, signature: string, offset = 0): boolean {
  if (bytes.length < offset + signature.length) return false;
  for (let index = 0; index < signature.length; index += 1)
    if (bytes[offset + index] !== signature.charCodeAt(index)) return false;
  return true;
}

/** Searches the first kilobyte, as PDF readers do. */
function holds(head: Uint8Array, signature: string): boolean {
  const last = Math.min(1024, head.length - signature.length);
  for (let offset = 0; offset <= last; offset += 1) if (startsWith(head, signature, offset)) return true;
  return false;
}
