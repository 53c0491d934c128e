import { existsSync, lstatSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { resolveRole } from "@haft/runtime-node";
import type { CliIo } from "../cli-io.js";
import { EXIT, type ExitCode } from "../exit-code.js";
import { firstPartyPackNames } from "../open/first-party-packs.js";
import { workspaceFolder } from "../open/workspace-folder.js";
import { printText } from "../output/print.js";

interface InitCommand {
  readonly workspace?: string;
  readonly role?: string;
}

/** Creates a configuration with the project's commands and packs, and an AGENTS.md stub. Never overwrites a file. */
export async function init({ workspace, role = "coder" }: InitCommand, io: CliIo): Promise<ExitCode> {
  const folder = workspaceFolder(workspace, io);
  await resolveRole(role, folder);
  const commands = projectCommands(folder);
  const packs = projectPacks(folder);
  const config = {
    $schema: "https://unpkg.com/@haft/runtime-node/src/config/haft.config.schema.json",
    role,
    ...(packs.length > 0 && { packs: [...(await firstPartyPackNames()), ...packs] }),
    ...(commands.length > 0 && { commands: { allow: commands } }),
  };
  // It would be read before the new file.
  const inCode = ["haft.config.ts", "haft.config.js"].find((name) => existsSync(join(folder, name)));
  const configFile = inCode ?? "haft.config.json";
  const done = [
    inCode === undefined
      ? writeNew(join(folder, configFile), `${JSON.stringify(config, undefined, 2)}\n`)
      : unchanged(inCode),
    writeNew(join(folder, "AGENTS.md"), agentsStub(commands)),
  ];
  printText(io.stdout, done.join("\n"));
  printText(io.stderr, `Review ${configFile}, then trust it: haft trust\nThen start: haft`);
  return EXIT.ok;
}

function writeNew(file: string, text: string): string {
  const name = file.split(/[\\/]/).at(-1) ?? file;
  // A link that leads nowhere does not exist for existsSync, but it takes the name.
  if (lstatSync(file, { throwIfNoEntry: false }) !== undefined) return unchanged(name);
  writeFileSync(file, text, { flag: "wx" });
  return `wrote ${name}`;
}

function unchanged(name: string): string {
  return `${name} already exists; not changed`;
}

/** Detects the commands that build and test the project. */
function projectCommands(folder: string): readonly string[] {
  const has = (file: string) => existsSync(join(folder, file));
  return [
    ...packageScripts(folder),
    ...(has("Cargo.toml") ? ["cargo build", "cargo test", "cargo clippy"] : []),
    ...(has("go.mod") ? ["go build", "go test", "go vet"] : []),
    ...(has("pyproject.toml") || has("pytest.ini") ? ["pytest", "ruff check"] : []),
    ...(has("Makefile") ? ["make"] : []),
  ];
}

/**
 * Finds third-party packs among the project's dependencies. Reads them without importing, because they are not trusted
 * yet.
 */
function projectPacks(folder: string): readonly string[] {
  const { dependencies, devDependencies } = manifestOf(folder);
  return Object.keys({ ...dependencies, ...devDependencies }).filter(
    (name) =>
      !name.startsWith("@haft/") && manifestOf(join(folder, "node_modules", name)).haft?.pack === true,
  );
}

interface Manifest {
  readonly scripts?: Readonly<Record<string, unknown>>;
  readonly packageManager?: unknown;
  readonly dependencies?: object;
  readonly devDependencies?: object;
  readonly haft?: { readonly pack?: unknown };
}

/** Empty for a missing or unreadable file. */
function manifestOf(folder: string): Manifest {
  const file = join(folder, "package.json");
  try {
    // Reading a pipe would wait forever.
    if (!statSync(file).isFile()) return {};
    return (JSON.parse(readFileSync(file, "utf8")) ?? {}) as Manifest;
  } catch {
    return {};
  }
}

const SCRIPTS = ["build", "test", "lint", "check", "typecheck"];

function packageScripts(folder: string): readonly string[] {
  const { scripts, packageManager } = manifestOf(folder);
  const pinned = LOCKS.find(([name]) => String(packageManager).startsWith(`${name}@`));
  const [manager] = pinned ?? LOCKS.find(([, file]) => existsSync(join(folder, file))) ?? ["npm"];
  return SCRIPTS.filter((name) => typeof scripts?.[name] === "string").map(
    (name) => `${manager} run ${name}`,
  );
}

const LOCKS = [
  ["pnpm", "pnpm-lock.yaml"],
  ["yarn", "yarn.lock"],
  ["bun", "bun.lock"],
  ["bun", "bun.lockb"],
  ["npm", "package-lock.json"],
] as const;

function agentsStub(commands: readonly string[]): string {
  const list =
    commands.length === 0
      ? "- (the commands that build and test this project)"
      : commands.map((command) => `- \`${command}\``).join("\n");
  return `# Working in this project\n\n## Commands\n${list}\n\n## Conventions\n- (how code here is written, named and tested)\n`;
}
