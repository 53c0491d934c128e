import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { entriesOf, exportedNames, packageJson, packageNames, ROOT } from "./source-files.js";

const ENTRIES = packageNames().flatMap((name) => [...entriesOf(name)]);

// Adding a name to an entry makes it public API. `vitest -u` records that this was intended.
describe("public surface", () => {
  it.each(ENTRIES)("%s exports what is written down, by name", (_specifier, file) => {
    expect(readFileSync(file, "utf8"), "use named exports, not wildcards").not.toMatch(/export \*/);
    expect(exportedNames(file)).toMatchSnapshot();
  });

  it("FP11 the root of core exports fewer than 120 names, and its README lists every subpath", () => {
    const entries = entriesOf("core");
    expect(exportedNames(entries.get("@haft/core") ?? "").length).toBeLessThan(120);
    const readme = readFileSync(join(ROOT, "packages/core/README.md"), "utf8");
    const listed = [...readme.matchAll(/^\| `(@haft\/core[^`]*)`/gm)].map(([, specifier]) => specifier);
    expect(listed.sort()).toEqual([...entries.keys()].sort());
  });

  it("FP11 no name of core is exported by two entries", () => {
    const names = [...entriesOf("core").values()].flatMap((file) => exportedNames(file));
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it("packs declare that importing them has an effect, and take the kernel from their host", () => {
    for (const name of packageNames().filter((candidate) => packageJson(candidate).haft?.pack === true)) {
      const json = packageJson(name);
      expect(json.sideEffects, name).toBe(true);
      expect(json.peerDependencies, name).toHaveProperty("@haft/core");
      expect(json.dependencies ?? {}, name).not.toHaveProperty("tsyringe");
    }
  });
});
