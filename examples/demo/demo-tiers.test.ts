import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const MAIN = fileURLToPath(new URL("./main.js", import.meta.url));
const BWRAP = "/usr/bin/bwrap";

describe.skipIf(process.platform !== "linux" || !existsSync(BWRAP))("the demo", () => {
  it.each([
    ["with bubblewrap", []],
    // On a machine without bubblewrap, /usr/bin/bwrap cannot be run.
    ["without bubblewrap", [BWRAP, "--dev-bind", "/", "/", "--ro-bind", "/dev/null", BWRAP]],
  ])("FE20 fixes the bug and says once which sandbox it uses, %s", { timeout: 120_000 }, (_where, before) => {
    const [program = process.execPath, ...args] = [...before, process.execPath, MAIN];
    const { HAFT_BASE_URL, OPENAI_BASE_URL, HAFT_API_KEY, OPENAI_API_KEY, ...env } = process.env;
    const output = execFileSync(program, args, { encoding: "utf8", env, timeout: 100_000 });
    expect(output).not.toContain("command not found");
    expect(output).toContain("both tests pass");
    const told = output.match(/^sandbox: .*$/gm) ?? [];
    expect(told).toHaveLength(1);
    expect(told[0]).toContain(
      before.length === 0 ? "bubblewrap, namespaces work" : "Commands run on the host",
    );
  });
});
