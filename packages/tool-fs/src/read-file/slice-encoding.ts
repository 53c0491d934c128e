import { configuredCharset } from "@haft/core/workspace";
import { type DetectedEncoding, inspectEncoding } from "@haft/text";
import type { ReadContext, SliceRequest } from "./read-slice.js";

/** Unicode is detected from few bytes; guesses of legacy encodings improve with more. */
export async function encodingOfSlice(
  { head, file, encoding }: Pick<SliceRequest, "head" | "file" | "encoding">,
  { workspace }: Pick<ReadContext, "workspace">,
): Promise<DetectedEncoding | undefined> {
  const first = head.subarray(0, SNIFFED_BYTES);
  const found = inspectEncoding(first, { encoding, partial: first.length < file.size });
  const isSettled = found === undefined || found.format.encoding.startsWith("utf-");
  if (encoding !== undefined || isSettled) return found;
  const sample = head.subarray(0, SAMPLED_BYTES);
  const partial = head.length < file.size;
  const better = inspectEncoding(sample, { partial });
  if (better?.doubt === undefined) return better;
  const declared = await configuredCharset(file.path, workspace);
  return declared === undefined ? better : inspectEncoding(sample, { partial, declared });
}

const SNIFFED_BYTES = 8 * 1024;
const SAMPLED_BYTES = 64 * 1024;
