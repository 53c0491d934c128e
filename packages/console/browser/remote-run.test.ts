import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memorySharedStore, type SharedStore } from "@haft/core/calls";
import { isDecision } from "@haft/core/stores";
import { postgresStore } from "@haft/store-postgres";
import { WriteFile } from "@haft/tool-fs";
import { serveWorkspaces } from "@haft/worker";
import { remoteRuntime } from "@haft/worker/remote";
import { expect, onTestFinished, test } from "vitest";
import { describeUnless } from "../../../tooling/testing/describe-unless.js";
import { noPostgres, startPostgres } from "../../../tooling/testing/start-postgres.js";
import { card, describeInBrowser, review, start, usePages } from "../test-support/console-page.js";
import { seriousProblems } from "../test-support/serious-problems.js";

const { open } = usePages();
const TENANT = "acme";
const write = (path: string, content: string) => ({ name: "write_file", args: { path, content } });
const SCRIPT = [
  { text: "The price rises.", calls: [write("price.txt", "12\n")] },
  { calls: [write("old.txt", "gone\n")] },
  { text: "All done." },
];

describeInBrowser("a run whose calls a worker executes", () => {
  test("FP5 S4 console: is driven and answered in the run view, over the memory store", async () => {
    await driveRemoteRun(memorySharedStore());
  });

  describeUnless(noPostgres(), "over PostgreSQL", () => {
    test("FP5 S4 console: is driven and answered in the run view, over PostgreSQL", async () => {
      await using server = await startPostgres();
      const store = postgresStore(server.url);
      await store.migrate();
      await driveRemoteRun(store);
      await store.close();
    });
  });
});

async function driveRemoteRun(store: SharedStore): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), "haft-remote-run-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, "shop"));
  const served = { root, store, tenant: TENANT, tools: [WriteFile], pollMs: 100 };
  const rules = [{ tool: "write_file", effect: "ask" }] as const;
  await using _worker = await serveWorkspaces({ ...served, rules });
  await store.members.put({ tenant: TENANT, id: "ada", rights: ["approve"] });
  const principal = { tenant: TENANT, id: "bot" };
  const page = await open(SCRIPT, {
    team: { store, tenant: TENANT },
    openRunRuntime: () => remoteRuntime({ workspace: "shop", store, principal, pollMs: 100 }),
  });
  await start(page);
  const dialog = await review(page, "write_file");
  // The list of the team, which is read every 15 seconds, need not know the call yet.
  await dialog.getByText("price.txt").first().waitFor();
  expect(await seriousProblems(page, "remote run")).toEqual([]);
  await dialog.getByRole("button", { name: /Allow once/ }).click();
  await card(page, "old.txt").getByRole("button", { name: /Deny/ }).click();
  await page.getByText("All done.").waitFor();
  expect(readFileSync(join(root, "shop/price.txt"), "utf8")).toBe("12\n");
  expect(await card(page, "old.txt").getAttribute("class")).toContain("is-denied");
  const decisions = (await store.audit(TENANT).list()).filter(isDecision);
  expect(decisions.map(({ verdict, decider }) => [verdict, decider.who])).toEqual([
    ["allow", "ada"],
    ["deny", "ada"],
  ]);
}
