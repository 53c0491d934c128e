// Each package as it would be published: publint for its manifest, are-the-types-wrong for its types.
// Run through pnpm, which both of them and the packing need.
import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "haft-packages-"));
const waiting = readdirSync("packages").filter((name) => manifest(name).private !== true);
const failures = [];

try {
  await Promise.all([worker(), worker()]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
if (failures.length > 0) {
  console.error(failures.join("\n\n"));
  process.exit(1);
}
console.log("every package is fit to be published");

async function worker() {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) await checkPackage(name);
}

async function checkPackage(name) {
  const destination = join(folder, name);
  await run("pnpm", ["pack", "--pack-destination", destination], { cwd: join("packages", name) });
  const tarball = join(destination, readdirSync(destination)[0]);
  await check(name, "publint", ["--strict", tarball]);
  if (manifest(name).exports?.["."] !== undefined) {
    await check(name, "attw", [tarball, "--profile", "esm-only", "--no-summary", "--format", "ascii"]);
  }
}

async function check(name, program, args) {
  try {
    await run(`node_modules/.bin/${program}`, args);
  } catch (error) {
    failures.push(`${name}: ${program}\n${error.stdout}${error.stderr}`);
  }
}

function manifest(name) {
  return JSON.parse(readFileSync(join("packages", name, "package.json"), "utf8"));
}
