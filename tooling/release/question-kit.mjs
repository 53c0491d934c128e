// What the trials of the questions have in common: a folder with one file, the commands of a page, and a shell.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A trial of one question, in an empty folder with an empty home. `env` leads to the registry and to `haft`. */
export function openTrial({ folder, env, scriptedModel, providers }) {
  const cwd = mkdtempSync(join(folder, "question-"));
  const state = `${cwd}-home`;
  mkdirSync(state);
  const own = { ...env, HOME: state, XDG_STATE_HOME: join(state, "state"), NO_COLOR: "1" };
  const trial = {
    cwd,
    registry: env.npm_config_registry,
    stateFolder: join(state, "state/haft"),
    scriptedModel,
    providers,
    write(path, content) {
      mkdirSync(dirname(join(cwd, path)), { recursive: true });
      writeFileSync(join(cwd, path), typeof content === "string" ? content : JSON.stringify(content));
    },
    read: (path) => readFileSync(join(cwd, path), "utf8"),
    /** Runs a command in a shell and returns what it printed. Throws if it fails, unless that is expected. */
    async run(command, { fails = false, ...more } = {}) {
      const { code, printed } = await inShell(command, { cwd, env: { ...own, ...more } });
      if ((code !== 0) !== fails) throw new Error(`${command} ended with ${code}:\n${printed}`);
      return printed;
    },
    /** As a person at a terminal who types this when asked. */
    async answer(command, typed) {
      const line = `(sleep 4; printf '${typed}\\r'; sleep 4) | script -qec ${quoted(command)} /dev/null`;
      return (await inShell(line, { cwd, env: own })).printed;
    },
    start: (program, args) => spawn(program, args, { cwd, env: own, stdio: ["pipe", "pipe", "inherit"] }),
  };
  trial.write("a.txt", "hello from a.txt\n");
  return trial;
}

/** The lines of the shell blocks below a heading, without what only the page's author could know. */
export function commandsOf(page, anchor) {
  return blocksOf(page, anchor, "sh").flatMap((block) => block.trim().split("\n"));
}

/** The first JSON block below a heading. */
export function jsonOf(page, anchor) {
  return JSON.parse(blocksOf(page, anchor, "json")[0]);
}

export function blocksOf(page, anchor, language) {
  const text = readFileSync(new URL(`../../docs/${page}`, import.meta.url), "utf8");
  const section = text.split(/^(?=#+ )/m).find((part) => anchorOf(part.split("\n", 1)[0]) === anchor);
  if (section === undefined) throw new Error(`docs/${page} has no heading ${anchor}`);
  return [...section.matchAll(new RegExp(`\`\`\`${language}\\b.*\n([\\s\\S]*?)\`\`\``, "g"))].map(
    ([, body]) => body,
  );
}

function anchorOf(heading) {
  const words = heading
    .replace(/^#+ /, "")
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, "");
  return words.trim().replaceAll(/\s+/g, "-");
}

export function isInstalled(program) {
  return spawnSync(program, ["--version"], { stdio: "ignore" }).error === undefined;
}

function inShell(command, { cwd, env }) {
  const child = spawn("bash", ["-c", command], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text) => {
      printed += text;
    });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, printed }));
  });
}

function quoted(text) {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
