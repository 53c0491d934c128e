import { EncodingError, encodeTextSteps, type TextFormat } from "@haft/text";
import { ToolError } from "../error/tool-error.js";
import { Pace } from "../runtime/pace.js";

/** Encodes a text in the given format; UTF-8 for a new file. */
export async function encodeFor(text: string, format: TextFormat = UTF_8): Promise<Uint8Array> {
  try {
    return await new Pace().run(encodeTextSteps(text, format));
  } catch (cause) {
    if (!EncodingError.is(cause)) throw cause;
    throw new ToolError(
      "ENCODING_ERROR",
      `${JSON.stringify(cause.character)} at position ${cause.index} cannot be written in ${cause.encoding}`,
      {
        hint: `The file is ${cause.encoding}. Use characters it has, or rewrite the whole file as UTF-8.`,
        details: { encoding: cause.encoding, character: cause.character, index: cause.index },
        cause,
      },
    );
  }
}

/** Returns the bytes of a text that is plain ASCII: the same in every encoding that an ASCII file can turn into. */
export function encodeAscii(text: string): Uint8Array | undefined {
  const bytes = new TextEncoder().encode(text);
  return bytes.length === text.length ? bytes : undefined;
}

export const UTF_8: TextFormat = { encoding: "utf-8", bom: false };
