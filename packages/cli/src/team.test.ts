import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { postgresStore } from "@haft/store-postgres";
import { remoteRuntime } from "@haft/worker/remote";
import { afterAll, beforeAll, expect, it } from "vitest";
import { describeUnless } from "../../../tooling/testing/describe-unless.js";
import { noPostgres, type PostgresServer, startPostgres } from "../../../tooling/testing/start-postgres.js";
import { BIN } from "./fixtures/run-haft.js";
import { runInProcess } from "./fixtures/run-in-process.js";

const BOT = { tenant: "team", id: "bot" };
describeUnless(noPostgres(), "haft store and haft worker", { timeout: 60_000 }, () => {
  let server: PostgresServer;
  const cwd = mkdtempSync(join(tmpdir(), "haft-team-"));
  beforeAll(async () => {
    server = await startPostgres();
  }, 60_000);
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
    rmSync(cwd, { recursive: true, force: true });
  }, 60_000);
  const haft = (...args: readonly string[]) => runInProcess([...args, "--store", server.url], { cwd });

  it("FP5 migrates, shows the state, sets rights, verifies the audit log and prunes", async () => {
    expect((await haft("store", "migrate")).stdout).toContain("applied version 1, 2");
    expect((await haft("store", "migrate")).stdout).toContain("nothing to do");
    expect((await haft("store", "member")).stdout).toContain("approvals cannot be answered");
    expect((await haft("store", "member", "ann", "--rights", "approve")).stdout).toContain("ann");
    expect(await haft("store", "member", "ann", "--rights", "fly")).toMatchObject({ code: 2 });
    const status = (await haft("store", "status", "--json")).json();
    expect(status).toMatchObject({ version: { found: 2, needed: 2 }, workers: [], queue: [], approvals: [] });
    expect((await haft("store", "prune", "--days", "0")).stdout).toContain("Deleted 0 calls");
    expect((await haft("store", "prune", "--days", "1e99")).stdout).toContain("Deleted 0 calls");
    expect((await haft("audit", "--verify")).stdout).toContain("The audit log is empty");
  });

  it("FP5 reports a missing store", async () => {
    const { code, stderr } = await runInProcess(["store", "status"], { cwd, env: { HAFT_STORE: "" } });
    expect(code).toBe(2);
    expect(stderr).toContain("--store postgres://");
  });

  it("FP5 a worker process executes calls and drains on SIGTERM", async () => {
    await haft("store", "migrate");
    mkdirSync(join(cwd, "root/ws"), { recursive: true });
    writeFileSync(join(cwd, "root/ws/a.txt"), "alpha\n");
    const args = [BIN, "worker", "--root", "root", "--store", server.url];
    const child = spawn(process.execPath, args, { cwd, stdio: ["ignore", "ignore", "pipe"] });
    const ended = new Promise((resolve) => child.once("exit", resolve));
    const store = postgresStore(server.url);
    try {
      const runtime = await remoteRuntime({ workspace: "ws", store, connectMs: 50_000 });
      expect(await runtime.call("read_file", { path: "a.txt" })).toMatchObject({ ok: true });
      expect(runtime.tools().map(({ name }) => name)).toContain("grep");
      await runtime.dispose();
      child.kill("SIGTERM");
      expect(await ended).toBe(0);
      const { workspaces } = await store.calls.overview({});
      expect(workspaces).toEqual([
        {
          tenant: "default",
          workspace: "ws",
          epoch: 1,
          calls: { queued: 0, preparing: 0, awaiting_approval: 0, running: 0 },
        },
      ]);
    } finally {
      child.kill("SIGKILL");
      await store.close();
    }
  });

  it("FP5 FP7 a worker applies its configuration, and leaves broken packs out", async () => {
    await haft("store", "migrate");
    await haft("store", "member", "ann", "--rights", "approve", "--tenant", "team");
    mkdirSync(join(cwd, "team/ws/docs"), { recursive: true });
    mkdirSync(join(cwd, "bad"), { recursive: true });
    const manifest = { name: "acme-bad", version: "1.0.0", type: "module", exports: "./index.js" };
    writeFileSync(join(cwd, "bad/package.json"), JSON.stringify(manifest));
    writeFileSync(join(cwd, "bad/index.js"), 'throw new Error("no licence key");');
    const rules = [
      { effect: "allow", when: { path: "docs/**", change: ["create"] } },
      { effect: "deny", when: { path: "legal/**" }, reason: "ask a lawyer" },
    ];
    const config = { role: "editor", packs: ["./bad", "@haft/tool-fs"], rules };
    writeFileSync(join(cwd, "team.json"), JSON.stringify(config));
    const args = [BIN, "worker", "--root", "team", "--tenant", "team", "--config", "team.json"];
    const child = spawn(process.execPath, [...args, "--store", server.url], {
      cwd,
      stdio: ["ignore", "ignore", "pipe"],
    });
    let printed = "";
    child.stderr.on("data", (chunk) => (printed += chunk));
    const ended = new Promise((resolve) => child.once("exit", resolve));
    const store = postgresStore(server.url);
    try {
      const runtime = await remoteRuntime({ workspace: "ws", principal: BOT, store, connectMs: 50_000 });
      expect(printed).toContain("haft: skipped a pack: acme-bad could not be imported: no licence key.");
      expect(runtime.tools().map(({ name }) => name)).not.toContain("grep");
      expect(await runtime.call("create_file", { path: "docs/a.md", content: "a" })).toMatchObject({
        ok: true,
      });
      expect(await runtime.call("create_file", { path: "legal/a.md", content: "a" })).toMatchObject({
        error: { code: "POLICY_DENIED" },
      });
      await runtime.dispose();
      child.kill("SIGTERM");
      expect(await ended).toBe(0);
    } finally {
      child.kill("SIGKILL");
      await store.close();
    }
  });

  it.each([
    ["a misspelt rule", { rules: [{ tool: "raed_file", effect: "deny" }] }, "read_file"],
    ["MCP servers", { mcpServers: { jira: { command: "jira" } } }, "A worker starts no MCP servers"],
    ["a misspelt key", { rulez: [] }, "rules"],
  ])(
    "FP5 a worker's configuration with %s is an error at start, also without workspaces",
    async (_what, config, message) => {
      mkdirSync(join(cwd, "empty"), { recursive: true });
      writeFileSync(join(cwd, "wrong.json"), JSON.stringify(config));
      const { code, stderr } = await haft("worker", "--root", "empty", "--config", "wrong.json");
      expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
    },
  );
});
