// Bundles a package's JavaScript into a few files: Node takes longer to find a hundred small modules than to run them.
// Types come from tsc. Run in a package's folder after it; arguments name further modules to keep as files.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bundleModules } from "./bundle-modules.mjs";
import { licensesOf } from "./licenses-of.mjs";

const home = process.cwd();
const dist = join(home, "dist");
const { name, exports } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
/** Libraries that are many files each and hold nothing another copy must share: they come inside the package. */
const INLINED = JSON.parse(readFileSync(new URL("./inlined.json", import.meta.url), "utf8"));

for (const file of scriptsBelow(dist)) rmSync(join(dist, file));
const entries = { ...exported(), ...named(process.argv.slice(2)) };
const modules = await bundleModules({ home, outdir: dist, entries, inlined: INLINED[name] });
const licenses = licensesOf(modules);
if (licenses !== "") writeFileSync(join(dist, "inlined-licenses.txt"), licenses);

/** What the manifest exports: the file it promises, and the module that is its source. */
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

/** What an earlier build left. */
function scriptsBelow(folder) {
  return readdirSync(folder, { recursive: true }).filter((file) => /\.js(\.map)?$/.test(file));
}
