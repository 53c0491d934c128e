import type { OptionTable } from "./option-table.js";

export interface GivenOption {
  readonly name: string;
  readonly value: string | undefined;
  readonly isPath: boolean;
  /** The position of the option and its value in the arguments. */
  readonly index: number;
}

export interface ReadOptions {
  readonly options: readonly GivenOption[];
  readonly operands: readonly string[];
  /** The position of the first operand, if parsing stopped there. */
  readonly operandIndex: number;
  /** The position of `--`, or the number of arguments without it. */
  readonly endIndex: number;
  /** The first option that is not in the table, as written. */
  readonly unknown: string | undefined;
  /** The last option if its value is missing: any argument after it would become that value. */
  readonly incomplete: string | undefined;
}

interface ReadingStyle {
  /** Wrappers and xargs stop at the first operand: the rest belongs to another program. */
  readonly stopAtOperand?: boolean;
}

/** Parses arguments as getopt_long does: bundled and attached short options, `--` and options after operands. */
export function readOptions(
  args: readonly string[],
  table: OptionTable,
  style: ReadingStyle = {},
): ReadOptions {
  const state: ReadState = { args, table, options: [], operands: [], ...start };
  while (state.index < args.length && state.unknown === undefined) {
    const arg = args[state.index] ?? "";
    if (arg === "--") {
      state.operands.push(...args.slice(state.index + 1));
      return { ...finish(state, state.index + 1), endIndex: state.index };
    }
    if (arg.startsWith("--")) readLong(arg, state);
    else if (arg.startsWith("-") && arg !== "-") readShort(arg, state);
    else if (style.stopAtOperand) break;
    else state.operands.push(arg);
    state.index += 1;
  }
  return finish(state, state.index);
}

interface ReadState {
  readonly args: readonly string[];
  readonly table: OptionTable;
  readonly options: GivenOption[];
  readonly operands: string[];
  index: number;
  unknown: string | undefined;
  incomplete: string | undefined;
}

const start = { index: 0, unknown: undefined, incomplete: undefined };

function finish(state: ReadState, operandIndex: number): ReadOptions {
  const { options, operands, unknown, incomplete, args } = state;
  const rest = operands.length > 0 ? operands : args.slice(operandIndex);
  return { options, operands: rest, operandIndex, endIndex: args.length, unknown, incomplete };
}

function readLong(arg: string, state: ReadState): void {
  const equals = arg.indexOf("=");
  const name = equals < 0 ? arg : arg.slice(0, equals);
  const kind = state.table.entries.get(name);
  const given = equals < 0 ? undefined : arg.slice(equals + 1);
  if (kind === undefined || (kind === "none" && given !== undefined)) {
    state.unknown = name;
    return;
  }
  add(state, name, kind === "none" || kind === "optional" ? given : (given ?? takeNext(name, state)));
}

function readShort(arg: string, state: ReadState): void {
  if (state.table.numeric && /^-\d+$/.test(arg)) {
    add(state, "-#", arg.slice(1));
    return;
  }
  for (let at = 1; at < arg.length; at += 1) {
    const name = `-${arg[at]}`;
    const kind = state.table.entries.get(name);
    if (kind === undefined) {
      state.unknown = name;
      return;
    }
    if (kind === "none") {
      add(state, name, undefined);
      continue;
    }
    const glued = arg.slice(at + 1);
    if (kind === "optional") add(state, name, glued);
    else add(state, name, glued === "" ? takeNext(name, state) : glued);
    return;
  }
}

function takeNext(name: string, state: ReadState): string | undefined {
  state.index += 1;
  if (state.index >= state.args.length) state.incomplete = name;
  return state.args[state.index];
}

function add(state: ReadState, name: string, value: string | undefined): void {
  const isPath = state.table.entries.get(name) === "path";
  state.options.push({ name, value, isPath, index: state.index });
}
