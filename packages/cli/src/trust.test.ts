import { existsSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { inTerminal } from "./fixtures/pty-session.js";
import { runInProcess } from "./fixtures/run-in-process.js";
import { temporaryWorkspace } from "./fixtures/temporary-workspace.js";

let workspace: ReturnType<typeof temporaryWorkspace>;
beforeEach(() => {
  workspace = temporaryWorkspace({ "a.txt": "hello\n" });
});
afterEach(() => workspace.remove());

const haft = (...args: string[]) => runInProcess(args, { cwd: workspace.folder });
const configure = (config: object) => workspace.write("haft.config.json", JSON.stringify(config));
const WIDE = {
  role: "admin",
  commands: { allow: ["make"] },
  web: { search: { provider: "brave", url: "http://127.0.0.1:9/", apiKeyEnv: "CANARY" } },
};

describe("FE6 an untrusted configuration", () => {
  it.each([
    ["tools"],
    ["call", "read_file", '{"path":"a.txt"}'],
    ["prompt"],
    ["schema"],
    ["policy", "explain", "glob", '{"pattern":"*"}'],
  ])("%s ignores widening settings, with one warning that names haft trust", async (...args) => {
    configure(WIDE);
    const { code, stderr } = await haft(...args);
    expect(code).toBe(0);
    expect(stderr.match(/haft trust/g)).toHaveLength(1);
    expect(stderr).toBe(
      `haft: ${join(workspace.folder, "haft.config.json")} is not trusted and only narrows; ` +
        "ignored: role, commands.allow, web.search. Review and trust it: haft trust\n",
    );
  });

  it("does not offer the tools of a wider role, and still removes tools", async () => {
    configure({ role: "admin", tools: { disabled: ["grep"] } });
    const { stdout } = await haft("tools");
    expect(stdout).not.toContain("web_fetch");
    expect(stdout).not.toMatch(/^grep /m);
    expect(stdout).toMatch(/^write_file /m);
  });

  it("prints nothing if the configuration only narrows", async () => {
    configure({ role: "reader" });
    const { stdout, stderr } = await haft("tools");
    expect(stdout).not.toContain("write_file");
    expect(stderr).toBe("");
  });

  it("is not executed, but applies if it is named with --config", async () => {
    const mark = join(workspace.folder, "has-run");
    const source = `require("node:fs").writeFileSync(${JSON.stringify(mark)}, ""); export default { role: "reader" };`;
    workspace.write("haft.config.ts", source);
    const found = await haft("tools");
    expect(found.stderr).toContain("haft.config.ts is not trusted and was not executed");
    expect(existsSync(mark)).toBe(false);
    const named = await haft("tools", "--config", "haft.config.ts");
    expect([named.stderr, existsSync(mark)]).toEqual(["", true]);
    expect(named.stdout).not.toContain("write_file");
  });
});

describe("FE6 haft trust", () => {
  it("trusts the exact content until it changes or is revoked", async () => {
    configure(WIDE);
    const trusted = await haft("trust", "--yes");
    expect(trusted).toMatchObject({
      code: 0,
      stdout: `trusted: ${join(workspace.folder, "haft.config.json")}\n`,
    });
    expect(trusted.stderr).toContain("role would add:\n│ NetworkAccess\n");
    expect(trusted.stderr).toContain(
      "⋮ each search sends the environment variable CANARY to http://127.0.0.1:9/",
    );
    const wide = await haft("tools");
    expect([wide.stderr, wide.stdout.includes("web_fetch")]).toEqual(["", true]);
    expect((await haft("trust", "--list")).stdout).toMatch(/current +\/.*haft\.config\.json/);
    configure({ ...WIDE, readBeforeWrite: "off" });
    expect((await haft("tools")).stderr).toContain("is not trusted");
    expect((await haft("trust", "--list", "--json")).json()).toMatchObject([{ state: "changed" }]);
    configure(WIDE);
    expect((await haft("trust", "--revoke")).stdout).toContain("revoked: ");
    expect((await haft("tools")).stderr).toContain("is not trusted");
    expect((await haft("trust", "--list")).stderr).toBe("No configuration is trusted.\n");
  });

  it("revokes a configuration that is reached through a link", async () => {
    workspace.write("shared/wide.json", JSON.stringify(WIDE));
    symlinkSync(join("shared", "wide.json"), join(workspace.folder, "haft.config.json"));
    expect((await haft("trust", "--yes")).code).toBe(0);
    expect((await haft("tools")).stderr).toBe("");
    const link = join(workspace.folder, "haft.config.json");
    expect((await haft("trust", "--revoke")).stdout).toBe(`revoked: ${link}\n`);
    expect((await haft("tools")).stderr).toContain("is not trusted");
  });

  it("does not apply to a link in another folder that leads to the trusted file", async () => {
    configure(WIDE);
    await haft("trust", "--yes");
    const other = temporaryWorkspace({});
    try {
      symlinkSync(join(workspace.folder, "haft.config.json"), join(other.folder, "haft.config.json"));
      const { stdout, stderr } = await haft("tools", "--workspace", other.folder);
      expect(stderr).toContain(`${join(other.folder, "haft.config.json")} is not trusted and only narrows`);
      expect(stdout).not.toContain("web_fetch");
      await haft("trust", "--revoke", "--workspace", other.folder);
      expect((await haft("tools")).stderr).toBe("");
    } finally {
      other.remove();
    }
  });

  it("needs a terminal for its question, and a configuration", async () => {
    expect(await haft("trust")).toMatchObject({ code: 2, stderr: expect.stringContaining("NO_CONFIG") });
    configure(WIDE);
    expect(await haft("trust")).toMatchObject({ code: 2, stderr: expect.stringContaining("NO_TERMINAL") });
    configure({ role: "reader" });
    expect((await haft("trust")).stdout).toContain("nothing to trust");
  });

  it("asks in a terminal, and accepts yes only after the whole content was visible", async () => {
    configure(WIDE);
    const session = inTerminal(["trust"], { cwd: workspace.folder, columns: 60, rows: 12 });
    await session.until(/v = view all, then yes; n = no\n>$/);
    session.type("y\r");
    await session.until(/trust .* of \d+/);
    session.type("G");
    await session.until(/, end/);
    session.type("q");
    await session.until(/y = yes, n = no, v = view all\n>$/);
    expect(session.visible().join("\n")).toContain("Trust ");
    session.type("y\r");
    expect(await session.ended).toBe(0);
    expect((await haft("tools")).stderr).toBe("");
  });

  it.each([
    ["haft trust", ["trust"]],
    ["the first haft run", ["run", "hello", "--base-url", "http://127.0.0.1:9/v1", "--model", "m"]],
  ])("Ctrl-C at the question of %s decides nothing and exits with 130", async (_name, args) => {
    configure(WIDE);
    const session = inTerminal(args, { cwd: workspace.folder });
    await session.until(/y = yes, n = no, v = view all\n>$/);
    session.type("\u0003");
    expect(await session.ended).toBe(130);
    expect(session.screen()).toMatch(/\n>$/);
    expect((await haft("tools")).stderr).toContain("is not trusted");
  });

  it("asks on the first haft run, once for the same content", async () => {
    configure(WIDE);
    const env = { OPENAI_BASE_URL: "http://127.0.0.1:9/v1", OPENAI_API_KEY: "x", HAFT_MODEL: "m" };
    const run = () => inTerminal(["run", "hello"], { cwd: workspace.folder, env });
    const first = run();
    await first.until(/y = yes, n = no, v = view all\n>$/);
    first.type("n\r");
    await first.until(/is not trusted and only narrows/);
    first.hangUp();
    await first.ended;
    const second = run();
    expect(await second.until(/is not trusted and only narrows/)).not.toContain("y = yes");
    second.hangUp();
  });
});
