// What running through the tools costs over running the same thing bare.
import { spawn } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createNodeRuntime } from "../../packages/runtime-node/dist/index.js";
import { ExecuteCommandTool, RunCodeTool } from "../../packages/tool-exec/dist/index.js";

const ROUNDS = Number(process.argv[2] ?? 60);
const root = realpathSync(mkdtempSync(join(tmpdir(), "haft-bench-exec-")));
const state = realpathSync(mkdtempSync(join(tmpdir(), "haft-bench-state-")));
writeFileSync(join(root, "a.txt"), "a\n");
const runtime = await createNodeRuntime({
  workspace: root,
  role: "coder",
  stateDirectory: state,
  tools: [ExecuteCommandTool, RunCodeTool],
});

const BOX = [
  ...["--unshare-all", "--die-with-parent", "--ro-bind", "/usr", "/usr", "--symlink", "usr/bin", "/bin"],
  ...["--symlink", "usr/lib", "/lib", "--symlink", "usr/lib64", "/lib64", "--proc", "/proc", "--dev", "/dev"],
  ...["--tmpfs", "/tmp", "--bind", root, root, "--chdir", root, "python3", "-c", "print(1)"],
];
const contenders = {
  "bare spawn of true": () => bare("/usr/bin/true", []),
  "execute_command true": () => call("execute_command", { command: "true" }),
  "plain bubblewrap, print(1)": () => bare("/usr/bin/bwrap", BOX),
  "run_code print(1)": () => call("run_code", { language: "python", code: "print(1)" }),
};

// In turns, so that a busy moment of the machine hits all alike.
const times = Object.fromEntries(Object.keys(contenders).map((name) => [name, []]));
for (let round = -5; round < ROUNDS; round += 1) {
  for (const [name, run] of Object.entries(contenders)) {
    const startedAt = performance.now();
    await run();
    if (round >= 0) times[name].push(performance.now() - startedAt);
  }
}
const median = (name) => times[name].sort((a, b) => a - b)[Math.floor(ROUNDS / 2)];
console.table(
  Object.fromEntries(Object.keys(times).map((name) => [name, { "median ms": round(median(name)) }])),
);
const command = median("execute_command true") / median("bare spawn of true");
const code = median("run_code print(1)") / median("plain bubblewrap, print(1)");
console.log(
  `exec: ${ROUNDS} rounds, execute_command ${round(command)} times a bare spawn (goal 1.5), ` +
    `run_code ${round(code)} times plain bubblewrap (goal 2.5)`,
);
await runtime.dispose();
for (const folder of [root, state]) rmSync(folder, { recursive: true, force: true });

async function call(tool, args) {
  const result = await runtime.call(tool, args);
  if (!result.ok || result.value.exitCode !== 0) throw new Error(result.text);
}

function bare(program, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: root, detached: true, stdio: ["ignore", "pipe", "pipe"] });
    child.stdout.resume();
    child.stderr.resume();
    child.once("error", reject);
    child.once("close", (exitCode) =>
      exitCode === 0 ? resolve() : reject(new Error(`exit code ${exitCode}`)),
    );
  });
}

function round(value) {
  return Math.round(value * 100) / 100;
}
