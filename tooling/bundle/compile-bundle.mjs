import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Runs the bundle once, as an MCP client would use it, and keeps the code that V8 made of it meanwhile. */
export async function compileBundle({ home, outfile }) {
  const folder = mkdtempSync(join(tmpdir(), "haft-compile-"));
  writeFileSync(join(folder, "a.txt"), "a\n");
  try {
    await converse([join(home, "bin/load-bundle.js"), outfile, "mcp", "--workspace", folder], folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
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
];

function converse(args, folder) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [SAVING, ...args], {
      cwd: folder,
      env: { ...process.env, XDG_STATE_HOME: join(folder, ".state") },
      stdio: ["pipe", "pipe", "inherit"],
    });
    let output = "";
    child.stdout.on("data", (chunk) => {
      output += chunk;
    });
    child.on("error", reject);
    child.on("close", (code) => {
      const failed = code !== 0 || output.split("\n").length !== 5 || output.includes('"isError"');
      if (failed) reject(new Error(`the bundle does not work (exit code ${code}): ${output.slice(-2000)}`));
      else resolve();
    });
    for (const request of REQUESTS) {
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...request })}\n`);
    }
    child.stdin.end();
  });
}
