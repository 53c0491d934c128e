// Reruns failed test files one at a time, on an otherwise idle machine.
// Tests that pass then met a busy scheduler: they are named as unstable, and CI goes on. Tests that fail again fail CI.
// Usage: node tooling/rerun-failed.mjs VERDICT [CONFIG] (the verdict is written by vitest/verdict-reporter.ts, and
// updated in place)
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { execaSync } from "execa";

/** More failed files than this indicate a broken change, not a busy machine. */
const MOST_FILES = 20;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , verdictFile, config] = process.argv;
  process.exitCode = passesAlone(verdictFile, { config }) ? 0 : 1;
}

/**
 * Returns whether every failed file passes alone. After an error that no file accounts for, all tests run again:
 * `all` names them as the first run did.
 */
export function passesAlone(verdictFile, { node = process.execPath, env = {}, config, all = [] } = {}) {
  const verdict = JSON.parse(readFileSync(verdictFile, "utf8"));
  const { failedFiles } = verdict;
  const reason = whyNotRerun(verdict);
  if (reason !== undefined) {
    console.log(`\nnot run again: ${reason}`);
    note(verdictFile, verdict, reason);
    return false;
  }
  const stray = verdict.unhandledErrors;
  if (failedFiles.length === 0 && stray.length === 0) return true;
  if (stray.length > 0) console.log(`\nerrors outside of tests, of unknown origin:\n  ${stray.join("\n  ")}`);
  console.log(
    stray.length > 0 ? "\n== all tests again" : `\n== ${failedFiles.length} failed test files, alone`,
  );
  const again = stray.length > 0 ? all : [...failedFiles, "--maxWorkers=1"];
  const { exitCode } = execaSync(node, vitestRun(again, config), {
    stdio: "inherit",
    reject: false,
    env: { ...env, HAFT_VERDICT: `${verdictFile}.alone` },
  });
  if (exitCode !== 0) {
    note(verdictFile, verdict, `failed again: ${[...failedFiles, ...stray].join(", ")}`);
    return false;
  }
  console.log(
    `\nunstable (failed, then passed):\n${[...failedFiles, ...stray].map((name) => `  ${name}`).join("\n")}`,
  );
  const recovered = { ...verdict, passed: verdict.passed + verdict.failed, failed: 0, failedFiles: [] };
  writeFileSync(verdictFile, JSON.stringify(recovered));
  return true;
}

/** The last lines of CI repeat the reason, because only they are kept. */
function note(verdictFile, verdict, why) {
  writeFileSync(verdictFile, JSON.stringify({ ...verdict, why }));
}

/** Returns undefined where running the failed files again can tell an unstable test from a broken one. */
function whyNotRerun({ failedFiles, unhandledErrors, lateReports }) {
  if (failedFiles.length === 0 && unhandledErrors.length === 0 && lateReports === 0)
    return `every test passed, but vitest failed; ${coverage()}`;
  if (failedFiles.length > MOST_FILES)
    return `${failedFiles.length} failed files are more than ${MOST_FILES}`;
  return undefined;
}

/** What the packages with a threshold reached. */
function coverage() {
  const file = "coverage/coverage-summary.json";
  if (!existsSync(file)) return "no coverage was written";
  const files = Object.entries(JSON.parse(readFileSync(file, "utf8")));
  const reached = ["core", "runtime-node"].map((name) => {
    const own = files.filter(([path]) => path.includes(`/packages/${name}/src/`)).map(([, facts]) => facts);
    return `${name} lines ${percent(own, "lines")}, branches ${percent(own, "branches")}`;
  });
  return `coverage: ${reached.join("; ")}`;
}

function percent(files, kind) {
  const sum = (key) => files.reduce((total, facts) => total + facts[kind][key], 0);
  return `${((100 * sum("covered")) / sum("total")).toFixed(2)} %`;
}

/** The arguments of a vitest run that names its verdict. A configuration of its own chooses its own reporters. */
export function vitestRun(args, config) {
  const reporters = ["--reporter=dot", "--reporter=./tooling/vitest/verdict-reporter.ts"];
  const settings = config === undefined ? reporters : ["--config", config];
  return [resolve("node_modules/vitest/vitest.mjs"), "run", ...args, ...settings];
}
