import { expect, test } from "vitest";
import { until, useConsole } from "../../test-support/console-client.js";
import { teamAtWork } from "../../test-support/team-at-work.js";

const open = useConsole();

test("S4 console: the team page lists workers, leases and quotas, and decides for members only", async () => {
  await using team = await teamAtWork();
  const { store, calling, read } = team;
  const { get, post } = await open({ team: { store, tenant: "acme" } });
  const info = await until(
    () => get("/api/team"),
    ({ approvals }) => approvals.length === 1,
  );
  expect(info).toMatchObject({
    tenant: "acme",
    mayApprove: false,
    workspaces: [
      { workspace: "shop", worker: expect.any(String), expiresAtMs: expect.any(Number) },
      { workspace: "warehouse" },
    ],
    quotas: { maxRunning: expect.any(Number), maxQueued: expect.any(Number) },
    calls: { awaiting_approval: 1 },
    workers: [{ worker: "build-1", workspaces: ["shop", "warehouse"] }],
    queue: [{ tool: "write_file", workspace: "shop", state: "awaiting_approval" }],
    approvals: [{ workspace: "shop", request: { tool: "write_file" } }],
  });
  expect(JSON.stringify(info.queue)).not.toContain("two");
  const decision = { id: info.approvals[0].id, answer: { approved: true } };
  const refused = await post("/api/team", decision);
  expect(JSON.parse(refused.body)).toMatchObject({
    code: "PERMISSION_DENIED",
    hint: expect.stringContaining("haft store member ada --rights approve"),
  });
  await store.members.put({ tenant: "acme", id: "ada", rights: ["approve"] });
  expect((await get("/api/team")).mayApprove).toBe(true);
  expect((await post("/api/team", decision)).status).toBe(200);
  expect(await calling).toMatchObject({ ok: true });
  expect(read()).toBe("two\n");
  expect((await post("/api/team", decision)).status).toBe(409);
});

test("S4 console: the team page reports a missing shared store", async () => {
  const { get, post } = await open();
  expect(await get("/api/team")).toBeNull();
  expect((await post("/api/team", { id: "x", answer: { approved: true } })).status).toBe(404);
});
