// Checks each package as it would be published: its manifest (publint), types (are-the-types-wrong), licence,
// repository links and size, and the licences of its dependencies. Run through pnpm, which these tools and packing
// need.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";

const folder = mkdtempSync(join(tmpdir(), "haft-packages-"));
const waiting = readdirSync("packages").filter((name) => manifest(name).private !== true);
const failures = [];
/** The size limit of each tarball in kilobytes. Raise one only on purpose, with the reason in the commit. */
const BUDGETS = JSON.parse(readFileSync(new URL("./size-budgets.json", import.meta.url), "utf8"));
const LICENCES = /^(MIT|ISC|0BSD|BSD-[23]-Clause|Apache-2\.0|BlueOak-1\.0\.0|OFL-1\.1|Unlicense)$/;

try {
  await Promise.all([worker(), worker(), checkLicences()]);
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
  await execa("pnpm", ["pack", "--pack-destination", destination], { cwd: join("packages", name) });
  const tarball = join(destination, readdirSync(destination)[0]);
  await checkTarball(name, tarball);
  await check(name, "publint", ["--strict", tarball]);
  if (manifest(name).exports?.["."] !== undefined) {
    await check(name, "attw", [tarball, "--profile", "esm-only", "--no-summary", "--format", "ascii"]);
  }
}

async function checkTarball(name, tarball) {
  const { stdout: files } = await execa("tar", ["-tzf", tarball]);
  if (!files.includes("package/LICENSE\n")) failures.push(`${name}: the tarball has no LICENSE`);
  if (/\.(ts\.map|js\.map)$|(^|\/)src\/.*(?<!\.d)\.ts$/m.test(files))
    failures.push(`${name}: the tarball has sources or maps`);
  const { repository, homepage, bugs, keywords, publishConfig } = manifest(name);
  if (
    repository?.directory !== `packages/${name}` ||
    !homepage ||
    !bugs ||
    !keywords?.includes("haft") ||
    publishConfig?.provenance !== true
  )
    failures.push(
      `${name}: repository, homepage, bugs, keywords or provenance is missing in its package.json`,
    );
  const size = Math.ceil(statSync(tarball).size / 1024);
  if (!(size <= BUDGETS[name]))
    failures.push(`${name}: ${size} KB exceed the budget of ${BUDGETS[name]} KB (tooling/size-budgets.json)`);
}

/** Collects what users install with the packages, by licence. */
async function checkLicences() {
  const { stdout } = await execa("pnpm", [
    "licenses",
    "list",
    "--prod",
    "--json",
    "--filter",
    "./packages/*",
  ]);
  for (const [licence, installed] of Object.entries(JSON.parse(stdout))) {
    if (!LICENCES.test(licence))
      failures.push(`licence ${licence}: ${installed.map(({ name }) => name).join(", ")}`);
  }
}

async function check(name, program, args) {
  try {
    await execa(`node_modules/.bin/${program}`, args);
  } catch (error) {
    failures.push(`${name}: ${program}\n${error.stdout}${error.stderr}`);
  }
}

function manifest(name) {
  return JSON.parse(readFileSync(join("packages", name, "package.json"), "utf8"));
}
