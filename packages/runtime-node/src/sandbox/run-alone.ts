import { join, relative } from "node:path";
import type { SandboxOutcome, SandboxRequest } from "@haft/core/capabilities";
import { showPath } from "@haft/core/workspace";
import { linkedWorktree } from "../process/linked-worktree.js";
import { limitsFor, type RunContext } from "./box-context.js";
import { launchOf } from "./box-launch.js";
import { type BoxNetwork, openBoxNetwork } from "./box-network.js";
import { boxOutcome, disableInterrupted } from "./box-outcome.js";
import { type BoxPorts, openBoxPorts } from "./box-ports.js";
import { repositoriesAround } from "./bubblewrap-arguments.js";
import { guardRepositories } from "./guard-repositories.js";
import { openViewFor } from "./open-view.js";
import { sharedFolders } from "./pass-through.js";
import { OWN_PROCESSES, runSandboxed } from "./sandboxed-process.js";
import { removeStaleLocks } from "./stale-locks.js";
import type { WorkspaceScan } from "./workspace-scan.js";

/** Creates a box for one run and removes it afterwards. */
export async function runAlone(request: SandboxRequest, context: RunContext): Promise<SandboxOutcome> {
  const { workspace, signal, scan } = context;
  const limits = limitsFor(request, context);
  const { view, ...made } = await openViewFor(request, context);
  const warnings = [...context.withheld, ...made.warnings];
  const shared = sharedFolders(workspace.root, scan, request.passThrough);
  const group = context.groups.create(limits);
  const written = request.repository === "write" ? writtenRepositories(request, workspace.root, scan) : [];
  const sweepRepositories = guardRepositories(written, join(context.stateDirectory, "sandbox"));
  let network: BoxNetwork | undefined;
  let ports: BoxPorts | undefined;
  // Also where an error ends the run.
  let isStopped = true;
  try {
    network = await openBoxNetwork(request.network, context.reach);
    ports = await openBoxPorts(request.live === true ? request.ports : undefined);
    const bridges = [network, ports].filter((bridge) => bridge !== undefined);
    const opened = { limits, view, group, shared: shared.paths, network, bridges };
    const launch = launchOf(request, { ...context, ...opened });
    const end = await runSandboxed(launch, signal).finally(() => {
      const planted = sweepRepositories().map((path) => relative(workspace.root, path));
      if (planted.length > 0)
        warnings.push(`${planted.map(showPath).join(", ")}: removed, because git would run what it names`);
    });
    isStopped = end.endedBy !== undefined || end.isEarly || signal.aborted;
    warnings.push(...(network?.warnings() ?? []));
    const own = OWN_PROCESSES + bridges.length;
    const used = { view, group, warnings, passedThrough: shared.paths, own };
    return await boxOutcome(used, { end, request, setting: context });
  } catch (error) {
    await disableInterrupted({ group, passedThrough: shared.paths }, { request, setting: context });
    throw error;
  } finally {
    await group.remove();
    const { startedAtMs } = context;
    // A git that ended by itself has removed its locks: one that is left belongs to another program.
    for (const repository of isStopped ? written : [])
      removeStaleLocks(repository, { startedAtMs, endedAtMs: Date.now() });
    await view.close();
    shared.close();
    ports?.close();
    await network?.close();
  }
}

function writtenRepositories(
  { gitFolders }: SandboxRequest,
  root: string,
  scan: WorkspaceScan,
): readonly string[] {
  const inside = repositoriesAround({ scan, gitFolders }).map((name) => `${root}/${name}`);
  const linked = inside.length > 0 ? undefined : linkedWorktree(root);
  return linked === undefined ? inside : [linked.commonDirectory, linked.gitDirectory];
}
