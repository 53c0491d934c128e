// Runs the fast half of the tests on the other supported Node releases. Names and skips a release that cannot be
// installed.
import { existsSync, mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { execaSync } from "execa";
import { passesAlone, vitestRun } from "./rerun-failed.mjs";

const RELEASES = ["20", "22", "24"];
const INSTALL_MS = 180_000;

/** The tests that depend on Node most, without those that are slow or need the build. */
const FAST_HALF = ["core", "mcp", "runtime-node", "text", "tool-fs", "tool-search", "tool-web"].map(
  (name) => `packages/${name}/`,
);
const SLOW = [
  "packages/core/src/calls/simulation.test.ts",
  "packages/mcp/src/http/sessions.test.ts",
  "packages/mcp/src/transport/back-pressure.test.ts",
  "packages/runtime-node/src/approval/many-approvals.test.ts",
  "packages/runtime-node/src/calls/file-call-store.test.ts",
  "packages/runtime-node/src/journal/pid-namespaces.test.ts",
  "packages/runtime-node/src/process/known-git-keys.test.ts",
  "packages/runtime-node/src/sandbox/**",
  "packages/text/src/glob/bash-differences.test.ts",
  "packages/tool-search/src/engine/node/idle-preparation.test.ts",
  "packages/tool-search/src/engine/node/node-search-engine.test.ts",
  "packages/tool-search/src/path-rules.test.ts",
];

const own = process.versions.node.split(".")[0];
const failed = RELEASES.filter((release) => release !== own).filter((release) => !passesOn(release));
process.exitCode = failed.length > 0 ? 1 : 0;

function passesOn(release) {
  const node = install(release);
  if (node === undefined) return true;
  console.log(`\n== tests on ${execaSync(node, ["--version"]).stdout}`);
  // So that tests that start `node` by name start this one.
  const env = { PATH: `${dirname(node)}${delimiter}${process.env.PATH}` };
  const verdict = resolve(mkdtempSync(join(tmpdir(), "haft-verdict-")), "verdict.json");
  const all = [...FAST_HALF, ...SLOW.flatMap((pattern) => ["--exclude", pattern])];
  const { exitCode } = execaSync(node, vitestRun(all), {
    stdio: "inherit",
    reject: false,
    env: { ...env, HAFT_VERDICT: verdict },
  });
  const passes = exitCode === 0 || passesAlone(verdict, { node, env, all });
  if (!passes) console.error(`tests failed on Node ${release}`);
  return passes;
}

/** Returns the path of the program; undefined if there is none for this machine, or if it cannot be downloaded. */
function install(release) {
  const name = `node-${process.platform}-${process.arch}`;
  const folder = resolve("node_modules/.cache/haft-node", release);
  const program = resolve(folder, "node_modules", name, "bin/node");
  const args = ["install", "--no-save", "--no-audit", "--no-fund", "--prefix", folder, `${name}@${release}`];
  try {
    mkdirSync(folder, { recursive: true });
    if (!existsSync(program)) execaSync("npm", args, { timeout: INSTALL_MS });
    execaSync(program, ["--version"]);
    return program;
  } catch (error) {
    console.error(`skipped: Node ${release} cannot be installed (${error.shortMessage ?? error.message})`);
    return undefined;
  }
}
