// A process that starts programs without a free file descriptor. Run it with a low `ulimit -n`.
import { closeSync, openSync } from "node:fs";
import { PipedProcesses } from "../src/process/piped-processes.js";
import { runProcess } from "../src/process/running-process.js";
import { startProcess } from "../src/process/start-process.js";
import { runSandboxed } from "../src/sandbox/sandboxed-process.js";

const signal = new AbortController().signal;
const env = { PATH: process.env.PATH ?? "" };
const table = { input: "input", out: "out", err: "err" } as const;
const launch = { program: "/bin/cat", argv: ["cat"], env, table };
const io = { cwd: "/", openFile: () => process.stdin, take: () => {} };

const starts: Record<string, () => Promise<unknown>> = {
  run: () => runProcess({ program: "/bin/true", cwd: "/", env, request: { argv: ["true"] } }, signal),
  piped: async () => new PipedProcesses([launch, launch], io).ended(),
  boxed: () =>
    runSandboxed(
      {
        argv: ["/bin/true"],
        data: [],
        timeoutMs: 5_000,
        output: { keptBytes: 1_000 },
        disk: { path: "/", startBytes: 0, maxBytes: 1e12 },
      },
      signal,
    ),
  plain: async () => startProcess({ program: "/bin/true", args: [], stdio: "pipe" }).pid,
};

/** The code of each failure; "ok" for a started program. */
async function outcomes(): Promise<Record<string, string>> {
  const results: Record<string, string> = {};
  for (const [name, start] of Object.entries(starts)) {
    results[name] = await start().then(
      () => "ok",
      (error: { code?: string }) => error.code ?? String(error),
    );
  }
  return results;
}

const warm = await outcomes();
const held: number[] = [];
try {
  for (;;) held.push(openSync("/dev/null", "r"));
} catch {
  // No descriptor is left.
}
const full = await outcomes();
await new Promise((resolve) => setTimeout(resolve, 50));
for (const descriptor of held) closeSync(descriptor);
process.stdout.write(JSON.stringify({ warm, full, again: await outcomes() }));
