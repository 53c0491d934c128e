/** Validates a value in place and fills in defaults. Returns the problems found. */
export type Validator = (value: unknown) => readonly SchemaProblem[];

export interface SchemaProblem {
  /** JSON pointer to the value, "" for the whole. */
  readonly pointer: string;
  readonly keyword: string;
  readonly message: string;
  readonly params: Readonly<Record<string, unknown>>;
}
