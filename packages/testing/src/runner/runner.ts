/** Functions common to all test runners. Those without a per-test timeout ignore `timeoutMs`. */
interface TestRunner {
  describe(name: string, body: () => void): void;
  it(name: string, body: () => void | Promise<void>, timeoutMs?: number): void;
  afterAll(body: () => void | Promise<void>, timeoutMs?: number): void;
}

/** Uses vitest if it runs this module, the globals of jest, mocha or bun if present, otherwise node:test. */
export const { describe, it, afterAll } = await testRunner();

/** Registers a test only if it applies. */
export function itIf(condition: boolean, name: string, body: () => void | Promise<void>): void {
  if (condition) it(name, body);
}

async function testRunner(): Promise<TestRunner> {
  if (process.env.VITEST !== undefined) return import("vitest");
  const globals = globalThis as Partial<TestRunner> & { after?: TestRunner["afterAll"] };
  if (typeof globals.describe === "function" && typeof globals.it === "function") {
    const { describe: anyDescribe, it: anyIt } = globals;
    // Mocha's name is "after".
    return { describe: anyDescribe, it: anyIt, afterAll: globals.afterAll ?? globals.after ?? (() => {}) };
  }
  const { describe: nodeDescribe, it: nodeIt, after } = await import("node:test");
  return {
    describe: (name, body) => void nodeDescribe(name, body),
    it: (name, body, timeout = Infinity) => void nodeIt(name, { timeout }, body),
    afterAll: (body) => after(body),
  };
}
