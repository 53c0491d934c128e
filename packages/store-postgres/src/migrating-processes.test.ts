import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, it, onTestFinished } from "vitest";
import { bundleProcess } from "../../../tooling/testing/bundle-process.js";
import { describeUnless } from "../../../tooling/testing/describe-unless.js";
import { noPostgres } from "../../../tooling/testing/start-postgres.js";
import { testServer } from "./fixtures/open-schema.js";

describeUnless(noPostgres(), "several processes that migrate at once", () => {
  const servers = testServer();

  it("FP5 one applies the versions; the others wait for it and find nothing to do", {
    timeout: 120_000,
  }, async () => {
    const folder = mkdtempSync(join(tmpdir(), "haft-migrate-"));
    const children: ChildProcess[] = [];
    onTestFinished(() => {
      for (const child of children) child.kill("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    });
    const source = new URL("../test-support/migrating-process.ts", import.meta.url);
    const program = await bundleProcess(source, folder);
    const options = JSON.stringify({ url: servers.server.url, schema: "processes" });
    const migrating = Array.from({ length: 8 }, () => {
      const child = spawn(process.execPath, [program, options], { stdio: ["pipe", "pipe", "inherit"] });
      children.push(child);
      return { child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() };
    });
    for (const { lines } of migrating) expect((await lines.next()).value).toBe("ready");
    for (const { child } of migrating) child.stdin.write("go\n");
    const applied = await Promise.all(
      migrating.map(async ({ lines }) => JSON.parse(String((await lines.next()).value))),
    );
    const store = servers.reopen("processes");
    const { found, needed } = await store.version();
    expect(found).toBe(needed);
    expect(applied.flat()).toEqual(Array.from({ length: needed }, (_, index) => index + 1));
  });
});
