// The direction of imports, checked by dependency-cruiser (`pnpm check:architecture`).
// text <- core <- { tool-*, runtime-node, prompt-formatter, agent, testing } <- { mcp, cli, console } <- examples

const TESTS = "\\.test\\.ts$|/fixtures/|/test-support/|\\.fixture\\.ts$";
const INLINED = Object.values(require("./bundle/inlined.json")).flat();
const packages = (names) => `^packages/(${names})/`;

/** Lists the packages that shipped source of `from` may never import. */
function forbid(name, from, to, comment) {
  return { name, comment, severity: "error", from: { path: from, pathNot: TESTS }, to: { path: to } };
}

module.exports = {
  forbidden: [
    {
      name: "no-value-cycles",
      comment: "Cycles are import-order bugs waiting to happen; types may refer to each other.",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    forbid("text-stands-alone", packages("text"), "^packages/(?!text/)", "text knows nothing of Haft."),
    forbid(
      "core-knows-only-text",
      packages("core"),
      "^packages/(?!core/|text/)",
      "The kernel knows no tool and no host.",
    ),
    forbid(
      "packs-know-only-the-kernel",
      packages("tool-[^/]+"),
      packages(
        "runtime-node|prompt-formatter|agent|mcp|cli|console|testing|worker|store-postgres|workspace-ssh",
      ),
      "A pack runs in any host.",
    ),
    {
      name: "packs-stand-alone",
      comment: "A tool pack never imports another tool pack.",
      severity: "error",
      from: { path: "^packages/(tool-[^/]+)/", pathNot: TESTS },
      to: { path: "^packages/tool-", pathNot: "^packages/$1/" },
    },
    forbid(
      "middle-layer-stays-below",
      packages("runtime-node|prompt-formatter|agent|testing"),
      packages("mcp|cli|console|worker|store-postgres|workspace-ssh|tool-[^/]+"),
      "Hosts compose; they are not composed.",
    ),
    forbid(
      "stores-know-only-the-kernel",
      packages("store-postgres|telemetry"),
      "^packages/(?!store-postgres/|telemetry/|core/|text/)",
      "They serve any host.",
    ),
    forbid(
      "remote-workspaces-know-only-paths",
      packages("workspace-ssh"),
      "^packages/(?!workspace-ssh/|core/|text/|runtime-node/src/(paths|workspace)/)",
      "A workspace elsewhere shares how paths are judged, and nothing that runs.",
    ),
    forbid(
      "a-remote-runtime-executes-nothing",
      "^packages/worker/src/remote/",
      packages("runtime-node|tool-[^/]+"),
      "The process that makes calls loads nothing of the one that executes them.",
    ),
    {
      name: "no-node-in-kernel",
      comment: "These run anywhere JavaScript runs.",
      severity: "error",
      from: { path: packages("core|text|prompt-formatter|tool-edit"), pathNot: TESTS },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "node-only-in-engine-folders",
      comment: "A pack or the loop may use Node only in a folder named node/, its declared engine.",
      severity: "error",
      from: { path: "^packages/(tool-[^/]+|agent)/src/", pathNot: `/node/|${TESTS}` },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "tsyringe-in-one-place",
      comment: "Only one file loads the container, after its polyfill.",
      severity: "error",
      from: { path: "^packages/", pathNot: "^packages/core/src/service/inject\\.ts$" },
      to: { path: "node_modules/(tsyringe|reflect-metadata)/" },
    },
    {
      name: "barrels-only-from-outside",
      comment: "A package's index.ts is its public face, never imported from inside.",
      severity: "error",
      from: { path: "^packages/([^/]+)/src/", pathNot: TESTS },
      to: { path: "^packages/$1/src/index\\.ts$" },
    },
    {
      name: "declared-dependencies-only",
      comment: "What a package imports stands in its own package.json, or comes inside it (tooling/bundle).",
      severity: "error",
      from: { path: "^packages/", pathNot: TESTS },
      to: {
        pathNot: `node_modules/(${INLINED.join("|")})/`,
        dependencyTypes: ["npm-no-pkg", "npm-unknown", "npm-dev"],
        // A name with "#" is defined in package.json, together with its package.
        dependencyTypesNot: ["npm-peer", "npm", "aliased-subpath-import"],
      },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^packages/[^/]+/(dist|coverage)/" },
    tsPreCompilationDeps: true,
    combinedDependencies: false,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["@haft/source", "import", "node", "default"],
      extensions: [".ts", ".js"],
    },
  },
};
