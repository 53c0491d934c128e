import { detectEncoding, type TextFormat } from "@haft/text";
import { declaredFormat } from "./declared-text.js";
import { decodedText, isPlainAscii } from "./decoded-texts.js";
import type { Snapshot } from "./file-change.js";
import type { OverlayReader } from "./overlay-reader.js";

/** Returns the format of the file. If its bytes show none, returns the one that the text or the project declares. */
export async function formatToWrite(
  reader: Pick<OverlayReader, "readBytes" | "store">,
  { path, text, before }: { path: string; text: string; before: Snapshot | undefined },
): Promise<TextFormat | undefined> {
  const format = await formatOf(reader, path, before);
  if (format !== undefined && !isPlainAscii(before?.bytes)) return format;
  return (await declaredFormat(path, text, reader.store)) ?? format;
}

/** Returns undefined for a binary file: text replaces all of it, so there is no format to keep. */
async function formatOf(
  reader: Pick<OverlayReader, "readBytes">,
  path: string,
  before: Snapshot | undefined,
): Promise<TextFormat | undefined> {
  if (before?.type !== "file") return undefined;
  if (before.bytes !== undefined) return decodedText(before.bytes)?.format;
  // Too large to hold in memory; the first bytes show the encoding.
  return detectEncoding(await reader.readBytes(path, { end: SAMPLE_BYTES }), { partial: true });
}

const SAMPLE_BYTES = 64 * 1024;
