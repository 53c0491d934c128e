import { estimateTokens } from "@haft/text";

interface FittedOutput {
  readonly text: string;
  readonly omittedLines: number;
}

/**
 * Returns as much of an output as fits a budget: a quarter from its head, the rest from its tail, in complete lines
 * if possible, and lines between them that report a failure.
 */
export function fitOutput(text: string, maxTokens: number): FittedOutput {
  if (text.length <= maxTokens || estimateTokens(text) <= maxTokens) return { text, omittedLines: 0 };
  const maxChars = Math.floor((text.length * maxTokens) / estimateTokens(text));
  const lines = text.split("\n");
  const head = takeLines(lines, maxChars * HEAD_SHARE);
  const tail = takeLines(
    lines.slice(head.length).reverse(),
    maxChars * (1 - HEAD_SHARE - ERROR_SHARE),
  ).reverse();
  const middle = lines.slice(head.length, lines.length - tail.length);
  const errors = takeLines(
    middle.filter((line) => TROUBLE.test(line)).slice(0, MAX_ERRORS),
    maxChars * ERROR_SHARE,
  );
  const kept = errors.length === 0 ? [] : ["; among them:", ...errors];
  const notice = `[… ${middle.length} lines left out${kept.length > 0 ? kept.join("\n") : ""} …]`;
  return { text: [...head, notice, ...tail].join("\n"), omittedLines: middle.length };
}

const HEAD_SHARE = 0.25;
const ERROR_SHARE = 0.15;
const MAX_ERRORS = 40;
const TROUBLE = /error|fail|panic|exception|warning:/i;

/** Returns complete lines up to a size. Truncates a first line that is too long by itself. */
function takeLines(lines: readonly string[], maxChars: number): string[] {
  const taken: string[] = [];
  let left = Math.floor(maxChars);
  for (const line of lines) {
    if (line.length + 1 > left) {
      if (taken.length === 0 && left > MIN_CUT) taken.push(cut(line, left));
      break;
    }
    taken.push(line);
    left -= line.length + 1;
  }
  return taken;
}

const MIN_CUT = 40;

function cut(line: string, maxChars: number): string {
  const half = Math.floor((maxChars - MIN_CUT) / 2);
  const left = line.length - 2 * half;
  return `${line.slice(0, half)} …[${left} characters]… ${line.slice(line.length - half)}`;
}
