// Bundles a package's JavaScript into a few files, because Node takes longer to find a hundred small modules than to
// run them. Types come from tsc. Run in a package's folder after tsc; arguments name further modules to keep as files.
// With --together=MODULE, that module and everything it imports share one file among all exports. With
// --builtins-on-first-use, rarely used parts of Node are loaded when one of their functions is called.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { bundleModules } from "./bundle-modules.mjs";
import { licensesOf } from "./licenses-of.mjs";

const home = process.cwd();
const dist = join(home, "dist");
const { name, exports } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
/** Libraries that consist of many files and hold no shared state: they are bundled into the package. */
const INLINED = JSON.parse(readFileSync(new URL("./inlined.json", import.meta.url), "utf8"));

for (const file of scriptsBelow(dist)) rmSync(join(dist, file));
const { values, positionals } = parseArgs({
  options: { together: { type: "string" }, "builtins-on-first-use": { type: "boolean" } },
  allowPositionals: true,
});
const entries = { ...exported(), ...named(positionals) };
const { together, "builtins-on-first-use": builtinsWait } = values;
const inlined = INLINED[name];
const modules = await bundleModules({ home, outdir: dist, entries, inlined, together, builtinsWait });
const licenses = licensesOf(modules);
if (licenses !== "") writeFileSync(join(dist, "inlined-licenses.txt"), licenses);

/** Returns the exports of the manifest: the published file and its source module. */
function exported() {
  return Object.fromEntries(
    Object.values(exports)
      .filter((target) => target.default !== undefined)
      .map((target) => [target.default.slice("./dist/".length, -".js".length), target["@haft/source"]]),
  );
}

function named(modules) {
  return Object.fromEntries(modules.map((path) => [path.slice("src/".length, -".ts".length), path]));
}

/** Returns the scripts left by an earlier build. */
function scriptsBelow(folder) {
  return readdirSync(folder, { recursive: true }).filter((file) => /\.js(\.map)?$/.test(file));
}
