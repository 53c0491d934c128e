import { once } from "node:events";
import { existsSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { liveProcesses } from "../../../../tooling/testing/live-processes.js";
import { type TemporaryWorkspace, temporaryWorkspace } from "../../test-support/temporary-workspace.js";
import { startProcess } from "../process/start-process.js";
import { launchOf } from "./box-launch.js";
import { boxSettings } from "./box-settings.js";
import { type ControlGroup, ControlGroups } from "./control-group.js";
import { readOnlyView } from "./copied-view.js";
import { findBubblewrap, SCRUBBED } from "./find-bubblewrap.js";
import { hostToolchains } from "./host-toolchains.js";
import { sandboxLimits } from "./sandbox-limits.js";
import type { SandboxLaunch } from "./sandboxed-process.js";
import { scanWorkspace } from "./workspace-scan.js";

const MARKER = "97.7531";
let place: TemporaryWorkspace;
let group: ControlGroup;

beforeEach(async () => {
  place = await temporaryWorkspace({ "a.txt": "one\n" });
  group = new ControlGroups().create(sandboxLimits());
});
afterEach(async () => {
  await group.remove();
  await place.dispose();
});

describe.skipIf(!existsSync("/usr/bin/bwrap"))(
  "a box whose parent died before the box could ask to die with it",
  () => {
    // The kernel closes the descriptors of a killed process late, after it has torn down its memory.
    it.each(["command", "code"] as const)(
      "FE21 runs no %s while the descriptors of the dead host are still open",
      async (kind) => {
        const child = startOrphan(await launch(kind));
        const status = (child.stdio as readonly unknown[])[7] as Readable;
        await once(status, "data");
        status.destroy();
        await vi.waitFor(() => expect(liveProcesses(MARKER)).toEqual([]), { timeout: 30_000, interval: 50 });
      },
      60_000,
    );
  },
);

async function launch(kind: "command" | "code"): Promise<SandboxLaunch> {
  const { workspace, root } = place;
  const toolchains = hostToolchains({ PATH: process.env.PATH }, root);
  return launchOf(
    { kind, argv: ["sleep", MARKER], timeoutMs: 60_000 },
    {
      workspace,
      limits: sandboxLimits(),
      programs: await findBubblewrap(),
      toolchains,
      settings: boxSettings(place.stateDirectory, toolchains),
      scan: scanWorkspace(workspace),
      view: readOnlyView(root),
      group,
      cwd: root,
      shared: [],
    },
  );
}

/** Starts the launcher below a process that is killed at once; this process keeps the descriptors. */
function startOrphan({ argv, data }: SandboxLaunch) {
  const child = startProcess({
    program: "/bin/sh",
    args: ["-c", '"$@" & kill -9 $$', "sh", ...argv],
    env: SCRUBBED,
    detached: true,
    stdio: ["ignore", "ignore", "inherit", "pipe", "pipe", "pipe", "ignore", "pipe"],
  });
  for (const [index, bytes] of data.entries()) (child.stdio[index + 3] as Writable).end(bytes);
  return child;
}
