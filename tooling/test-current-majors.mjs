// Runs examples with the current majors of libraries that need Node 22, as a user would: in a separate folder, with
// packed packages and the libraries installed, and with types checked. Covers the AI SDK with its approvals, and loops
// with the providers' own clients.
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { execaSync } from "execa";

const PACKAGES = ["text", "core", "runtime-node", "prompt-formatter", "tool-fs"];
const EXAMPLES = ["ai-sdk-7", "raw-providers"];
const LIBRARIES = ["ai@7", "openai@7", "@anthropic-ai/sdk@1", "@google/genai@3", "tsx@4"];
const TYPES = ["@types/node@22", "@ai-sdk/provider@^4"];
const folder = mkdtempSync(join(tmpdir(), "haft-current-majors-"));
try {
  for (const name of PACKAGES)
    execaSync("npx", ["-y", "pnpm@10.34.9", "pack", "--pack-destination", folder], {
      cwd: join("packages", name),
    });
  for (const name of [...EXAMPLES, "sample-workspace.js", "sample-workspace.d.ts"])
    cpSync(join("examples", name), join(folder, name), { recursive: true, filter: isSource });
  writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }\n');
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(tsconfig()));
  const tarballs = readdirSync(folder).filter((name) => name.endsWith(".tgz"));
  const quiet = ["--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];
  const packages = [...LIBRARIES, ...TYPES, ...tarballs.map((name) => `./${name}`)];
  const node = installed(["install", ...quiet, ...packages]);
  if (node !== undefined) {
    run(process.execPath, [resolve("tooling/node_modules/@typescript/native/bin/tsc"), "-p", "."]);
    for (const name of EXAMPLES) run(node, ["--import", "tsx", join(name, "main.ts")]);
    console.log(LIBRARIES.map((library) => installedVersion(library.replace(/@[^@]+$/, ""))).join(", "));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Copies the sources only: the links that pnpm makes lead to other versions. */
function isSource(path) {
  return !path.includes("node_modules") && !path.endsWith("package.json");
}

function installedVersion(name) {
  const { version } = JSON.parse(readFileSync(join(folder, "node_modules", name, "package.json"), "utf8"));
  return `${name} ${version}`;
}

function run(program, args) {
  execaSync(program, args, { cwd: folder, stdio: "inherit" });
}

/** Returns the path of Node 22. Returns undefined and prints the reason to stderr if the registry cannot be reached. */
function installed(args) {
  try {
    run("npm", args);
    return nodeProgram();
  } catch (error) {
    console.error(
      `skipped: the libraries or Node 22 cannot be installed (${error.shortMessage ?? error.message})`,
    );
    return undefined;
  }
}

function tsconfig() {
  const compilerOptions = { strict: true, module: "nodenext", target: "es2023", noEmit: true };
  return {
    compilerOptions: { ...compilerOptions, skipLibCheck: true, types: ["node"] },
    include: EXAMPLES.map((name) => `${name}/*.ts`),
  };
}

/** Returns this Node if it is new enough, else the copy of test-on-node.mjs, else a downloaded one. */
function nodeProgram() {
  if (Number(process.versions.node.split(".")[0]) >= 22) return process.execPath;
  const name = `node-${process.platform}-${process.arch}`;
  const cached = resolve("node_modules/.cache/haft-node/22");
  const program = join(cached, "node_modules", name, "bin/node");
  if (!existsSync(program))
    run("npm", ["install", "--no-save", "--no-audit", "--no-fund", "--prefix", cached, `${name}@22`]);
  return program;
}
