import { describe, type TestOptions } from "vitest";

/** Like `describe`. Where the tests lack something, skips them and says in their title what. */
export function describeUnless(
  missing: string | undefined,
  name: string,
  ...suite: readonly [tests: () => void] | readonly [options: TestOptions, tests: () => void]
): void {
  const [tests, options = {}] = [...suite].reverse() as [() => void, TestOptions?];
  const title = missing === undefined ? name : `${name} (skipped: ${missing})`;
  describe.skipIf(missing !== undefined)(title, options, tests);
}
