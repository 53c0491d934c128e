// Installs the peers into a cache folder on first use; they are not dependencies of the repository.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const VERSIONS = { "@dbos-inc/dbos-sdk": "5.3.0", bullmq: "6.7.0" };
/** Packages that a peer needs besides its own dependencies. */
const BESIDE = { bullmq: ["ioredis@5"] };

/** Returns the module and its location, or the reason why it cannot be used. */
export async function loadPeer(name) {
  const version = VERSIONS[name];
  const folder = new URL(
    `../../node_modules/.cache/bench-scale/${name.replace("/", "-")}-${version}/`,
    import.meta.url,
  ).pathname;
  const from = createRequire(join(folder, "package.json"));
  try {
    const entry = entryOf(from, name) ?? install(folder, from, name);
    return { module: from(entry), entry };
  } catch (cause) {
    return { skipped: `npm could not install ${name}@${version} (${cause.message.split("\n")[0]})` };
  }
}

function install(folder, from, name) {
  const wanted = [`${name}@${VERSIONS[name]}`, ...(BESIDE[name] ?? [])];
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  execFileSync("npm", ["install", ...flags, ...wanted], { cwd: folder, stdio: "pipe", timeout: 300_000 });
  return from.resolve(name);
}

function entryOf(from, name) {
  try {
    return from.resolve(name);
  } catch {
    return undefined;
  }
}
