import { firstObjection, type Objection, unlisted } from "./objection.js";
import type { OptionTable } from "./option-table.js";
import { namesOnly, objectToPath, type PathScope } from "./path-check.js";
import { type ReadOptions, readOptions } from "./read-options.js";

/** Built-in knowledge of one program: the arguments it accepts when it is allowed, in addition to the host's list. */
export type ProgramRule = (call: ProgramCall) => Objection | undefined;

export interface ProgramCall {
  readonly name: string;
  /** Without the program's name. */
  readonly args: readonly string[];
  readonly scope: PathScope;
  /** Whether the allow list contains the exact argv. */
  readonly isListedExactly: boolean;
  /** Whether the command reads from a pipe or a file. */
  readonly hasInput: boolean;
  /** Judges a command that this one would start. */
  readonly judgeInner: (argv: readonly string[]) => Objection | undefined;
}

interface RuleShape {
  readonly options: OptionTable;
  /** The kind of operands: files to read (the default), files to name, or no files. */
  readonly operands?: "paths" | "names" | "text" | "none";
  readonly maxOperands?: number;
  readonly check?: (read: ReadOptions, call: ProgramCall) => Objection | undefined;
}

/** Creates a rule from an option table and the kind of operands, which covers most programs. */
export function programRule(shape: RuleShape): ProgramRule {
  return (call) => {
    const read = readOptions(call.args, shape.options);
    return objectToOptions(read, call) ?? objectToOperands(read, shape, call) ?? shape.check?.(read, call);
  };
}

export function objectToOptions(read: ReadOptions, call: ProgramCall): Objection | undefined {
  if (read.unknown !== undefined) return unknownOption(call.name, read.unknown);
  return firstObjection(read.options, (option) =>
    option.isPath && option.value !== undefined ? objectToPath(option.value, call.scope) : undefined,
  );
}

export function objectToPaths(paths: readonly string[], call: ProgramCall): Objection | undefined {
  return firstObjection(paths, (path) => objectToPath(path, call.scope));
}

function unknownOption(program: string, option: string): Objection {
  return unlisted(`${program} ${option} is not an option that may run unasked`);
}

/** Objects to @file: some programs read further arguments from it. */
export function objectToResponseFile(read: ReadOptions): Objection | undefined {
  const file = read.operands.find((operand) => operand.startsWith("@"));
  return file === undefined ? undefined : unlisted(`${file} would be read as further arguments`);
}

export function hasOption(read: ReadOptions, ...names: readonly string[]): boolean {
  return read.options.some((option) => names.includes(option.name));
}

function objectToOperands(read: ReadOptions, shape: RuleShape, call: ProgramCall): Objection | undefined {
  const limit = shape.operands === "none" ? 0 : (shape.maxOperands ?? Number.POSITIVE_INFINITY);
  const extra = read.operands[limit];
  if (extra !== undefined) return unlisted(`${call.name} does not accept the operand ${extra} here`);
  if (shape.operands === "names")
    return objectToPaths(read.operands, { ...call, scope: namesOnly(call.scope) });
  return shape.operands === undefined || shape.operands === "paths"
    ? objectToPaths(read.operands, call)
    : undefined;
}
