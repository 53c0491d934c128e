/**
 * A command line that was completely parsed: data that a runner can execute without a shell. Steps run in order; `&&`
 * runs a step if the last status was 0, `||` if it was not, `;` always. A skipped step leaves the status unchanged,
 * as in bash.
 */
export interface CommandPlan {
  readonly text: string;
  readonly steps: readonly PlannedStep[];
}

export interface PlannedStep {
  readonly joiner: Joiner;
  /** `! pipeline`: inverts the exit status. */
  readonly negated: boolean;
  /** Joined by pipes; never empty. */
  readonly commands: readonly PlannedCommand[];
}

export type Joiner = ";" | "&&" | "||";

export interface PlannedCommand {
  /** The source text, for messages. */
  readonly text: string;
  readonly words: readonly PlannedWord[];
  readonly assignments: readonly EnvironmentAssignment[];
  /** In source order, which decides what a duplicate refers to. */
  readonly redirections: readonly PlannedRedirection[];
  /** Files that redirections write to, if the command needs a shell. */
  readonly writes?: readonly string[];
  /** Variables that it sets or declares, if the command needs a shell. An unknown value is "…". */
  readonly variables?: readonly EnvironmentAssignment[];
}

/** `value` is the argument itself; for a glob, the text that remains without a match. */
export type PlannedWord =
  | { readonly kind: "literal"; readonly value: string }
  | { readonly kind: "glob"; readonly value: string; readonly pieces: readonly GlobPiece[] };

export type GlobPiece =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "star" }
  | { readonly kind: "question" }
  /** The bracket expression as written, brackets included. */
  | { readonly kind: "bracket"; readonly text: string };

export interface EnvironmentAssignment {
  readonly name: string;
  readonly value: string;
}

export type StandardDescriptor = 0 | 1 | 2;

export type PlannedRedirection =
  | { readonly kind: "null"; readonly fd: StandardDescriptor }
  | { readonly kind: "read"; readonly fd: 0; readonly path: string }
  | { readonly kind: "duplicate"; readonly fd: StandardDescriptor; readonly from: StandardDescriptor };

export function literalWord(value: string): PlannedWord {
  return { kind: "literal", value };
}

/** Returns the arguments as far as they are known before globs are expanded. */
export function argvOf(command: PlannedCommand): string[] {
  return command.words.map((word) => word.value);
}
