import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { fillWorkspace, MCP_REQUESTS } from "./sample-runs.mjs";

/** Runs the bundle like an MCP client and like a person, and stores the code that V8 compiled during these runs. */
export function compileBundle({ home, outfile }) {
  const folder = mkdtempSync(join(tmpdir(), "haft-compile-"));
  const run = (args, input) =>
    runOnce([join(home, "bin/load-bundle.js"), outfile, ...args], { folder, input });
  try {
    fillWorkspace(folder);
    const answers = run(["mcp", "--workspace", folder], MCP_REQUESTS);
    if (answers.length !== 4 || answers.some((line) => line.includes('"isError"'))) throw broken(answers);
    const found = run(["call", "grep", '{"pattern":"two"}', "--workspace", folder]);
    if (!found[0].startsWith("Found 1 match")) throw broken(found);
    // Calls what the others do not: see never-called.mjs.
    const change = JSON.stringify({ path: "a.txt", old_text: "a", new_text: "b" });
    const edited = run(["call", "edit", change, "--approve", "all", "--workspace", folder]);
    if (!edited.includes("+b")) throw broken(edited);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const SAVING = fileURLToPath(new URL("./save-compiled.cjs", import.meta.url));

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
