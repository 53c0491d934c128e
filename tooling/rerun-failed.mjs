// Reruns failed test files one at a time on an otherwise idle machine. Tests that pass then were disturbed by load: they are listed as unstable, and
// CI continues. Tests that fail again fail CI.
// Usage: node tooling/rerun-failed.mjs VERDICT [CONFIG] (vitest/verdict-reporter.ts writes the verdict, and this script updates it)
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { execaSync } from "execa";

/** More failed files than this indicate a broken change, not a busy machine. */
const MOST_FILES = 20;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , verdictFile, config] = process.argv;
  process.exitCode = passesAlone(verdictFile, { config }) ? 0 : 1;
}

/** Returns whether every failed file passes alone. */
export function passesAlone(verdictFile, { node = process.execPath, env = {}, config } = {}) {
  const verdict = JSON.parse(readFileSync(verdictFile, "utf8"));
  const { failedFiles, unhandledErrors } = verdict;
  const reason = whyNotRerun(failedFiles, unhandledErrors);
  if (reason !== undefined) {
    console.log(`\nnot run again: ${reason}`);
    note(verdictFile, verdict, reason);
    return false;
  }
  console.log(`\n== ${failedFiles.length} failed test files, alone`);
  const { exitCode } = execaSync(node, vitestRun([...failedFiles, "--maxWorkers=1"], config), {
    stdio: "inherit",
    reject: false,
    env: { ...env, HAFT_VERDICT: `${verdictFile}.alone` },
  });
  if (exitCode !== 0) {
    note(verdictFile, verdict, `failed again alone: ${failedFiles.join(", ")}`);
    return false;
  }
  console.log(
    `\nunstable (failed beside others, passed alone):\n${failedFiles.map((file) => `  ${file}`).join("\n")}`,
  );
  const recovered = { ...verdict, passed: verdict.passed + verdict.failed, failed: 0, failedFiles: [] };
  writeFileSync(verdictFile, JSON.stringify(recovered));
  return true;
}

/** The last lines of CI repeat the reason, because only they are kept. */
function note(verdictFile, verdict, why) {
  writeFileSync(verdictFile, JSON.stringify({ ...verdict, why }));
}

/** Returns the reason why a rerun cannot distinguish an unstable test from a broken one; undefined if it can. */
function whyNotRerun(failedFiles, unhandledErrors) {
  if (unhandledErrors.length > 0) return `unhandled errors: ${unhandledErrors.join(" | ")}`;
  if (failedFiles.length === 0)
    return "every test passed; coverage is below its threshold, or vitest failed otherwise";
  if (failedFiles.length > MOST_FILES)
    return `${failedFiles.length} failed files are more than ${MOST_FILES}`;
  return undefined;
}

/** Returns the arguments of a vitest run that writes its verdict. A custom configuration chooses its own reporters. */
export function vitestRun(args, config) {
  const reporters = ["--reporter=dot", "--reporter=./tooling/vitest/verdict-reporter.ts"];
  const settings = config === undefined ? reporters : ["--config", config];
  return [resolve("node_modules/vitest/vitest.mjs"), "run", ...args, ...settings];
}
