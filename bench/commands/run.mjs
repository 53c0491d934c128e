// Measures how many everyday commands work in the box with real toolchains when a person approves them. Each command
// first runs directly; only those that succeed there count.
// node bench/run.mjs commands [--families=rust,go] [--every=N]
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { createNodeRuntime } from "../../packages/runtime-node/dist/index.js";
import { ExecuteCommand } from "../../packages/tool-exec/dist/index.js";
import { makeProject, PROJECTS } from "./projects.mjs";

const option = (name) => process.argv.find((each) => each.startsWith(`--${name}=`))?.slice(name.length + 3);
const corpus = JSON.parse(readFileSync(new URL("./corpus.json", import.meta.url), "utf8"));
const families = option("families")?.split(",") ?? Object.keys(corpus);
const every = Number(option("every") ?? 1);
const place = realpathSync(mkdtempSync(join(tmpdir(), "haft-bench-commands-")));
const KEPT = new Set(["node_modules", "target"]);
const rows = {};

for (const family of families) {
  const project = PROJECTS[family];
  if (spawnSync("bash", ["-c", `command -v ${project.program}`]).status !== 0) {
    console.log(`${family}: left out, ${project.program} is not installed`);
    continue;
  }
  rows[family] = await measure(family, project);
}
console.table(rows);
const sum = (name) => Object.values(rows).reduce((total, row) => total + row[name], 0);
console.log(
  `commands: ${sum("work")} of ${sum("commands")} work (${((100 * sum("work")) / sum("commands")).toFixed(1)} %, goal 95), ` +
    `at most ${Math.max(...Object.values(rows).map((row) => row["most questions"]))} question each (goal 1)`,
);
rmSync(place, { recursive: true, force: true });

async function measure(family, project) {
  const folder = join(place, family.replace(/\W+/g, "-"));
  const template = join(folder, "template");
  const workspace = join(folder, "ws");
  makeProject(template, project);
  cpSync(template, workspace, { recursive: true });
  if (project.prepare !== undefined)
    execFileSync(...project.prepare, { cwd: workspace, stdio: ["ignore", "ignore", "inherit"] });
  // A lock file is part of the project.
  for (const name of ["package-lock.json", "Cargo.lock"])
    if (readdirSync(workspace).includes(name)) cpSync(join(workspace, name), join(template, name));
  let questions = 0;
  const runtime = await createNodeRuntime({
    workspace,
    role: "coder",
    stateDirectory: join(folder, "state"),
    tools: [ExecuteCommand],
    commands: { onUnlisted: "box" },
    approver: async () => {
      questions += 1;
      return { approved: true };
    },
  });
  const row = { commands: 0, work: 0, "most questions": 0, "not possible here": 0 };
  for (const command of corpus[family].filter((_, at) => at % every === 0)) {
    reset(template, workspace);
    const direct = spawnSync("bash", ["-c", command], { cwd: workspace, timeout: 300_000 });
    if (direct.status !== 0) {
      row["not possible here"] += 1;
      console.log(`not possible here: ${command}\n    ${direct.stderr.toString().slice(-200)}`);
      continue;
    }
    reset(template, workspace);
    questions = 0;
    const result = await runtime.call("execute_command", { command, timeout: 300 });
    row.commands += 1;
    row["most questions"] = Math.max(row["most questions"], questions);
    if (result.ok && result.value.exitCode === 0 && questions < 2) row.work += 1;
    else console.log(`${family}: ${command} (${questions} questions)\n    ${result.text.slice(0, 600)}`);
  }
  await runtime.dispose();
  console.log(`${basename(folder)}: ${row.work} of ${row.commands}`);
  return row;
}

/** Restores the project, but keeps build output. */
function reset(template, workspace) {
  for (const name of readdirSync(workspace))
    if (!KEPT.has(name)) rmSync(join(workspace, name), { recursive: true, force: true });
  cpSync(template, workspace, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
}
