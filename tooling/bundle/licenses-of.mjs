import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Collects the licences of all packages whose code is in a bundle. Each of them must be shipped with it. */
export function licensesOf(modules) {
  const folders = modules
    .filter((path) => /^[^\0].*[/\\]node_modules[/\\]/.test(path))
    .map((path) => packageFolder(dirname(path)));
  return [...new Set(folders)].sort().map(licenseIn).join("\n\n");
}

/** Finds the package folder by its name field: some packages contain further manifests below. */
function packageFolder(folder) {
  const manifest = join(folder, "package.json");
  if (existsSync(manifest) && JSON.parse(readFileSync(manifest, "utf8")).name !== undefined) return folder;
  return packageFolder(dirname(folder));
}

function licenseIn(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  const text = file === undefined ? "" : readFileSync(join(folder, file), "utf8").trim();
  return `${name} ${version} (${license})\n\n${text}\n`;
}
