import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { satisfies } from "semver";
import { expect, it } from "vitest";
import { packageJson, packageNames, ROOT } from "./source-files.js";

/** The oldest Node release that this project supports. */
const OLDEST = "20.19.0";

it("every dependency that ships supports the oldest Node we support", () => {
  const refused = packageNames().flatMap((name) => {
    const { dependencies = {}, peerDependencies = {} } = packageJson(name);
    return [...Object.keys({ ...dependencies, ...peerDependencies }), ...inlinedIn(name)]
      .filter((dependency) => !dependency.startsWith("@haft/"))
      .map((dependency) => join(ROOT, "packages", name, "node_modules", dependency, "package.json"))
      .filter((path) => existsSync(path))
      .map(
        (path) =>
          JSON.parse(readFileSync(path, "utf8")) as {
            name: string;
            version: string;
            engines?: { node?: string };
          },
      )
      .filter((json) => !admits(json.engines?.node ?? "*"))
      .map((json) => `${json.name}@${json.version} wants Node ${json.engines?.node}`);
  });
  expect(refused).toEqual([]);
});

it("covers every package of the workspace", () => {
  expect(readdirSync(join(ROOT, "packages")).length).toBe(packageNames().length);
});

/** Bundled files inside a package are not its dependencies. */
function inlinedIn(name: string): readonly string[] {
  const file = join(ROOT, "tooling/bundle/inlined.json");
  const inlined = JSON.parse(readFileSync(file, "utf8")) as Readonly<Record<string, readonly string[]>>;
  return inlined[`@haft/${name}`] ?? [];
}

function admits(range: string): boolean {
  return satisfies(OLDEST, range);
}
