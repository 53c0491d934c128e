import { EncodingError, encodeText, type TextFormat } from "@haft/text";
import { ToolError } from "../error/tool-error.js";

/** The bytes of a text in a given format; UTF-8 for a new file. */
export function encodeFor(text: string, format: TextFormat = UTF_8): Uint8Array {
  try {
    return encodeText(text, format);
  } catch (cause) {
    if (!EncodingError.is(cause)) throw cause;
    throw new ToolError(
      "ENCODING_ERROR",
      `${JSON.stringify(cause.character)} at position ${cause.index} cannot be written in ${cause.encoding}`,
      {
        hint: `The file is ${cause.encoding}. Use characters it has, or write the whole file anew as UTF-8.`,
        details: { encoding: cause.encoding, character: cause.character, index: cause.index },
        cause,
      },
    );
  }
}

export const UTF_8: TextFormat = { encoding: "utf-8", bom: false };
