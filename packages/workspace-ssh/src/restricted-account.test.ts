import { expect, it } from "vitest";
import { describeUnless } from "../../../tooling/testing/describe-unless.js";
import { noSshd, startSshd } from "../test-support/loopback-sshd.js";
import { openSshWorkspace } from "./index.js";

describeUnless(noSshd(), "an account that may not run programs", { timeout: 60_000 }, () => {
  it.each([
    ["has no login shell", "/usr/sbin/nologin"],
    ["may only transfer files", "internal-sftp"],
    ["prints a greeting before anything else", "echo hello from the shell"],
    ["greets without end", "yes welcome"],
    ["says nothing and stays", "sleep 600"],
  ])("FP6 %s: opening fails and says what is needed", async (_what, command) => {
    const sshd = await startSshd([`ForceCommand ${command}`]);
    try {
      const opening = openSshWorkspace({
        ...sshd.login,
        path: "/tmp",
        knownHosts: sshd.knownHosts,
        timeoutMs: 3_000,
      });
      await expect(opening).rejects.toMatchObject({
        name: "ToolError",
        code: "IO_ERROR",
        message: expect.stringMatching(/did not start/),
        hint: expect.stringContaining("Python 3.6 or newer"),
      });
    } finally {
      sshd.stop();
    }
  });
});
