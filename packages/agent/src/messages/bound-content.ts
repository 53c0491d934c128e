import type { Content } from "@haft/core";
import { truncateText } from "@haft/text";
import type { RunLimits } from "../event/limits.js";

/** Truncates a result to the run's limits, independent of the runtime's own. */
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
