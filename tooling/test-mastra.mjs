// Proves the Mastra adapter with the real library, which is too big (132 MB) for every install. Installs it into a
// temporary folder, together with the Node release it needs if this one is older.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { execaSync } from "execa";

const MASTRA = "@mastra/core@1.71.0";
const NODE_MAJOR = 22;

const folder = mkdtempSync(join(tmpdir(), "haft-mastra-install-"));
const proof = fileURLToPath(
  new URL("../packages/prompt-formatter/test-support/mastra-proof.mjs", import.meta.url),
);
try {
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  run("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", MASTRA]);
  const isNewEnough = Number(process.versions.node.split(".")[0]) >= NODE_MAJOR;
  if (isNewEnough) run(process.execPath, [proof, folder]);
  else run("npx", ["-y", "-p", `node@${NODE_MAJOR}`, "node", proof, folder]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function run(program, args) {
  execaSync(program, args, { cwd: folder, stdio: "inherit" });
}
