import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type TemporaryWorkspace, temporaryWorkspace } from "../../test-support/temporary-workspace.js";
import { chooseSandbox, probeSandbox, type SandboxProbes } from "./choose-sandbox.js";
import { findBubblewrap } from "./find-bubblewrap.js";
import { findPortable } from "./portable-sandbox.js";
import { type SandboxTier, sandboxLimits } from "./sandbox-limits.js";

let place: TemporaryWorkspace;
let bare: string;

beforeEach(async () => {
  place = await temporaryWorkspace({ "a.txt": "one\n" });
  bare = mkdtempSync(join(tmpdir(), "haft-bare-"));
});
afterEach(() => {
  place.dispose();
  rmSync(bare, { recursive: true, force: true });
});

/** Machines with neither sandbox, with a broken bubblewrap, and with just-bash only. */
const nothing: SandboxProbes = {
  bubblewrap: () => findBubblewrap([bare]),
  portable: () => findPortable(bare),
};
const portableOnly: SandboxProbes = { ...nothing, portable: () => findPortable() };

function run(tier?: SandboxTier, probes?: SandboxProbes) {
  const { workspace, stateDirectory } = place;
  const sandbox = chooseSandbox({ workspace, limits: sandboxLimits(), stateDirectory, tier, probes });
  const request = { argv: ["bash", "-c", "cat a.txt; echo x > made"] as const, timeoutMs: 30_000 };
  return { sandbox, outcome: sandbox.run(request, new AbortController().signal) };
}

describe("chooseSandbox", { timeout: 40_000 }, () => {
  it("R22 runs nothing without confinement, and names the remedy", async () => {
    for (const tier of ["auto", "bubblewrap", "portable"] as const) {
      const { sandbox, outcome } = run(tier, nothing);
      const error = await outcome.catch((thrown) => thrown);
      expect(error).toMatchObject({ code: "SANDBOX_UNAVAILABLE" });
      expect(error.hint).toContain("Nothing was run");
      if (tier !== "portable") expect(error.hint).toContain("apt install bubblewrap");
      if (tier !== "bubblewrap") expect(error.hint).toContain("npm install just-bash");
      expect(sandbox.tier).toBe(tier);
    }
  });

  it("R22 uses the portable tier if bubblewrap is missing, or by choice", async () => {
    for (const [tier, probes] of [
      ["auto", portableOnly],
      ["portable", undefined],
    ] as const) {
      const { sandbox, outcome } = run(tier, probes);
      expect(await outcome).toMatchObject({
        stdout: { text: "one\n" },
        changes: [{ kind: "file", path: "made" }],
      });
      expect(sandbox.tier).toBe("portable");
    }
    expect(await probeSandbox("auto", portableOnly)).toMatchObject({
      tier: "portable",
      detail: expect.stringMatching(/just-bash 3\..*bubblewrap is not installed/),
      fix: "apt install bubblewrap",
    });
  });

  it("uses bubblewrap if it works, probed once", async () => {
    const { sandbox, outcome } = run();
    expect(sandbox.tier).toBe("auto");
    expect(await outcome).toMatchObject({
      stdout: { text: "one\n" },
      changes: [{ kind: "file", path: "made" }],
    });
    expect(sandbox.tier).toBe("bubblewrap");
    let probed = 0;
    const counting = {
      ...nothing,
      bubblewrap: () => {
        probed += 1;
        return findBubblewrap();
      },
    };
    const { workspace, stateDirectory } = place;
    const counted = chooseSandbox({ workspace, limits: sandboxLimits(), stateDirectory, probes: counting });
    const signal = new AbortController().signal;
    for (let round = 0; round < 3; round += 1)
      await counted.run({ argv: ["true"], timeoutMs: 20_000 }, signal);
    expect(probed).toBe(1);
    expect(await probeSandbox()).toEqual({ tier: "bubblewrap", detail: "bubblewrap, namespaces work" });
  });

  it("reports why an installed bubblewrap does not work", async () => {
    writeFileSync(
      join(bare, "bwrap"),
      "#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2; exit 1\n",
      { mode: 0o755 },
    );
    const found = await probeSandbox("auto", { ...nothing, bubblewrap: () => findBubblewrap([bare]) });
    expect(found.tier).toBe("none");
    expect(found.detail).toContain("No permissions to create new namespace");
    expect(found.fix).toContain("user namespaces");
  });

  it("does not hide a failed probe behind another tier", async () => {
    const broken = { ...portableOnly, bubblewrap: () => Promise.reject(new TypeError("a defect")) };
    await expect(run("auto", broken).outcome).rejects.toThrow("a defect");
  });
});
