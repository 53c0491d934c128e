/**
 * What a command line becomes once it was understood: data that a runner can carry out without any shell.
 * Steps run in order; `&&` runs a step when the last status was 0, `||` when it was not, `;` always.
 * A skipped step leaves the status as it is, which is how bash evaluates such a list.
 */
export interface CommandPlan {
  readonly text: string;
  readonly steps: readonly PlannedStep[];
}

export interface PlannedStep {
  readonly joiner: Joiner;
  /** `! pipeline`: the exit status is turned around. */
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
}

/** `value` is the argument itself; for a glob it is what remains when nothing matches. */
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

/** The arguments as far as they are known before globs are expanded. */
export function argvOf(command: PlannedCommand): string[] {
  return command.words.map((word) => word.value);
}
