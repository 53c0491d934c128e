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
import type { WorkspaceScan } from "./workspace-scan.js";

/** Creates a box for one run and removes it afterwards. */
export async function runAlone(request: SandboxRequest, setting: RunContext): Promise<SandboxOutcome> {
  const { workspace, signal, scan } = setting;
  const limits = limitsFor(request, setting);
  const { view, ...made } = await openViewFor(request, setting);
  const warnings = [...setting.withheld, ...made.warnings];
  const shared = sharedFolders(workspace.root, scan, request.passThrough);
  const group = setting.groups.create(limits);
  const written = request.repository === "write" ? writtenRepositories(request, workspace.root, scan) : [];
  const sweepRepositories = guardRepositories(written, join(setting.stateDirectory, "sandbox"));
  let network: BoxNetwork | undefined;
  let ports: BoxPorts | undefined;
  try {
    network = await openBoxNetwork(request.network, setting.reach);
    ports = await openBoxPorts(request.live === true ? request.ports : undefined);
    const bridges = [network, ports].filter((bridge) => bridge !== undefined);
    const launch = launchOf(request, {
      ...setting,
      limits,
      view,
      group,
      shared: shared.paths,
      network,
      bridges,
    });
    const end = await runSandboxed(launch, signal).finally(() => {
      const planted = sweepRepositories().map((path) => relative(workspace.root, path));
      if (planted.length > 0)
        warnings.push(`${planted.map(showPath).join(", ")}: removed, because git would run what it names`);
    });
    warnings.push(...(network?.warnings() ?? []));
    const own = OWN_PROCESSES + bridges.length;
    const used = { view, group, warnings, passedThrough: shared.paths, own };
    return await boxOutcome(used, { end, request, setting });
  } catch (error) {
    await disableInterrupted({ group, passedThrough: shared.paths }, { request, setting });
    throw error;
  } finally {
    await group.remove();
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
