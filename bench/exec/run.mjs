// Compares running commands through the tools with running the same commands directly.
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createNodeRuntime } from "../../packages/runtime-node/dist/index.js";
import { ExecuteCommand, RunCode } from "../../packages/tool-exec/dist/index.js";

const ROUNDS = Number(process.argv[2] ?? 60);
const root = realpathSync(mkdtempSync(join(tmpdir(), "haft-bench-exec-")));
const state = realpathSync(mkdtempSync(join(tmpdir(), "haft-bench-state-")));
writeFileSync(join(root, "a.txt"), "a\n");
const runtime = await createNodeRuntime({
  workspace: root,
  role: "coder",
  stateDirectory: state,
  tools: [ExecuteCommand, RunCode],
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

// Alternates, so that other load on the machine affects every contender.
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
// People and models pause between calls, and Haft prepares the next box in these pauses.
const spaced = { bare: [], command: [] };
for (let round = 0; round < Math.min(ROUNDS, 30); round += 1) {
  for (const [kind, name] of [
    ["bare", "bare spawn of true"],
    ["command", "execute_command true"],
  ]) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    const startedAt = performance.now();
    await contenders[name]();
    spaced[kind].push(performance.now() - startedAt);
  }
}
// Without pauses, the prepared boxes are soon used up.
const inARow = { bare: [], command: [] };
for (const [kind, name] of [
  ["bare", "bare spawn of true"],
  ["command", "execute_command true"],
])
  for (let round = 0; round < 40; round += 1) {
    const startedAt = performance.now();
    await contenders[name]();
    inARow[kind].push(performance.now() - startedAt);
  }
const middle = (list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)];
const prepared = middle(spaced.command) / middle(spaced.bare);
const backToBack = middle(inARow.command) / middle(inARow.bare);
const command = median("execute_command true") / median("bare spawn of true");
const code = median("run_code print(1)") / median("plain bubblewrap, print(1)");
console.log(
  `exec: ${ROUNDS} rounds, execute_command ${round(prepared)} times a bare spawn with 100 ms between calls (goal 1.5), ` +
    `${round(backToBack)} back to back (goal 5), ${round(command)} in turns with others, ` +
    `run_code ${round(code)} times plain bubblewrap (goal 2.5)`,
);
await runtime.dispose();
await measureRepository();
for (const folder of [root, state]) rmSync(folder, { recursive: true, force: true });

/** Reads a repository of 40,000 files in 4,000 folders, with 100 ms between calls. */
async function measureRepository() {
  const tree = realpathSync(mkdtempSync(join(tmpdir(), "haft-bench-tree-")));
  for (let file = 0; file < 40_000; file += 1) {
    const folder = join(tree, `d${Math.floor(file / 10) % 50}`, `e${Math.floor(file / 10)}`);
    if (file % 10 === 0) mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `f${file}.txt`), `file ${file}\n`);
  }
  const identity = ["-c", "user.name=bench", "-c", "user.email=bench@example.com", "-c", "gc.auto=0"];
  for (const args of [
    ["init", "-q"],
    ["add", "."],
    [...identity, "commit", "-qm", "files"],
  ])
    execFileSync("git", args, { cwd: tree });
  const large = await createNodeRuntime({
    workspace: tree,
    role: "coder",
    stateDirectory: join(state, "large"),
    tools: [ExecuteCommand],
  });
  for (const [program, ...args] of [["git", "status"], ["true"], ["grep", "-r", "absent", "."]]) {
    const command = [program, ...args].join(" ");
    const timed = { bare: [], command: [] };
    for (let turn = -3; turn < 15; turn += 1) {
      for (const kind of ["bare", "command"]) {
        await new Promise((resolve) => setTimeout(resolve, 100));
        const startedAt = performance.now();
        if (kind === "bare") await bare(program, args, { cwd: tree, mayFail: true });
        else await call("execute_command", { command }, large);
        if (turn >= 0) timed[kind].push(performance.now() - startedAt);
      }
    }
    const [direct, boxed] = [middle(timed.bare), middle(timed.command)];
    console.log(
      `exec: 40,000 files, ${command}: ${round(boxed)} ms, directly ${round(direct)} ms, ratio ${round(boxed / direct)}`,
    );
  }
  await large.dispose();
  rmSync(tree, { recursive: true, force: true, maxRetries: 5 });
}

async function call(tool, args, on = runtime) {
  const result = await on.call(tool, args);
  if (!result.ok || result.value.exitCode > 1) throw new Error(result.text);
}

function bare(program, args, { cwd = root, mayFail = false } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, detached: true, stdio: ["ignore", "pipe", "pipe"] });
    child.stdout.resume();
    child.stderr.resume();
    child.once("error", reject);
    child.once("close", (exitCode) =>
      exitCode === 0 || mayFail ? resolve() : reject(new Error(`exit code ${exitCode}`)),
    );
  });
}

function round(value) {
  return Math.round(value * 100) / 100;
}
