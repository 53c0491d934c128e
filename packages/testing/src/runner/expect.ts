import { AssertionError } from "node:assert";
import { anyOf, isEqual, isPartOf } from "./is-equal.js";

/** The assertions the contracts use, in vitest's spelling, so that they run under every test runner. */
export function expect(actual: unknown): Expectation {
  return expectation(actual, false);
}
expect.any = anyOf;

interface Expectation {
  readonly not: Expectation;
  readonly rejects: RejectExpectation;
  toBe(expected: unknown): void;
  /** Compares by content; undefined properties count as missing. */
  toEqual(expected: unknown): void;
  /** Requires every key of the expected object; arrays must have the same length. */
  toMatchObject(expected: unknown): void;
  toHaveLength(length: number): void;
  toBeUndefined(): void;
  toMatch(pattern: RegExp): void;
  toContain(item: unknown): void;
  toThrow(): void;
  toBeGreaterThan(limit: number): void;
  toBeLessThanOrEqual(limit: number): void;
}

interface RejectExpectation {
  toMatchObject(expected: unknown): Promise<void>;
  toThrow(pattern?: RegExp | string): Promise<void>;
}

function expectation(actual: unknown, isNegated: boolean): Expectation {
  const check = (operator: string, holds: boolean, expected?: unknown): void => {
    if (holds !== isNegated) return;
    const name = isNegated ? `not ${operator}` : operator;
    throw new AssertionError({ actual, expected, operator: name, stackStartFn: check });
  };
  return {
    get not() {
      return expectation(actual, !isNegated);
    },
    get rejects() {
      return rejection(actual as Promise<unknown>);
    },
    toBe: (expected) => check("toBe", Object.is(actual, expected), expected),
    toEqual: (expected) => check("toEqual", isEqual(actual, expected), expected),
    toMatchObject: (expected) => check("toMatchObject", isPartOf(actual, expected), expected),
    toHaveLength: (length) => check("toHaveLength", (actual as { length: number }).length === length, length),
    toBeUndefined: () => check("toBeUndefined", actual === undefined),
    toMatch: (pattern) => check("toMatch", pattern.test(actual as string), pattern),
    toContain: (item) => check("toContain", contains(actual, item), item),
    toThrow: () => check("toThrow", throws(actual as () => unknown)),
    toBeGreaterThan: (limit) => check("toBeGreaterThan", (actual as number) > limit, limit),
    toBeLessThanOrEqual: (limit) => check("toBeLessThanOrEqual", (actual as number) <= limit, limit),
  };
}

function rejection(work: Promise<unknown>): RejectExpectation {
  return {
    toMatchObject: async (expected) => expect(await reasonOf(work)).toMatchObject(expected),
    toThrow: async (pattern = "") => {
      const reason = await reasonOf(work);
      const message = reason instanceof Error ? reason.message : String(reason);
      if (typeof pattern === "string") expect(message).toContain(pattern);
      else expect(message).toMatch(pattern);
    },
  };
}

async function reasonOf(work: Promise<unknown>): Promise<unknown> {
  let value: unknown;
  try {
    value = await work;
  } catch (reason) {
    return reason;
  }
  throw new AssertionError({ message: "the promise was expected to reject", actual: value });
}

function contains(actual: unknown, item: unknown): boolean {
  if (typeof actual === "string") return actual.includes(item as string);
  return [...(actual as Iterable<unknown>)].some((one) => Object.is(one, item));
}

function throws(work: () => unknown): boolean {
  try {
    work();
    return false;
  } catch {
    return true;
  }
}
