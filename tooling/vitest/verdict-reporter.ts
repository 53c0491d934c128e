import { writeFileSync } from "node:fs";
import type { Reporter, TestModule } from "vitest/node";

/** The outcome of a test run, read by `rerun-failed.mjs` and `print-counts.mjs`. */
export interface Verdict {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Files with a failed test or an error outside of tests, and files whose worker exited before they finished. */
  readonly failedFiles: readonly string[];
  /** Messages of errors outside of tests that no file in `failedFiles` accounts for. */
  readonly unhandledErrors: readonly string[];
  /**
   * Reports of workers that the busy main process took in late. A test whose outcome one of them lost is unfinished.
   */
  readonly lateReports: number;
}

/**
 * Lists failed tests, files that never finished, and tests that passed only on a second try. With `HAFT_VERDICT=FILE`
 * it also writes the verdict there.
 */
export default class VerdictReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    print("unstable (passed on the second try)", titles(modules, "passed", true));
    print("failed", titles(modules, "failed"));
    print(
      "not finished (its worker exited)",
      modules.filter(isUnfinished).map((module) => `  ${module.relativeModuleId}`),
    );
    const file = process.env.HAFT_VERDICT;
    if (file !== undefined) writeFileSync(file, JSON.stringify(verdictOf(modules, unhandledErrors)));
  }
}

function titles(modules: readonly TestModule[], state: "passed" | "failed", flaky = false): string[] {
  return modules.flatMap((module) =>
    [...module.children.allTests(state)]
      .filter((test) => !flaky || test.diagnostic()?.flaky)
      .map((test) => `  ${module.relativeModuleId} > ${test.fullName}`),
  );
}

function isUnfinished(module: TestModule): boolean {
  return (
    ["pending", "queued"].includes(module.state()) || [...module.children.allTests("pending")].length > 0
  );
}

function print(heading: string, lines: readonly string[]): void {
  if (lines.length > 0) console.log(`\n${heading}:\n${lines.join("\n")}`);
}

function verdictOf(modules: readonly TestModule[], errors: readonly unknown[]): Verdict {
  const count = (state: "passed" | "failed" | "skipped") =>
    modules.reduce((sum, module) => sum + [...module.children.allTests(state)].length, 0);
  const unfinished = modules.filter(isUnfinished);
  const erring = new Set(errors.map(fileOfError));
  const failedFiles = modules
    .filter((module) => !module.ok() || unfinished.includes(module) || erring.has(module.moduleId))
    .map((module) => module.relativeModuleId);
  const known = new Set(modules.map((module) => module.moduleId));
  const unattributed = errors.filter((error) => !known.has(fileOfError(error) ?? ""));
  const exits = unattributed.filter(isWorkerExit).slice(0, unfinished.length);
  const late = unattributed.filter(isLateReport);
  const forgiven = new Set([...exits, ...late]);
  return {
    passed: count("passed"),
    failed: count("failed"),
    skipped: count("skipped"),
    failedFiles,
    unhandledErrors: unattributed.filter((error) => !forgiven.has(error)).map(messageOf),
    lateReports: late.length,
  };
}

/** Returns the test file that was running when the error was thrown. Vitest records it on the error. */
function fileOfError(error: unknown): string | undefined {
  const file = (error as { VITEST_TEST_PATH?: unknown } | undefined)?.VITEST_TEST_PATH;
  return typeof file === "string" ? file : undefined;
}

function messageOf(error: unknown): string {
  return String((error as { message?: unknown } | undefined)?.message ?? error).slice(0, 300);
}

function isLateReport(error: unknown): boolean {
  return messageOf(error).startsWith("[vitest-worker]: Timeout calling");
}

function isWorkerExit(error: unknown): boolean {
  const cause = (error as { cause?: { message?: unknown } } | undefined)?.cause;
  return String(cause?.message).includes("Worker exited unexpectedly");
}
