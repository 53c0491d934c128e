import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

/** Includes the packs that the bundled command depends on, instead of finding them on disk. */
export function carryPacks({ home }) {
  return {
    name: "carry-packs",
    load: {
      filter: { id: /[/\\]open[/\\]bundled-packs\.ts$/ },
      handler: () => `export const bundledPacks = [${packsOf(home).map(entryFor).join(", ")}];`,
    },
  };
}

function packsOf(home) {
  const require = createRequire(join(home, "package.json"));
  const { dependencies } = readJson(join(home, "package.json"));
  return Object.keys(dependencies)
    .filter((name) => name.startsWith("@haft/"))
    .map((name) => readJson(require.resolve(`${name}/package.json`)))
    .filter(({ haft }) => haft?.pack === true);
}

function entryFor({ name, version }) {
  const [quotedName, quotedVersion] = [name, version].map((text) => JSON.stringify(text));
  return `{ name: ${quotedName}, version: ${quotedVersion}, load: () => import(${quotedName}) }`;
}

function readJson(path) {
  return JSON.parse(readFileSync(path, "utf8"));
}
