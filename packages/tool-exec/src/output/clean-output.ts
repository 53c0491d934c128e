import { renderForHuman } from "@haft/text";

/**
 * Returns output as a screen would show it, in plain text: no colours or cursor movements, only the last state of a
 * progress bar, and nothing that could reorder or hide text.
 */
export function cleanOutput(text: string): string {
  const plain = text.includes("\x1b") || text.includes("\x9b") ? text.replace(ESCAPES, "") : text;
  const lines = plain.includes("\r") ? plain.split("\n").map(asShown).join("\n") : plain;
  return renderForHuman(lines);
}

// Colours and cursor movements, strings such as a window title, and short one-letter sequences.
const ESCAPES = new RegExp(
  [
    String.raw`(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]`,
    String.raw`\x1b[\]PX^_][^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?`,
    String.raw`\x1b[ -/]*[0-~]?`,
  ].join("|"),
  "g",
);

/** Text after a carriage return overwrites the text before it. */
function asShown(line: string): string {
  const ended = line.endsWith("\r") ? line.slice(0, -1) : line;
  return ended.slice(ended.lastIndexOf("\r") + 1);
}
