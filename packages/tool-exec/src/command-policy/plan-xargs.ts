import type { CommandPolicy } from "./command-policy.js";
import { type CommandDecision, decideArgv } from "./decide-command.js";
import { hardenArgv } from "./harden-argv.js";
import { readXargs } from "./programs/xargs-program.js";

export interface XargsBatch {
  readonly decision: CommandDecision;
  readonly argv: readonly string[];
}

export interface XargsInput {
  /** The complete output of the preceding command. */
  readonly text: string;
  readonly policy: CommandPolicy;
  readonly cwd: string;
}

/**
 * Returns the commands that xargs would start for its input, judged like any other. The runner does this instead of
 * starting xargs, because paths from a pipe would otherwise escape every check.
 */
export function planXargs(argv: readonly string[], input: XargsInput): XargsBatch[] {
  const { read, inner } = readXargs(argv.slice(1));
  const lastValue = (...names: string[]) => read.options.findLast(({ name }) => names.includes(name))?.value;
  const has = (...names: string[]) => read.options.some(({ name }) => names.includes(name));
  const perBatch = sizeOf(lastValue("-n", "--max-args") ?? lastValue("-L", "--max-lines"));
  const byLine = has("-L", "--max-lines");
  const items = has("-0", "--null") ? splitAtNul(input.text) : splitWords(input.text, byLine);
  if (items.length === 0) return has("-r", "--no-run-if-empty") ? [] : [batchOf(inner, [], input)];
  const batches: XargsBatch[] = [];
  for (let at = 0; at < items.length; at += perBatch) {
    batches.push(batchOf(inner, items.slice(at, at + perBatch).flat(), input));
  }
  return batches;
}

function batchOf(inner: readonly string[], items: readonly string[], input: XargsInput): XargsBatch {
  const argv = [...inner, ...items];
  const decision = decideArgv(argv, input.policy, input.cwd);
  return { decision, argv: hardenArgv(argv).argv };
}

function sizeOf(value: string | undefined): number {
  const size = Number(value);
  return Number.isInteger(size) && size > 0 ? Math.min(size, batchLimit) : batchLimit;
}

const batchLimit = 5_000;

function splitAtNul(text: string): string[][] {
  const items = text.split("\0");
  if (items.at(-1) === "") items.pop();
  return items.map((item) => [item]);
}

// xargs has its own quoting: quotes within one line, and a backslash before any character.
function splitWords(text: string, byLine: boolean): string[][] {
  const word = /(?:"[^"\n]*"|'[^'\n]*'|\\[\s\S]|[^\s"'\\])+/g;
  const lines = (byLine ? text.split("\n") : [text]).map((line) => (line.match(word) ?? []).map(unquote));
  return byLine ? lines.filter((line) => line.length > 0) : (lines[0] ?? []).map((item) => [item]);
}

function unquote(word: string): string {
  return word.replace(
    /"([^"\n]*)"|'([^'\n]*)'|\\([\s\S])/g,
    (_, double, single, escaped) => double ?? single ?? escaped ?? "",
  );
}
