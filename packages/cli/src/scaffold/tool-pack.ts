import { packReadme } from "./pack-readme.js";
import { packTest, packTool } from "./pack-sources.js";

/** The names that one word stands for: `word-count`. */
export interface PackNames {
  readonly folder: string;
  readonly packageName: string;
  readonly toolName: string;
  readonly exportName: string;
}

export function packNames(name: string): PackNames {
  const words = name.split(/[-_]/);
  return {
    folder: name,
    packageName: `haft-tool-${words.join("-")}`,
    toolName: words.join("_"),
    exportName: words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join(""),
  };
}

/** A whole tool pack, as paths and contents. Plain JavaScript: nothing has to be built. */
export function toolPack(names: PackNames, coreVersion: string): Readonly<Record<string, string>> {
  return {
    "package.json": `${JSON.stringify(manifest(names, coreVersion), undefined, 2)}\n`,
    "src/index.js": `export { ${names.exportName} } from "./${names.folder}.js";\n`,
    [`src/${names.folder}.js`]: packTool(names),
    [`src/${names.folder}.test.js`]: packTest(names),
    "vitest.config.js": VITEST_CONFIG,
    "README.md": packReadme(names),
  };
}

// Without one of its own vitest takes the nearest above: that of whatever repository this was made in.
const VITEST_CONFIG = `import { defineConfig } from "vitest/config";

export default defineConfig({
  test: { include: ["src/**/*.test.js"] },
});
`;

function manifest({ packageName }: PackNames, coreVersion: string): object {
  const [major = "0", minor = "0"] = coreVersion.split(".");
  return {
    name: packageName,
    version: "0.1.0",
    description: "A tool for agents.",
    license: "MIT",
    type: "module",
    exports: { ".": "./src/index.js", "./package.json": "./package.json" },
    files: ["src", "!src/**/*.test.js"],
    sideEffects: true,
    keywords: ["haft", "haft-tool"],
    haft: { pack: true },
    scripts: { test: "vitest run" },
    peerDependencies: { "@haft/core": `>=${major}.${minor}.0 <${Number(major) + 1}` },
    devDependencies: {
      "@haft/core": `^${coreVersion}`,
      "@haft/testing": `^${coreVersion}`,
      vitest: "^4.1.0",
    },
  };
}
