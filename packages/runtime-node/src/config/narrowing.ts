/** The result of narrowing one setting of an untrusted configuration. */
export interface Narrowed {
  /** The part that can only narrow. Undefined if nothing is left. */
  readonly kept?: unknown;
  /** The parts that would widen. Each is a value of the configuration. */
  readonly ignored: readonly unknown[];
}

/** Decides what an untrusted configuration may do with one setting. */
export type Narrowing = (value: never) => Narrowed | Promise<Narrowed>;

/** Keeps a setting that can only narrow. */
export const narrows: Narrowing = (value: unknown) => ({ kept: value, ignored: [] });

/** Ignores a setting that can only widen. */
export const widens: Narrowing = (value: unknown) => ({ ignored: [value] });

/** Keeps a limit that is not above the default. */
export function atMost(most: number): Narrowing {
  return (value: number) => (value <= most ? { kept: value, ignored: [] } : { ignored: [value] });
}

/** Keeps only values that are at least as strict as the default. */
export function onlyValues(...values: readonly string[]): Narrowing {
  return (value: string) => (values.includes(value) ? { kept: value, ignored: [] } : { ignored: [value] });
}

/** Keeps the entries that pass a test; the others would widen. */
export function onlyEntries<T>(isWithin: (entry: T) => boolean): Narrowing {
  return (value: readonly T[]) => ({
    kept: value.filter(isWithin),
    ignored: value.filter((entry) => !isWithin(entry)),
  });
}
