import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FileRunJournalStore } from "@haft/agent/node";
import { openAiModel } from "@haft/agent/openai";
import { startScriptedModel } from "@haft/agent/scripted-model";
import { memorySharedStore } from "@haft/core/calls";
import { createNodeRuntime } from "@haft/runtime-node";
import { WriteFile } from "@haft/tool-fs";
import { serveWorkspaces } from "@haft/worker";
import { remoteRuntime } from "@haft/worker/remote";
import { expect, test } from "vitest";
import { consoleClient, until } from "../../test-support/console-client.js";
import { serveConsole } from "../serve-console.js";

const ARGS = { path: "price.txt", content: "12\n" };

test("FP5 S4 console: a run whose calls a worker executes is shown, approved and finished", async () => {
  const root = mkdtempSync(join(tmpdir(), "haft-remote-run-"));
  const own = join(root, "own");
  mkdirSync(join(root, "served/shop"), { recursive: true });
  mkdirSync(own);
  writeFileSync(join(root, "served/shop/price.txt"), "10\n");
  const store = memorySharedStore();
  const rules = [{ tool: "write_file", effect: "ask" }] as const;
  const served = {
    root: join(root, "served"),
    store,
    tools: [WriteFile],
    rules,
    readBeforeWrite: "off",
  } as const;
  const worker = await serveWorkspaces({ ...served, pollMs: 100 });
  const model = await startScriptedModel([
    { calls: [{ name: "write_file", args: ARGS }] },
    { text: "Done." },
  ]);
  await store.members.put({ tenant: "default", id: "ada", rights: ["approve"] });
  const server = await serveConsole({
    workspaces: [
      {
        root: own,
        runs: new FileRunJournalStore(join(root, "runs")),
        openRuntime: (attached) =>
          createNodeRuntime({
            workspace: own,
            stateDirectory: join(root, "state"),
            tools: [WriteFile],
            ...attached,
          }),
        openRun: async () => ({
          runtime: await remoteRuntime({ workspace: "shop", store, pollMs: 100 }),
          model: openAiModel({ baseUrl: model.url, model: "scripted" }),
        }),
      },
    ],
    stateDirectory: join(root, "console"),
    port: 0,
    team: { store, tenant: "default" },
    user: "ada",
  });
  const { get, post } = await consoleClient({ server });
  await post("start", { task: "Raise the price." });
  const { approvals } = await until(
    () => get("/api/team"),
    (team) => team.approvals.length === 1,
  );
  expect(approvals).toMatchObject([{ workspace: "shop", request: { tool: "write_file" } }]);
  const decision = { id: approvals[0].id, answer: { approved: true } };
  expect((await post("/api/team", decision)).status).toBe(200);
  await until(
    () => get("runs"),
    (runs) => runs[0]?.status === "done",
  );
  expect(readFileSync(join(root, "served/shop/price.txt"), "utf8")).toBe("12\n");
  await server.close();
  await worker.drain();
  await model.close();
  rmSync(root, { recursive: true, force: true });
});
