import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { askProgram } from "./ask-program.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "haft-ask-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const ask = (script: string, timeoutMs = 60_000, input?: string) =>
  askProgram({ program: "/bin/sh", args: ["-c", script], env: { PATH: "/usr/bin:/bin" }, timeoutMs, input });

describe("askProgram", () => {
  it("returns the output and exit of a program", async () => {
    expect(await ask("cat; echo no >&2; exit 3", 60_000, "yes")).toEqual({
      exitCode: 3,
      stdout: "yes",
      stderr: "no\n",
    });
  });

  it("does not reject if the program or folder is missing, or if the input is not read", async () => {
    const nothing = { env: {}, timeoutMs: 60_000 };
    const missing = await askProgram({ program: "/no/such", args: [], ...nothing });
    expect(missing).toMatchObject({ exitCode: null, error: { code: "ENOENT" } });
    const nowhere = await askProgram({ program: "/bin/true", args: [], cwd: "/no/such", ...nothing });
    expect(nowhere).toMatchObject({ exitCode: null, error: { code: "ENOENT" } });
    expect(await ask("exit 0", 60_000, "x".repeat(1_000_000))).toMatchObject({ exitCode: 0 });
  });

  it("stops the whole group if the answer is too long or takes too long", async () => {
    expect(await ask("yes")).toMatchObject({ exitCode: null, error: { message: "the answer is too long" } });
    const late = join(folder, "late");
    const slow = await ask(`(sleep 30; touch ${late}) & wait`, 50);
    expect(slow).toMatchObject({ exitCode: null, error: { message: "no answer within 50 ms" } });
    expect(existsSync(late)).toBe(false);
  });

  it("does not wait for a process that left the group and keeps the pipes open", async () => {
    const { error } = await ask("setsid sleep 5 & exec sleep 5", 50);
    expect(error).toMatchObject({ message: "no answer within 50 ms" });
  });
});
