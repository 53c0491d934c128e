// Tests a release as users meet it: publishes every package to a registry on this machine, installs them into empty
// projects, measures the footprint, runs the README, makes every scaffold and tries the questions of a new user. Needs
// a build, and the network for other packages.
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startScriptedModel } from "@haft/agent/scripted-model";
import { transformSync } from "esbuild";
import { followPage, PAGES } from "./docs/follow-page.mjs";
import { tryQuestions } from "./release/try-questions.mjs";
import { tryScaffolds } from "./release/try-scaffolds.mjs";

const VERDACCIO = "verdaccio@6.8.0";
const PORT = 4873;
const REGISTRY = `http://127.0.0.1:${PORT}/`;
const MAX_PACKAGES = 10;
const MAX_KB = 8 * 1024;
const MAX_PAGE_SECONDS = 300;

const folder = mkdtempSync(join(tmpdir(), "haft-release-"));
const env = { ...process.env, npm_config_registry: REGISTRY, npm_config_userconfig: join(folder, "npmrc") };
const upstream = execFileSync("npm", ["config", "get", "registry"], { encoding: "utf8" }).trim();
let server;
try {
  server = await startRegistry();
  publishAll();
  measureFootprint();
  runReadme();
  tryScaffolds({ folder, env });
  for (const name of Object.keys(PAGES)) await followFromEmptyFolder(name);
  await tryQuestions({ folder, env, only: process.argv.slice(2) });
  console.log("the release works");
} finally {
  server?.kill();
  rmSync(folder, { recursive: true, force: true });
}

async function startRegistry() {
  writeFileSync(
    join(folder, "config.yaml"),
    [
      `storage: ${join(folder, "storage")}`,
      `uplinks:\n  npm:\n    url: ${upstream}`,
      "packages:",
      '  "@haft/*":\n    access: $all\n    publish: $all',
      '  "**":\n    access: $all\n    proxy: npm',
      "log: { type: stdout, level: warn }",
    ].join("\n"),
  );
  writeFileSync(env.npm_config_userconfig, `//127.0.0.1:${PORT}/:_authToken=local\n`);
  // Some registries lack the tag "cjs" that one of its dependencies requests.
  writeFileSync(
    join(folder, "package.json"),
    '{ "private": true, "overrides": { "node-fetch": "2.6.7" } }\n',
  );
  run("npm", ["install", "--prefix", folder, "--no-audit", "--no-fund", "--ignore-scripts", VERDACCIO], {
    env: process.env,
  });
  const bin = join(folder, "node_modules/verdaccio/bin/verdaccio");
  const child = spawn(
    process.execPath,
    [bin, "--config", join(folder, "config.yaml"), "--listen", `127.0.0.1:${PORT}`],
    {
      stdio: "ignore",
    },
  );
  for (let tries = 0; tries < 240; tries++) {
    const isUp = await fetch(`${REGISTRY}-/ping`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isUp) return child;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  throw new Error("the registry does not start");
}

function publishAll() {
  for (const name of readdirSync("packages")) {
    const args = [
      "publish",
      "--no-git-checks",
      "--provenance=false",
      "--access",
      "public",
      "--registry",
      REGISTRY,
    ];
    run("pnpm", args, { cwd: join("packages", name) });
  }
  console.log(`published ${readdirSync("packages").length} packages`);
}

function measureFootprint() {
  const project = newProject("footprint");
  run("npm", ["install", "@haft/core", "@haft/runtime-node", "@haft/tool-search"], { cwd: project });
  const lock = JSON.parse(readFileSync(join(project, "package-lock.json"), "utf8"));
  const count = Object.keys(lock.packages).length - 1;
  const kilobytes = Number(
    execFileSync("du", ["-sk", join(project, "node_modules")], { encoding: "utf8" }).split("\t")[0],
  );
  console.log(`core, runtime-node and tool-search: ${count} packages, ${(kilobytes / 1024).toFixed(1)} MB`);
  if (count > MAX_PACKAGES || kilobytes > MAX_KB)
    throw new Error(`more than ${MAX_PACKAGES} packages or 8 MB`);
}

/** Runs every program of the README with only the packages that the README installs, and compares its output. */
function runReadme() {
  const project = newProject("readme");
  run("npm", ["install", "@haft/core", "@haft/runtime-node", "@haft/tool-fs", "@haft/tool-search", "zod"], {
    cwd: project,
  });
  const readme = readFileSync("README.md", "utf8");
  const programs = readme.matchAll(
    /<!-- snippet: ([\w-]+) -->\n```ts\n([\s\S]*?)```\n```text\n([\s\S]*?)```/g,
  );
  let count = 0;
  for (const [, name, code, expected] of programs) {
    const workspace = join(project, `${name}-workspace`);
    mkdirSync(workspace);
    writeFileSync(join(workspace, "hello.txt"), "hello\n");
    writeFileSync(join(workspace, "data.json"), '{"b":1,"a":2}\n');
    writeFileSync(join(project, `${name}.mjs`), transformSync(code, { loader: "ts", target: "node20" }).code);
    const environment = { ...env, XDG_STATE_HOME: join(project, "state"), NO_COLOR: "1" };
    const printed = execFileSync(process.execPath, [`../${name}.mjs`], {
      cwd: workspace,
      encoding: "utf8",
      env: environment,
    });
    if (printed !== expected) throw new Error(`README, ${name} printed:\n${printed}`);
    count++;
  }
  console.log(`the README's ${count} programs run in a fresh project`);
}

/** Follows a page of the docs literally, from an empty folder. */
async function followFromEmptyFolder(name) {
  const started = Date.now();
  const empty = mkdtempSync(join(folder, "page-"));
  const model = await startScriptedModel(PAGES[name].script);
  try {
    const given = { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: "none", XDG_STATE_HOME: `${empty}-state` };
    const { expected, printed } = await followPage(name, { folder: empty, env: { ...env, ...given } });
    if (printed !== expected) throw new Error(`docs/${name} printed:\n${printed}`);
  } finally {
    await model.close();
  }
  const seconds = Math.round((Date.now() - started) / 1000);
  console.log(`docs/${name} from an empty folder: ${seconds} s of commands`);
  if (seconds > MAX_PAGE_SECONDS) throw new Error("that is more than five minutes");
}

function newProject(name) {
  const project = join(folder, name);
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), '{ "private": true, "type": "module" }\n');
  return project;
}

function run(program, args, options = {}) {
  try {
    execFileSync(program, args, { env, stdio: "pipe", encoding: "utf8", ...options });
  } catch (error) {
    throw new Error(`${program} ${args.join(" ")}\n${error.stdout}${error.stderr}`);
  }
}
