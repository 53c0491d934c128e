import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { describeUnless } from "../../../tooling/testing/describe-unless.js";
import { noPgbouncer, startPgbouncer } from "../../../tooling/testing/start-pgbouncer.js";
import { noPostgres, type PostgresServer, startPostgres } from "../../../tooling/testing/start-postgres.js";
import { runHaft } from "./fixtures/run-haft.js";
import { runInProcess } from "./fixtures/run-in-process.js";

const missing = noPostgres() ?? noPgbouncer();
describeUnless(missing, "haft store through PgBouncer in transaction mode", { timeout: 60_000 }, () => {
  let server: PostgresServer;
  let pooler: Awaited<ReturnType<typeof startPgbouncer>>;
  const cwd = mkdtempSync(join(tmpdir(), "haft-pooled-"));
  beforeAll(async () => {
    server = await startPostgres();
    pooler = await startPgbouncer(server.url);
  }, 60_000);
  afterAll(async () => {
    await pooler?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
    rmSync(cwd, { recursive: true, force: true });
  }, 60_000);
  const haft = (...args: readonly string[]) => runInProcess([...args, "--store", pooler.url], { cwd });

  it("FP5 migrates once, however many processes try at the same time, and then works", async () => {
    // More than the four connections that the pooler has to the server.
    const migrating = Array.from({ length: 6 }, () =>
      runHaft(["store", "migrate", "--store", pooler.url], { cwd }),
    );
    const ran = await Promise.all(migrating);
    expect(ran.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
      ran.map(() => ({ code: 0, stderr: "" })),
    );
    const said = ran.map(({ stdout }) => stdout).sort();
    expect(said.filter((text) => text.includes("applied version 1, 2"))).toHaveLength(1);
    expect(said.filter((text) => text.includes("nothing to do"))).toHaveLength(5);
    expect((await haft("store", "member", "ann", "--rights", "approve")).stdout).toContain("ann");
    const status = (await haft("store", "status", "--json")).json();
    expect(status).toMatchObject({ version: { found: 2, needed: 2 }, workers: [], queue: [] });
    expect((await haft("store", "prune", "--days", "0")).stdout).toContain("Deleted 0 calls");
  });
});
