import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { fillWorkspace, MCP_REQUESTS } from "./sample-runs.mjs";

/**
 * Returns our modules that short commands load without calling any of their functions, and that export nothing but
 * functions. Runs a bundle that is not minified, with V8's coverage.
 */
export function neverCalled({ home, outdir }) {
  const folder = mkdtempSync(join(tmpdir(), "haft-coverage-"));
  const reports = join(folder, "reports");
  try {
    const workspace = join(folder, "workspace");
    mkdirSync(workspace);
    fillWorkspace(workspace);
    for (const { args, input } of runs(workspace)) {
      const { status, stderr } = spawnSync(process.execPath, [join(outdir, "haft.cjs"), ...args], {
        cwd: workspace,
        env: { ...process.env, NODE_V8_COVERAGE: reports, XDG_STATE_HOME: join(folder, "state") },
        input,
        encoding: "utf8",
      });
      if (status !== 0) throw new Error(`the bundle does not work: haft ${args.join(" ")}: ${stderr}`);
    }
    const scripts = coveredScripts(reports, outdir);
    return modulesIn(scripts, home).filter(exportsOnlyFunctions);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What starts often and ends soon, and the first requests of a client. */
function runs(workspace) {
  const call = (tool, args) => ({ args: ["call", tool, JSON.stringify(args)], input: "" });
  return [
    call("grep", { pattern: "two" }),
    call("glob", { pattern: "*.ts" }),
    call("read_file", { path: "a.txt" }),
    call("list_directory", { path: "." }),
    { args: ["--help"], input: "" },
    { args: ["tools"], input: "" },
    { args: ["mcp", "--workspace", workspace], input: MCP_REQUESTS },
  ];
}

/** Returns each script of the bundle, and where the functions begin that any run called. */
function coveredScripts(reports, outdir) {
  const scripts = new Map();
  for (const report of readdirSync(reports)) {
    const { result } = JSON.parse(readFileSync(join(reports, report), "utf8"));
    for (const { url, functions } of result) {
      if (!url.includes(`/${basename(outdir)}/`) || basename(url).startsWith("lib-")) continue;
      const name = basename(url);
      const script = scripts.get(name) ?? { source: readFileSync(join(outdir, name), "utf8"), called: [] };
      const starts = functions
        .filter(({ ranges }) => ranges[0].count > 0)
        .map(({ ranges }) => ranges[0].startOffset);
      // At 0 begins the code of the script itself.
      script.called.push(...starts.filter((start) => start > 0));
      scripts.set(name, script);
    }
  }
  return [...scripts.values()];
}

/** rolldown writes the path of each module before its code. */
const MODULE = /^\/\/ ((?:\.\.\/|src\/)[^\n ]*\.ts)$/gm;

function modulesIn(scripts, home) {
  const found = scripts.flatMap(({ source, called }) => {
    const starts = [...source.matchAll(MODULE)].map(({ index, 1: path }) => ({ index, path }));
    const isCalled = new Set(called.map((offset) => startBefore(starts, offset)));
    return starts.filter((start) => !isCalled.has(start)).map(({ path }) => resolve(home, path));
  });
  if (found.length === 0) throw new Error("rolldown no longer names its modules: see tooling/bundle");
  return found;
}

function startBefore(starts, offset) {
  return starts.findLast(({ index }) => index <= offset);
}

const VALUE = /^export (?!type\b|interface\b|declare\b)(.*)$/gm;
const FUNCTION = /^(?:async )?function\*? \w+/;

function exportsOnlyFunctions(path) {
  const source = readFileSync(path, "utf8");
  const values = [...source.matchAll(VALUE)].map(([, value]) => value);
  return values.length > 0 && values.every((value) => FUNCTION.test(value)) && !/^@/m.test(source);
}
