import type { LocalFolder } from "@haft/core/workspace";
import { NodeSearchEngine } from "./node-search-engine.js";
import { withoutSlash } from "./path-guard.js";

/** Opens the engine for a folder of this machine. It reads only files that the folder's guard permits. */
export function openSearchEngine(local: LocalFolder): NodeSearchEngine {
  return new NodeSearchEngine({
    root: local.root,
    guard: { mayOpen: withoutSlash((path) => local.mayOpen(path)) },
    threads: () => ({ entry: new URL("./search-worker.js", import.meta.url), guard: local.guardModule }),
  });
}
