// Compares our search and listing with what an agent could use instead. See README.md.
import { execFileSync, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { compareBehaviour } from "./behaviour.mjs";
import { listWithGlobby, naiveSearch, openEngine, openRuntime } from "./contenders.mjs";
import { corpus, SIZES } from "./corpus.mjs";
import { GOALS, KINDS, UNSEEN_KINDS } from "./kinds.mjs";
import { openMcpServer } from "./mcp-search.mjs";
import { interleave } from "./measure.mjs";
import { Report } from "./report.mjs";
import { listWithRipgrep, spawnRipgrep } from "./ripgrep.mjs";
import { compareSessions, SESSION_SIZES } from "./session.mjs";

const option = (name, fallback) =>
  process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3) ?? fallback;
const runs = Number(option("runs", 7));
const folder = option("folder", "/tmp/haft-bench");
const parts = option("parts", "small,medium,large,unseen,new,session,first,glob,growth,behaviour").split(",");
const only = option("only", "").split(",");
const isWanted = ({ name }) => only.some((part) => name.includes(part));
const report = new Report();
/** The searches before the first timed one: the benchmark measures a warm process. */
const WARMING = 5;
const NEW_KINDS = ["rare literal", "common literal"];

if (spawnSync("rg", ["--version"]).status !== 0) {
  console.log("ripgrep is missing: install it from the system's packages (apt install ripgrep)");
  process.exit(1);
}
const [version] = execFileSync("rg", ["--version"], { encoding: "utf8" }).split("\n");
console.log(`${version} · Node ${process.version} · ${runs} runs, by turns`);

for (const size of ["small", "medium", "large"]) {
  if (parts.includes(size)) await compareKinds(size, corpus(folder, SIZES[size]), KINDS);
}
if (parts.includes("unseen")) await compareKinds("unseen", option("tree", unseenTree()), UNSEEN_KINDS);
if (parts.includes("new")) for (const size of ["small", "medium", "large"]) await compareNewEngine(size);
if (parts.includes("session")) {
  const sizes = option("sizes", SESSION_SIZES.join(",")).split(",").map(Number);
  const modes = option("modes", "back to back,pauses").split(",");
  compareSessions({ folder, runs, sizes, modes, report });
}
if (parts.includes("first")) await compareFirstCall(corpus(folder, SIZES.small));
if (parts.includes("glob")) for (const size of ["medium", "large"]) await compareGlob(size);
if (parts.includes("growth")) await compareGrowth();
if (parts.includes("behaviour")) await compareBehaviour(corpus(folder, SIZES.large), report);
report.end();
process.exit(process.argv.includes("--check") && report.missed.length > 0 ? 1 : 0);

/** Installed packages: a corpus that was not selected for this benchmark. */
function unseenTree() {
  return fileURLToPath(new URL("../../node_modules/.pnpm", import.meta.url));
}

async function compareKinds(size, root, kinds) {
  report.title(`grep against spawned ripgrep, searched before, ${size}: ${root}`);
  const ours = await openEngine(root);
  await ours.search(kinds[0]);
  await ours.warm();
  for (const kind of kinds.slice(0, WARMING)) await ours.search(kind);
  for (const kind of kinds.filter(isWanted)) {
    const row = await interleave(
      { ours: () => ours.search(kind), peer: () => spawnRipgrep(root, kind) },
      runs,
    );
    const agree = row.ours.value === row.peer.value;
    const note = `${row.ours.value} lines${agree ? "" : `, ripgrep ${row.peer.value}`}`;
    report.ratio(kind.name, { ...row, goal: kind.goal ?? GOALS[size], note });
    if (!agree && size !== "unseen") report.different(kind.name, note);
  }
  await ours.dispose();
  if (size !== "unseen") await compareOthers(root, kinds.filter(isWanted));
}

// The same through the runtime, and a program without an engine.
async function compareOthers(root, kinds) {
  const tools = await openRuntime(root);
  for (const kind of kinds.filter(({ name }) => ["rare literal", "common literal"].includes(name))) {
    await tools.grep(kind);
    await tools.grep(kind);
    const row = await interleave(
      {
        ours: () => tools.grep(kind),
        naive: () => naiveSearch(root, kind),
        peer: () => spawnRipgrep(root, kind),
      },
      Math.min(runs, 5),
    );
    report.ratio(`${kind.name}, the whole call`, { ...row, note: "through the runtime, rendered" });
    report.ratio(`${kind.name}, naive walker`, { ...row, ours: row.naive, note: "readFile and RegExp" });
  }
  await tools.dispose();
}

// A case that those rows do not show: a new engine in a process whose code is warm.
async function compareNewEngine(size) {
  const root = corpus(folder, SIZES[size]);
  report.title(`the first searches of a tree, ${size}: ${root}`);
  for (const kind of KINDS.filter((kind) => NEW_KINDS.includes(kind.name) && isWanted(kind))) {
    let engine;
    const first = async () => {
      engine = await openEngine(root);
      return engine.search(kind);
    };
    const again = () => engine.search(kind);
    const close = () => engine.dispose();
    const peer = () => spawnRipgrep(root, kind);
    const row = await interleave({ first, second: again, third: again, close, peer }, Math.min(runs, 5));
    for (const name of ["first", "second", "third"])
      report.ratio(`${kind.name}, ${name} search`, { ours: row[name], peer: row.peer });
  }
}

async function compareFirstCall(root) {
  report.title(`first grep in a fresh process, from its start to its end: ${root}`);
  const file = (path) => fileURLToPath(new URL(path, import.meta.url));
  const start = (path, ...args) => {
    return () => execFileSync(process.execPath, [file(path), ...args], { cwd: root, encoding: "utf8" });
  };
  const call = JSON.stringify({ pattern: "needleInHaystack", case_sensitive: true });
  const row = await interleave(
    {
      command: start("../../packages/cli/bin/haft.js", "call", "grep", call),
      packages: start("fresh-haft.mjs", root),
      bare: start("fresh-nothing.mjs"),
      peer: start("fresh-ripgrep.mjs", root),
    },
    Math.max(runs, 9),
  );
  const { command, packages, bare, peer } = row;
  report.ratio("haft call grep", { ours: command, peer, goal: GOALS.first, note: "the bundled command" });
  report.ratio("a program's first grep", {
    ours: packages,
    peer,
    goal: GOALS.first,
    note: "packages imported",
  });
  report.ratio("an empty script", { ours: bare, peer, note: "what Node itself takes of it" });
}

async function compareGlob(size) {
  const root = corpus(folder, SIZES[size]);
  const pattern = "**/*.ts";
  report.title(`glob ${pattern}, ${size}: ${root}`);
  const tools = await openRuntime(root);
  const server = await openMcpServer(root);
  await tools.glob(pattern);
  const ours = () => tools.glob(pattern);
  const ripgrep = await interleave({ ours, peer: () => listWithRipgrep(root, "*.ts") }, runs);
  report.ratio("against rg --files", {
    ...ripgrep,
    goal: GOALS.ripgrepFiles,
    note: `${ripgrep.ours.value} files`,
  });
  if (ripgrep.ours.value !== ripgrep.peer.value)
    report.different("glob", `ripgrep has ${ripgrep.peer.value}`);
  const slow = Math.min(runs, 2);
  const globby = await interleave({ ours, peer: () => listWithGlobby(root, pattern) }, slow);
  report.ratio("against globby with gitignore", {
    ...globby,
    goal: GOALS.globby,
    note: `${globby.peer.value} files`,
  });
  const mcp = await interleave({ ours, peer: () => server.findNames(pattern) }, slow);
  report.ratio("against MCP server-filesystem", { ...mcp, note: `${mcp.peer.value} names, no ignore rules` });
  await server.close();
  await tools.dispose();
}

async function compareGrowth() {
  const kinds = KINDS.filter(({ name }) => ["rare literal", "common literal", "no literal"].includes(name));
  report.title("growth: 40,000 files against 4,000, both on two threads");
  const [few, many] = [corpus(folder, 4000), corpus(folder, 40_000)];
  const engines = { peer: await openEngine(few), ours: await openEngine(many) };
  for (const engine of Object.values(engines)) {
    await engine.search(kinds[0]);
    await engine.warm();
  }
  for (const kind of kinds) {
    const contenders = Object.entries(engines).map(([name, engine]) => [name, () => engine.search(kind)]);
    const row = await interleave(Object.fromEntries(contenders), runs);
    report.ratio(kind.name, { ...row, goal: GOALS.growth });
  }
  for (const engine of Object.values(engines)) await engine.dispose();
}
