import type { Content } from "@haft/core";
import { truncateText } from "@haft/text";
import type { RunLimits } from "../event/limits.js";

/** A result within the run's bounds. The runtime has bounds of its own; these hold whatever it is set to. */
export function boundContent(
  content: readonly Content[],
  { resultChars, resultLines }: Pick<RunLimits, "resultChars" | "resultLines">,
): readonly Content[] {
  return content.map((part) => {
    if (part.type !== "text") return part;
    const { text, truncated, omittedChars } = truncateText(part.text, {
      maxChars: resultChars,
      maxLines: resultLines,
    });
    if (!truncated) return part;
    return { type: "text", text: `${text}\n…[${omittedChars} more characters; ask for a smaller part]` };
  });
}
