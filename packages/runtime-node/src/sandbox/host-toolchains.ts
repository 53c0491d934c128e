import { existsSync, statSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { isSensitiveName } from "@haft/text/path-rules";
import { namesIfReadable } from "../fs/if-readable.js";
import { isBelow } from "../fs/is-below.js";
import { programDirectories } from "../process/program-path.js";
import type { Environment } from "../secrets/scrubbed-environment.js";
import { isPersonalFolder } from "./personal-folder.js";

/** The parts of the host that a command in the box sees: its programs, and an empty home directory. */
export interface HostToolchains {
  /** The value of PATH. */
  readonly path: string;
  /** An empty folder in the box, except for the toolchains. */
  readonly home: string;
  /** Absolute paths that are mounted read-only. */
  readonly readOnly: readonly string[];
  /** Variables that locate toolchains. */
  readonly env: Readonly<Record<string, string>>;
}

export function hostToolchains(env: Environment, root: string): HostToolchains {
  const directories = programDirectories(env.PATH, root).filter(isFolder);
  const home = homeOf(env, root);
  const told = Object.entries(env).filter(
    (entry): entry is [string, string] => PLACES.has(entry[0]) && isAbsolute(entry[1] ?? ""),
  );
  const ofHome = home === undefined ? [] : HOME_TOOLCHAINS.map((name) => join(home, name));
  const wanted = [
    ...ofHome,
    ...told.map(([, place]) => place),
    ...directories.map((path) => installationOf(path, home)),
  ];
  return {
    path: [...new Set([...directories, ...SYSTEM_PATH])].join(":"),
    home: home ?? "/tmp",
    readOnly: outermost(wanted.filter((path) => isMountable(path, { home, root }))),
    // Git does not search for a repository above the workspace.
    env: { ...Object.fromEntries(told), GIT_CEILING_DIRECTORIES: dirname(root) },
  };
}

const SYSTEM_PATH = ["/usr/local/bin", "/usr/bin", "/bin"];

/** Returns undefined without a home, or if the home is the workspace; the box then uses its temporary folder. */
function homeOf({ HOME }: Environment, root: string): string | undefined {
  if (HOME === undefined || !isAbsolute(HOME) || HOME === "/") return undefined;
  return isBelow(root, HOME) || !isFolder(HOME) ? undefined : HOME;
}

/** Toolchains and caches below a home directory. None of them contains credentials. */
const HOME_TOOLCHAINS = [
  ...[".cargo/bin", ".cargo/registry", ".cargo/git", ".rustup"],
  ...["go/pkg", "go/bin", "sdk", ".gvm", ".goenv"],
  ...[
    ".nvm",
    ".volta",
    ".fnm",
    ".n",
    ".local/share/fnm",
    ".local/share/pnpm",
    ".cache/node",
    ".bun/bin",
    ".deno/bin",
  ],
  ...[
    ".pyenv",
    ".local/share/uv/python",
    ".local/share/uv/tools",
    ".local/lib",
    ".virtualenvs",
    ".local/pipx",
    ".local/share/pipx",
  ],
  ...[".rbenv", ".rvm", ".gem/ruby", ".asdf", ".local/share/mise", ".sdkman/candidates", ".jenv"],
  ...[
    ".m2/repository",
    ".m2/wrapper",
    ".gradle/caches",
    ".gradle/wrapper",
    ".cache/ms-playwright",
    ".cache/Cypress",
  ],
];

/** Variables that locate toolchains. */
const PLACES: ReadonlySet<string> = new Set([
  ...[
    "RUSTUP_HOME",
    "PYENV_ROOT",
    "NVM_DIR",
    "NVM_BIN",
    "VOLTA_HOME",
    "FNM_DIR",
    "GOROOT",
    "GOPATH",
    "GOMODCACHE",
  ],
  ...["JAVA_HOME", "SDKMAN_DIR", "RBENV_ROOT", "ASDF_DIR", "ASDF_DATA_DIR", "MISE_DATA_DIR", "BUN_INSTALL"],
]);

/** Returns the installation of a program directory: `/opt/x/bin` needs `/opt/x`. */
function installationOf(directory: string, home: string | undefined): string {
  const above = dirname(directory);
  // In a home directory, anything may lie beside a folder of programs.
  if (home !== undefined && isBelow(home, directory)) return directory;
  const isInstallation = /\/s?bin$/.test(directory) && dirname(above) !== "/";
  return isInstallation && !isPersonalFolder(above, home) && !holdsSecrets(above) ? above : directory;
}

/** Returns whether a folder is a project with secrets rather than an installation. */
function holdsSecrets(folder: string): boolean {
  return namesIfReadable(folder).some((name) => isSensitiveName([name.toLowerCase()]));
}

/**
 * Returns false for paths that the box has anyway, that belong to the workspace, or that contain more than
 * toolchains.
 */
function isMountable(path: string, { home, root }: { home: string | undefined; root: string }): boolean {
  if (SYSTEM.test(path) || isBelow(root, path) || isBelow(path, root) || !isFolder(path)) return false;
  return !isPersonalFolder(path, home);
}

const SYSTEM = /^\/(?:$|usr(?:\/|$)|bin$|sbin$|lib\w*$|etc(?:\/|$)|proc|sys|dev|tmp$|home$|root$)/;

function outermost(paths: readonly string[]): readonly string[] {
  const all = [...new Set(paths)];
  return all.filter((path) => !all.some((other) => other !== path && isBelow(other, path))).sort();
}

function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}
