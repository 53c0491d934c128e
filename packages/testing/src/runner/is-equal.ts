import { isDeepStrictEqual } from "node:util";

/** Matches every value of a type, such as `anyOf(String)`. */
class AnyOf {
  readonly #kind: Kind;

  constructor(kind: Kind) {
    this.#kind = kind;
  }

  matches(actual: unknown): boolean {
    return typeof actual === this.#kind.name.toLowerCase();
  }
}

type Kind = StringConstructor | NumberConstructor | BooleanConstructor;

export function anyOf(kind: Kind): unknown {
  return new AnyOf(kind);
}

export function isEqual(actual: unknown, expected: unknown): boolean {
  return compare(actual, expected, (from, to) => {
    const keys = new Set([...definedKeys(from), ...definedKeys(to)]);
    return [...keys].every((key) => isEqual(from[key], to[key]));
  });
}

export function isPartOf(actual: unknown, expected: unknown): boolean {
  return compare(actual, expected, (from, to) =>
    Object.keys(to).every((key) => isPartOf(from[key], to[key])),
  );
}

type Keyed = Readonly<Record<string, unknown>>;

function compare(
  actual: unknown,
  expected: unknown,
  compareKeys: (actual: Keyed, expected: Keyed) => boolean,
): boolean {
  if (expected instanceof AnyOf) return expected.matches(actual);
  if (Array.isArray(actual) !== Array.isArray(expected)) return false;
  if (Array.isArray(actual) && actual.length !== (expected as unknown[]).length) return false;
  if (hasKeys(actual) && hasKeys(expected)) return compareKeys(actual, expected);
  return isDeepStrictEqual(actual, expected);
}

/**
 * Returns true for objects and arrays. Values with internal content, such as a Map or bytes, are compared as a whole.
 */
function hasKeys(value: unknown): value is Keyed {
  if (typeof value !== "object" || value === null) return false;
  return !(
    value instanceof Map ||
    value instanceof Set ||
    value instanceof Date ||
    ArrayBuffer.isView(value)
  );
}

function definedKeys(value: Keyed): readonly string[] {
  return Object.keys(value).filter((key) => value[key] !== undefined);
}
