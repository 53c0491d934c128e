import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Runs the bundle like an MCP client and like a person, and stores the code that V8 compiled during these runs. */
export function compileBundle({ home, outfile }) {
  const folder = mkdtempSync(join(tmpdir(), "haft-compile-"));
  const run = (args, input) =>
    runOnce([join(home, "bin/load-bundle.js"), outfile, ...args], { folder, input });
  try {
    fill(folder);
    const answers = run(["mcp", "--workspace", folder], REQUESTS);
    if (answers.length !== 4 || answers.some((line) => line.includes('"isError"'))) throw broken(answers);
    const found = run(["call", "grep", '{"pattern":"two"}', "--workspace", folder]);
    if (!found[0].startsWith("Found 1 match")) throw broken(found);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function fill(folder) {
  mkdirSync(join(folder, "src"));
  mkdirSync(join(folder, ".git/info"), { recursive: true });
  writeFileSync(join(folder, ".git/info/exclude"), "*.swp\n");
  writeFileSync(join(folder, "a.txt"), "a\n");
  writeFileSync(join(folder, "src/b.ts"), `${"one\n".repeat(40)}two\n${"three\n".repeat(40)}`);
  writeFileSync(join(folder, ".gitignore"), "dist/\n*.log\n");
}

const SAVING = fileURLToPath(new URL("./save-compiled.cjs", import.meta.url));

const REQUESTS = [
  {
    id: 0,
    method: "initialize",
    params: {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "build", version: "1" },
    },
  },
  { method: "notifications/initialized" },
  { id: 1, method: "tools/list" },
  { id: 2, method: "tools/call", params: { name: "read_file", arguments: { path: "a.txt" } } },
  { id: 3, method: "tools/call", params: { name: "grep", arguments: { pattern: "a" } } },
]
  .map((request) => `${JSON.stringify({ jsonrpc: "2.0", ...request })}\n`)
  .join("");

function runOnce(args, { folder, input = "" }) {
  const { status, stdout } = spawnSync(process.execPath, [SAVING, ...args], {
    cwd: folder,
    env: { ...process.env, XDG_STATE_HOME: join(folder, ".state") },
    stdio: ["pipe", "pipe", "inherit"],
    input,
    encoding: "utf8",
  });
  const lines = stdout.trimEnd().split("\n");
  if (status !== 0) throw broken(lines);
  return lines;
}

function broken(lines) {
  return new Error(`the bundle does not work: ${lines.join("\n").slice(-2000)}`);
}
