import { join } from "node:path";
import { execa } from "execa";
import { describe, expect, it } from "vitest";
import { assertBuilt } from "./built.js";
import { packageJson, packageNames, ROOT } from "./source-files.js";

const packs = packageNames().filter((name) => packageJson(name).haft?.pack === true);

// `import "@haft/tool-search/grep"` is for users who want one tool: it registers that tool and no other.
describe("the subpaths of a pack", () => {
  it.each(packs)("%s has one for each of its tools", { timeout: 60_000 }, async (pack) => {
    assertBuilt(pack);
    const { name, exports = {} } = packageJson(pack);
    const subpaths = Object.keys(exports).filter((path) => path !== "." && path !== "./package.json");
    const announced: string[] = [];
    for (const path of subpaths) {
      const tools = await announcedBy(pack, `${name}${path.slice(1)}`);
      expect(tools, path).toEqual([path.slice(2).replaceAll("-", "_")]);
      announced.push(...tools);
    }
    expect(announced.sort()).toEqual(await announcedBy(pack, name));
  });
});

/** Runs in its own process in the package's folder, because a package may import itself by name. */
async function announcedBy(pack: string, specifier: string): Promise<string[]> {
  const program = `
    import ${JSON.stringify(specifier)};
    import { catalog, definitionOf } from "@haft/core";
    console.log(JSON.stringify(catalog.snapshot().map((tool) => definitionOf(tool).name).sort()));
  `;
  const cwd = join(ROOT, "packages", pack);
  const { stdout } = await execa(process.execPath, ["--input-type=module", "-e", program], { cwd });
  return JSON.parse(stdout);
}
