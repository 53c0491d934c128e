import type { SimpleCommand } from "@haft/core/policy";
import { optionTable } from "../command-policy/option-table.js";
import { readOptions } from "../command-policy/read-options.js";

type Argv = SimpleCommand["argv"];

/** Returns what xargs or parallel may start. The words that they read are known only at run time. */
export function commandsFromInput(argv: Argv): readonly Argv[] {
  const isParallel = argv[0]?.endsWith("parallel") === true;
  const words = isParallel ? untilArguments(argv.slice(1)) : argv.slice(1);
  const read = readOptions(
    words.map((word) => word ?? "…"),
    XARGS,
    { stopAtOperand: true },
  );
  if (isParallel && words.every((word) => word?.startsWith("-"))) return [[null]];
  // After unknown options, any word may start the command. Very many words stand for any command.
  if (read.unknown !== undefined || isParallel)
    return words.length > MAX_STARTS ? [[null]] : words.map((_, index) => [...words.slice(index), null]);
  const inner = words.slice(read.operandIndex);
  const replacing = read.options.findLast(({ name }) => REPLACING.has(name));
  const replaced = replacing === undefined ? undefined : (replacing.value ?? "{}");
  const isFilled = (word: string | null) => replaced !== undefined && word?.includes(replaced) === true;
  return inner.length === 0 ? [] : [[...inner.map((word) => (isFilled(word) ? null : word)), null]];
}

/** Leaves out the arguments after `:::`, which parallel appends to the command, or executes if there is none. */
function untilArguments(words: Argv): Argv {
  const end = words.findIndex((word) => word?.startsWith(":::"));
  return end === -1 ? words : words.slice(0, end);
}

/** Each of the words may be xargs or parallel again, so the number of commands grows with the square. */
const MAX_STARTS = 64;

const REPLACING: ReadonlySet<string> = new Set(["-I", "-i", "--replace"]);

const XARGS = optionTable(
  "-0rtpxo -n: -L: -P: -I: -d: -E: -s: -a: -e? -i? -l? --null --no-run-if-empty --verbose --interactive --exit",
  "--open-tty --max-args: --max-lines? --max-procs: --max-chars: --delimiter: --arg-file: --eof? --replace?",
);
