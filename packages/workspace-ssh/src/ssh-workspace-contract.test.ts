import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describeWorkspaceContract } from "@haft/testing";
import { afterAll, beforeAll, describe } from "vitest";
import { type LoopbackSshd, noSshd, startSshd } from "../test-support/loopback-sshd.js";
import { openSshWorkspace } from "./open-ssh-workspace.js";
import type { SshWorkspace } from "./ssh-workspace.js";

const missing = noSshd();

describe.skipIf(missing !== undefined)(
  `over a real sshd${missing === undefined ? "" : `: ${missing}`}`,
  () => {
    let sshd: LoopbackSshd;
    let folder: string;
    let store: SshWorkspace;
    beforeAll(async () => {
      sshd = await startSshd();
      folder = sshd.folder();
      store = await openSshWorkspace({ ...sshd.login, knownHosts: sshd.knownHosts, path: folder });
    }, 60_000);
    afterAll(async () => {
      await store?.close();
      sshd?.stop();
    });

    // Logging in takes longer than a scenario, so all of them share one connection and an emptied folder.
    describeWorkspaceContract("SshWorkspace", async () => ({ store, dispose: () => empty(folder) }));
  },
);

function empty(folder: string): void {
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
}
