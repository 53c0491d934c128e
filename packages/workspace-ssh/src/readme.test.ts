import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { noSshd, startSshd } from "../test-support/loopback-sshd.js";

const HERE = fileURLToPath(new URL(".", import.meta.url));

describe.skipIf(noSshd() !== undefined)("README", () => {
  it("FP2 its program runs against a real sshd", async () => {
    const sshd = await startSshd();
    const path = sshd.folder();
    writeFileSync(join(path, "a.txt"), "old\n");
    const [, code = ""] = /```ts\n([\s\S]*?)```/.exec(readFileSync(join(HERE, "../README.md"), "utf8")) ?? [];
    const options = JSON.stringify({ ...sshd.login, knownHosts: sshd.knownHosts, path });
    const program = join(HERE, `readme-${process.pid}.example.ts`);
    writeFileSync(
      program,
      `${code.replace('{ host: "build.example.com", path: "~/project" }', () => options)}
       export const read = await runtime.call(ReadFile, { path: "a.txt" });
       await runtime.dispose();
       await workspace.close();`,
    );
    try {
      const { read } = await import(program);
      expect(read).toMatchObject({ ok: true, value: { content: expect.stringContaining("old") } });
    } finally {
      rmSync(program);
      sshd.stop();
    }
  });
});
