import type { PackProject } from "../scaffold.js";
import { packageReadme } from "./package-readme.js";

/** All files of a package except its sources. */
export function projectFiles(project: PackProject): Readonly<Record<string, string>> {
  const isTyped = project.language === "ts";
  return {
    "package.json": json(manifest(project)),
    "README.md": packageReadme(project),
    ".gitignore": "node_modules/\ndist/\n*.tgz\n",
    ".github/workflows/release.yml": releaseWorkflow(isTyped),
    [`vitest.config.${project.language}`]: vitestConfig(project.language),
    ...(isTyped && { "tsconfig.json": json(TSCONFIG) }),
  };
}

function manifest({ names, kind, language, version }: PackProject): object {
  const isTyped = language === "ts";
  const [major = "0", minor = "0"] = version.split(".");
  const entry = isTyped ? { types: "./dist/index.d.ts", default: "./dist/index.js" } : "./src/index.js";
  return {
    name: names.packageName,
    version: "0.1.0",
    description: kind === "tool" ? `${names.title}, a tool for agents.` : `${names.title}: tools for agents.`,
    license: "MIT",
    type: "module",
    exports: { ".": entry, "./package.json": "./package.json" },
    files: isTyped ? ["dist"] : ["src", "!src/**/*.test.js"],
    sideEffects: true,
    keywords: ["haft", "haft-tool"],
    haft: { pack: true },
    scripts: {
      ...(isTyped && { build: "tsc -p tsconfig.json" }),
      test: "vitest run",
      prepublishOnly: isTyped ? "npm test && npm run build" : "npm test",
    },
    publishConfig: { access: "public", provenance: true },
    peerDependencies: { "@haft/core": `>=${major}.${minor}.0 <${Number(major) + 1}` },
    devDependencies: {
      "@haft/core": `^${version}`,
      "@haft/testing": `^${version}`,
      ...(isTyped && { typescript: "^5.9.0" }),
      vitest: "^4.1.0",
    },
  };
}

const TSCONFIG = {
  compilerOptions: {
    target: "ES2022",
    module: "NodeNext",
    strict: true,
    declaration: true,
    skipLibCheck: true,
    types: [],
    rootDir: "src",
    outDir: "dist",
    // vitest compiles decorators only with it.
    experimentalDecorators: true,
  },
  include: ["src"],
  exclude: ["src/**/*.test.ts"],
};

// Without its own configuration vitest uses that of the repository around it.
function vitestConfig(language: string): string {
  return `import { defineConfig } from "vitest/config";

export default defineConfig({
  test: { include: ["src/**/*.test.${language}"] },
});
`;
}

function releaseWorkflow(isTyped: boolean): string {
  const build = isTyped ? "      - run: npm run build\n" : "";
  return `name: release
on:
  push:
    tags: ["v*"]
permissions:
  contents: read
  id-token: write
jobs:
  publish:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 22
          registry-url: https://registry.npmjs.org
      - run: npm install
      - run: npm test
${build}      - run: npm publish
        env:
          NODE_AUTH_TOKEN: \${{ secrets.NPM_TOKEN }}
`;
}

function json(value: object): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
