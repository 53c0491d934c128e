import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CliIo } from "../cli-io.js";
import { consoleTrust } from "./console-trust.js";

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "haft-console-trust-")));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const trustIn = (choices: { readonly config?: string } = {}) => {
  const io = {
    cwd: folder,
    env: { XDG_STATE_HOME: join(folder, "state"), XDG_CONFIG_HOME: join(folder, "config") },
  };
  return consoleTrust({ workspace: folder, ...choices }, io as unknown as CliIo);
};
const configure = (config: object) => writeFileSync(join(folder, "haft.config.json"), JSON.stringify(config));

describe("S4 console: trust in a configuration", () => {
  it("does not ask without a configuration, or if it only narrows", async () => {
    expect(await trustIn().question()).toBeUndefined();
    configure({ role: "reader" });
    expect(await trustIn().question()).toBeUndefined();
  });

  it("shows the widening settings, and covers exactly the content that was shown", async () => {
    configure({ packs: ["@acme/tools"] });
    const asked = await trustIn().question();
    expect(asked).toMatchObject({
      isProgram: false,
      isDeclined: false,
      settings: [{ key: "packs", effect: expect.stringContaining("imports this package") }],
      files: [{ path: "haft.config.json", text: expect.stringContaining("@acme/tools") }],
    });
    configure({ packs: ["@evil/tools"] });
    await expect(trustIn().decide(asked?.digest ?? "", true)).rejects.toMatchObject({ code: "PLAN_CHANGED" });
    const again = await trustIn().question();
    await trustIn().decide(again?.digest ?? "", true);
    expect(await trustIn().question()).toBeUndefined();
  });

  it("remembers a refusal", async () => {
    configure({ packs: ["@acme/tools"] });
    const asked = await trustIn().question();
    await trustIn().decide(asked?.digest ?? "", false);
    expect(await trustIn().question()).toMatchObject({ isDeclined: true });
  });

  it("does not ask about a configuration named on the command line", async () => {
    configure({ packs: ["@acme/tools"] });
    expect(await trustIn({ config: "haft.config.json" }).question()).toBeUndefined();
  });
});
