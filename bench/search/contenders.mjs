// The compared ways to search and list a tree from Node.
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { globby } from "globby";
import { bundleModules } from "../../tooling/bundle/bundle-modules.mjs";

export async function listWithGlobby(root, glob) {
  return (await globby(glob, { cwd: root, gitignore: true })).length;
}

/**
 * Does what many tools do without ripgrep: reads every file and runs V8's RegExp over its lines. It skips fixed names
 * instead of applying ignore files.
 */
export async function naiveSearch(root, { pattern, ignoreCase }) {
  const regex = new RegExp(pattern, ignoreCase ? "iu" : "u");
  let lines = 0;
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || /\/(node_modules|\.git)(\/|$)/.test(`${entry.parentPath}/`)) continue;
    for (const line of readFileSync(`${entry.parentPath}/${entry.name}`, "utf8").split("\n"))
      if (regex.test(line)) lines++;
  }
  return lines;
}

const PACK = new URL("../../packages/tool-search/", import.meta.url);
/** Inside the pack's folder, so that its dependencies resolve. */
const ENGINE = new URL("node_modules/.cache/bench/engine/", PACK);

/** Bundles the engine's modules like the build does, because the pack does not export them. */
async function buildEngine() {
  const modules = [
    "node/node-search-engine",
    "node/path-guard",
    "walk/walk-options",
    "search/search-request",
  ].map((name) => [`engine/${name}`, `src/engine/${name}.ts`]);
  const outdir = fileURLToPath(new URL("..", ENGINE));
  await bundleModules({ home: fileURLToPath(PACK), outdir, entries: Object.fromEntries(modules) });
}

/** Created once for all measurements. */
const built = {};

/** Our engine with the guard of a workspace, kept between calls, as the tools use it. */
export async function openEngine(root) {
  built.engine ??= buildEngine();
  await built.engine;
  const { NodeSearchEngine } = await import(new URL("node/node-search-engine.js", ENGINE));
  const { withoutSlash } = await import(new URL("node/path-guard.js", ENGINE));
  const { DEFAULT_WALK } = await import(new URL("walk/walk-options.js", ENGINE));
  const { DEFAULT_LIMITS } = await import(new URL("search/search-request.js", ENGINE));
  const guard = new URL("../../packages/runtime-node/dist/workspace/thread-guard.js", import.meta.url);
  const data = { sensitive: [], reserved: [] };
  const mayOpen = await (await import(guard)).makeThreadGuard(data);
  const opened = new NodeSearchEngine({
    root,
    guard: { mayOpen: withoutSlash(mayOpen) },
    threads: () => ({
      entry: new URL("node/search-worker.js", ENGINE),
      guard: { url: guard.href, exportName: "makeThreadGuard", data },
    }),
  });
  const rest = {
    walk: DEFAULT_WALK,
    order: "relevance",
    offset: 0,
    limit: 50,
    filesOnly: false,
    context: { before: 2, after: 2 },
    limits: DEFAULT_LIMITS,
  };
  return {
    search: async (pattern, signal) => (await opened.search({ pattern, ...rest }, signal)).totalLines,
    warm: () => opened.warm(),
    dispose: () => opened.dispose(),
  };
}

/** The tools themselves in a runtime, which validates arguments, renders the answer and validates the result. */
export async function openRuntime(root) {
  await import("@haft/tool-search");
  const { createNodeRuntime } = await import("@haft/runtime-node");
  const runtime = await createNodeRuntime({ workspace: root, role: "reader" });
  const call = async (tool, args) => {
    const result = await runtime.call(tool, args);
    if (!result.ok) throw new Error(result.text);
    return result.value;
  };
  return {
    grep: async ({ pattern, ignoreCase = false }) =>
      (await call("grep", { pattern, case_sensitive: !ignoreCase })).totalMatches,
    glob: async (pattern) => (await call("glob", { pattern })).total,
    dispose: () => runtime.dispose(),
  };
}
