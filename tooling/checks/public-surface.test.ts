import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { packageJson, packageNames, ROOT } from "./source-files.js";

// Adding a name to a package's index.ts makes it public API. `vitest -u` records that it was meant.
describe("public surface", () => {
  it.each(libraries())("%s exports what is written down, by name", (name) => {
    const text = readFileSync(join(ROOT, "packages", name, "src/index.ts"), "utf8");
    expect(text, "use named exports, not wildcards").not.toMatch(/export \*/);
    const names = [...text.matchAll(/export\s+(?:type\s+)?\{([^}]*)\}/g)].flatMap(([, list = ""]) =>
      list.split(","),
    );
    const clean = names.map((entry) => entry.replace(/\btype\b|\/\/.*$/gm, "").trim()).filter(Boolean);
    expect(clean.sort()).toMatchSnapshot();
  });

  it("packs say that importing them has an effect, and take the kernel from their host", () => {
    for (const name of packageNames().filter((candidate) => packageJson(candidate).haft?.pack === true)) {
      const json = packageJson(name);
      expect(json.sideEffects, name).toBe(true);
      expect(json.peerDependencies, name).toHaveProperty("@haft/core");
      expect(json.dependencies ?? {}, name).not.toHaveProperty("tsyringe");
    }
  });
});

function libraries(): readonly string[] {
  return packageNames().filter((name) => packageJson(name).exports?.["."] !== undefined);
}
