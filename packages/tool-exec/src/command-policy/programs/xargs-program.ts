import { type Objection, unlisted } from "../objection.js";
import { optionTable } from "../option-table.js";
import { objectToOptions, type ProgramCall, type ProgramRule } from "../program-rule.js";
import { type ReadOptions, readOptions } from "../read-options.js";
import { wordList } from "../word-list.js";

export const xargsPrograms: Readonly<Record<string, ProgramRule>> = { xargs: objectToXargs };

/** Returns the program that xargs would start, with its fixed arguments; echo by default. */
export function readXargs(args: readonly string[]): { read: ReadOptions; inner: readonly string[] } {
  const read = readOptions(args, xargsOptions, { stopAtOperand: true });
  return { read, inner: read.operands.length === 0 ? ["echo"] : read.operands };
}

const xargsOptions = optionTable(
  "-0rt -n: -L: -P: --null --no-run-if-empty --verbose --max-args: --max-lines: --max-procs:",
);

function objectToXargs(call: ProgramCall): Objection | undefined {
  const { read, inner } = readXargs(call.args);
  const program = inner[0] ?? "";
  const objection = objectToOptions(read, call);
  if (objection !== undefined) return objection;
  if (!xargsTargets.has(program)) {
    return unlisted(`xargs may not start ${program}`, `one of ${[...xargsTargets].join(", ")}`);
  }
  return call.judgeInner(inner);
}

// Programs that take every further argument as a path or plain text, whatever the input.
const xargsTargets: ReadonlySet<string> = new Set(
  wordList("wc grep basename dirname head tail echo stat file ls"),
);
