import type { SandboxRequest } from "@haft/core/capabilities";
import { linkedWorktree } from "../process/linked-worktree.js";
import { unavailable } from "./find-bubblewrap.js";
import { tracksAny } from "./tracked-files.js";
import type { ScannedWorkspace, WorkspaceScan } from "./workspace-scan.js";

/** Returns the workspace as one run may see it: paths that rules close to it count as secret. */
export function withClosedPaths(
  workspace: ScannedWorkspace,
  { closed = [] }: Pick<SandboxRequest, "closed">,
): ScannedWorkspace {
  if (closed.length === 0) return workspace;
  const local = workspace.local?.without?.(closed);
  if (local === undefined) throw unavailable("rules close paths that this workspace cannot hide");
  return { root: workspace.root, local, vet: (path, options) => workspace.vet(path, options) };
}

/**
 * Returns the request without the contents of a repository that holds closed paths; git shows those under any name.
 */
export function withoutClosedHistory(
  request: SandboxRequest,
  workspace: ScannedWorkspace,
  { repositories }: Pick<WorkspaceScan, "repositories">,
): { readonly request: SandboxRequest; readonly warnings: readonly string[] } {
  const { closed = [], repository = "masked" } = request;
  const isLinked = linkedWorktree(workspace.root) !== undefined;
  if (closed.length === 0 || repository === "masked" || (repositories.length === 0 && !isLinked))
    return { request, warnings: [] };
  const { local } = withClosedPaths(workspace, request);
  const isClosed = (path: string) =>
    local?.mayOpen(path) === false && workspace.local?.mayOpen(path) !== false;
  const isInOneIndex = isLinked
    ? repositories.length === 0
    : repositories.length === 1 && repositories[0] === ".git";
  if (isInOneIndex && !tracksAny(workspace.root, isClosed)) return { request, warnings: [] };
  return { request: { ...request, repository: "masked" }, warnings: [NO_HISTORY] };
}

const NO_HISTORY =
  "git could only see names and versions: the repository holds files that a rule denies reading";
