import { existsSync, lstatSync, readlinkSync } from "node:fs";
import type { WorkspaceScan } from "./workspace-scan.js";
import type { ViewLaunch } from "./workspace-view.js";

export interface BubblewrapSetting {
  readonly root: string;
  /** Absolute. */
  readonly cwd: string;
  /** What stands in the workspace's place. */
  readonly bind: ViewLaunch["bind"];
  readonly scan: Pick<WorkspaceScan, "guarded" | "secret" | "repositories">;
  readonly env: Readonly<Record<string, string>>;
  /** The descriptors that carry the script and the filter. */
  readonly script?: { readonly descriptor: number; readonly path: string } | undefined;
  readonly filterDescriptor?: number | undefined;
}

/** The box: own namespaces, no network, the system read-only, the workspace writable but for what is guarded. */
export function bubblewrapArguments(setting: BubblewrapSetting): readonly string[] {
  const { root, cwd, script, filterDescriptor } = setting;
  return [
    ...ISOLATION,
    ...environmentArguments(setting.env, root),
    ...systemArguments(),
    ...PROCESSES_AND_DEVICES,
    ...["--size", String(SHARED_MEMORY_BYTES), "--tmpfs", "/dev/shm"],
    ...["--size", String(TEMPORARY_BYTES), "--tmpfs", "/tmp"],
    ...[...setting.bind, root],
    ...maskArguments(setting),
    ...(script === undefined ? [] : ["--ro-bind-data", String(script.descriptor), script.path]),
    ...["--chdir", cwd],
    ...(filterDescriptor === undefined ? [] : ["--seccomp", String(filterDescriptor)]),
  ];
}

/** Enough to see whether a box can be made here at all. */
export function probeArguments(): readonly string[] {
  return [...ISOLATION, ...systemArguments(), ...PROCESSES_AND_DEVICES, "--tmpfs", "/tmp"];
}

const ISOLATION = [
  ...[
    "--unshare-user",
    "--disable-userns",
    "--unshare-ipc",
    "--unshare-pid",
    "--unshare-net",
    "--unshare-uts",
  ],
  ...[
    "--unshare-cgroup-try",
    "--die-with-parent",
    "--new-session",
    "--cap-drop",
    "ALL",
    "--hostname",
    "sandbox",
  ],
  "--clearenv",
];

/** Read-only, because the settings of the whole machine are files in there, and belong to whoever is root outside. */
const PROCESSES_AND_DEVICES = ["--proc", "/proc", "--remount-ro", "/proc", "--dev", "/dev"];

const SHARED_MEMORY_BYTES = 64 * 1024 * 1024;
const TEMPORARY_BYTES = 256 * 1024 * 1024;

function environmentArguments(added: Readonly<Record<string, string>>, root: string): readonly string[] {
  return boxEnvironment(added, root).flatMap(([name, value]) => ["--setenv", name, value]);
}

/** What code finds in its environment. Modules of the workspace can be imported although the script lies elsewhere. */
export function boxEnvironment(
  added: Readonly<Record<string, string>>,
  root: string,
): readonly (readonly [string, string])[] {
  const given = Object.entries(added).filter(([name]) => !CHANGES_WHAT_RUNS.test(name));
  return [...given, ["PYTHONPATH", root], ...OWN_ENVIRONMENT];
}

const CHANGES_WHAT_RUNS = /^(?:PATH|HOME|LD_.*|BASH_.*|ENV|NODE_OPTIONS|PYTHON.*|IFS|SHELLOPTS|PS4|)$/;

const OWN_ENVIRONMENT = [
  ["PATH", "/usr/local/bin:/usr/bin:/bin"],
  ["HOME", "/tmp"],
  ["LANG", "C.UTF-8"],
  ["PYTHONDONTWRITEBYTECODE", "1"],
  ["PYTHONIOENCODING", "utf-8:surrogateescape"],
  ["TERM", "dumb"],
] as const;

function systemArguments(): readonly string[] {
  return [
    ...["--ro-bind", "/usr", "/usr"],
    ...TOP_DIRECTORIES.flatMap(topDirectory),
    ...READABLE_SETTINGS.flatMap((path) => ["--ro-bind-try", path, path]),
  ];
}

const TOP_DIRECTORIES = ["/bin", "/lib", "/lib64", "/lib32", "/sbin"];
const READABLE_SETTINGS = ["/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/localtime"];

/** A link into /usr on today's systems, a directory of its own on older ones. */
function topDirectory(path: string): readonly string[] {
  if (!existsSync(path)) return [];
  return lstatSync(path).isSymbolicLink()
    ? ["--symlink", readlinkSync(path), path]
    : ["--ro-bind", path, path];
}

function maskArguments({ root, scan }: BubblewrapSetting): readonly string[] {
  const repositories = new Set(scan.repositories);
  const guarded = [...scan.guarded]
    .filter(([path, stats]) => !stats.isSymbolicLink() && !repositories.has(path))
    .flatMap(([path]) => ["--ro-bind", `${root}/${path}`, `${root}/${path}`]);
  const secret = scan.secret.flatMap(({ path, isDirectory }) => {
    const at = `${root}/${path}`;
    return isDirectory ? ["--tmpfs", at, "--remount-ro", at] : ["--ro-bind", "/dev/null", at];
  });
  return [
    ...guarded,
    ...secret,
    ...scan.repositories.flatMap((path) => repositoryArguments(`${root}/${path}`)),
  ];
}

/** Enough for `git ls-files` and `git rev-parse`. All that was ever committed, also what nothing leads to any more, is not there. */
function repositoryArguments(at: string): readonly string[] {
  return [
    ...["--tmpfs", at, "--dir", `${at}/objects`, "--dir", `${at}/refs`],
    ...SHOWN_OF_GIT.flatMap((name) => ["--ro-bind-try", `${at}/${name}`, `${at}/${name}`]),
    ...["--remount-ro", at],
  ];
}

const SHOWN_OF_GIT = ["HEAD", "index", "packed-refs", "refs"];
