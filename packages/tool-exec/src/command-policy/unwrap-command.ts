import { optionTable } from "./option-table.js";
import { readOptions } from "./read-options.js";

interface Unwrapped {
  /** The number of words of the wrapper. */
  readonly index: number;
  readonly assignments: readonly string[];
  readonly problem?: string;
}

/** Returns the command inside a wrapper such as `timeout 5 …`, or undefined if the program is not a wrapper. */
export function unwrapCommand(argv: readonly string[]): Unwrapped | undefined {
  const name = argv[0] ?? "";
  const wrapper = Object.hasOwn(wrappers, name) ? wrappers[name] : undefined;
  if (wrapper === undefined) return undefined;
  const read = readOptions(argv.slice(1), wrapper.options, { stopAtOperand: true });
  if (read.unknown !== undefined) return { index: 1, assignments: [], problem: `${name} ${read.unknown}` };
  let index = 1 + read.operandIndex + wrapper.operands;
  const assignments: string[] = [];
  while (name === "env" && /^[A-Za-z_]\w*=/.test(argv[index] ?? "")) {
    assignments.push(argv[index] ?? "");
    index += 1;
  }
  if (index >= argv.length) return { index, assignments, problem: `${name} without a command` };
  return { index, assignments };
}

interface Wrapper {
  readonly options: ReturnType<typeof optionTable>;
  /** Its own operands before the command. */
  readonly operands: number;
}

const wrappers: Readonly<Record<string, Wrapper>> = {
  timeout: {
    operands: 1,
    options: optionTable("-k: -s: -v --kill-after: --signal: --preserve-status --foreground --verbose"),
  },
  nice: { operands: 0, options: optionTable("-# -n: --adjustment:") },
  stdbuf: { operands: 0, options: optionTable("-i: -o: -e: --input: --output: --error:") },
  env: { operands: 0, options: optionTable("") },
  nohup: { operands: 0, options: optionTable("") },
  ionice: { operands: 0, options: optionTable("-c: -n: -t") },
};
