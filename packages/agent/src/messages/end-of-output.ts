/** Keeps the end of a call's output, starting at a line break, to bound memory. */
export function endOfOutput(output: string): string {
  if (output.length <= 2 * KEPT_CHARS) return output;
  const end = output.slice(-KEPT_CHARS);
  return end.slice(end.indexOf("\n") + 1);
}

const KEPT_CHARS = 32 * 1024;
