import { existsSync, lstatSync, readlinkSync } from "node:fs";
import type { SandboxRequest } from "@haft/core/capabilities";
import { linkedWorktree } from "../process/linked-worktree.js";
import type { HostToolchains } from "./host-toolchains.js";
import type { MemoryFolder } from "./memory-folders.js";
import { isPackageFolder } from "./pass-through.js";
import type { WorkspaceScan } from "./workspace-scan.js";
import type { ViewLaunch } from "./workspace-view.js";
import { linkedRepository, writableRepository } from "./writable-repository.js";

interface BubblewrapOptions {
  readonly root: string;
  /** Absolute. */
  readonly cwd: string;
  /** The folder mounted in place of the workspace. */
  readonly bind: ViewLaunch["bind"];
  /** Workspace folders that this folder lacks. */
  readonly absent?: ViewLaunch["absent"];
  readonly scan: Pick<WorkspaceScan, "guarded" | "secret" | "repositories">;
  readonly env: readonly (readonly [string, string])[];
  /** The mounts of system settings. */
  readonly settings: readonly string[];
  /** What is mounted over each hidden file. */
  readonly fileMask: string;
  /** The host's programs and folders that commands find, and a home directory that contains nothing else. */
  readonly toolchains?: HostToolchains | undefined;
  /** Workspace folders that are mounted themselves, writable. */
  readonly shared?: readonly string[] | undefined;
  /** Further arguments, for paths outside the workspace. */
  readonly mounts?: readonly string[] | undefined;
  /** The visible part of the repositories around these folders. */
  readonly repository?: SandboxRequest["repository"] | undefined;
  readonly gitFolders?: SandboxRequest["gitFolders"] | undefined;
  /** The descriptors that carry the script and the filter. */
  readonly script?: { readonly descriptor: number; readonly path: string } | undefined;
  readonly filterDescriptor?: number | undefined;
}

/**
 * Returns the arguments for a box: separate namespaces, no network, a read-only system, and a writable workspace
 * except for guarded paths.
 */
export function bubblewrapArguments(setting: BubblewrapOptions): readonly string[] {
  const { root, cwd, script, filterDescriptor } = setting;
  return [
    ...ISOLATION,
    ...setting.env.flatMap(([name, value]) => ["--setenv", name, value]),
    ...systemArguments(setting.settings),
    ...PROCESSES_AND_DEVICES,
    ...memoryFolders(setting.toolchains).flatMap(memoryArguments),
    ...(setting.toolchains?.readOnly ?? []).flatMap((path) => ["--ro-bind-try", path, path]),
    ...(setting.mounts ?? []),
    ...[...setting.bind, root],
    ...(setting.absent ?? []).flatMap((path) => ["--ro-bind", `${root}/${path}`, `${root}/${path}`]),
    ...maskArguments(setting),
    ...(setting.shared ?? []).flatMap((path) => ["--bind", `${root}/${path}`, `${root}/${path}`]),
    ...(script === undefined ? [] : ["--ro-bind-data", String(script.descriptor), script.path]),
    // Both are memory without a size limit.
    ...["--remount-ro", "/dev", "--remount-ro", "/"],
    ...["--chdir", cwd],
    ...(filterDescriptor === undefined ? [] : ["--seccomp", String(filterDescriptor)]),
  ];
}

/** Returns the smallest arguments that show whether boxes work here. */
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
  // Mounting a layer takes the number 0 for an ordinary user; in the box the number is again that of the host.
  ...userArguments(process.geteuid?.(), process.getegid?.()),
];

function userArguments(user: number | undefined, group: number | undefined): readonly string[] {
  return user === undefined || group === undefined ? [] : ["--uid", String(user), "--gid", String(group)];
}

/** Read-only: /proc contains settings of the whole machine, which belong to root outside. */
const PROCESSES_AND_DEVICES = ["--proc", "/proc", "--remount-ro", "/proc", "--dev", "/dev"];

/** Returns the writable folders of a box that are memory. */
export function memoryFolders(toolchains: Pick<HostToolchains, "home"> | undefined): readonly MemoryFolder[] {
  const home = toolchains?.home ?? "/tmp";
  return [
    { path: "/dev/shm", bytes: SHARED_MEMORY_BYTES },
    { path: "/tmp", bytes: TEMPORARY_BYTES },
    ...(home === "/tmp" ? [] : [{ path: home, bytes: TEMPORARY_BYTES }]),
  ];
}

const SHARED_MEMORY_BYTES = 64 * 1024 * 1024;
const TEMPORARY_BYTES = 256 * 1024 * 1024;

function memoryArguments({ path, bytes }: MemoryFolder): readonly string[] {
  return ["--size", String(bytes), "--tmpfs", path];
}

function systemArguments(settings = MINIMAL_SETTINGS): readonly string[] {
  return [...["--ro-bind", "/usr", "/usr"], ...TOP_DIRECTORIES.flatMap(topDirectory), ...settings];
}

const TOP_DIRECTORIES = ["/bin", "/lib", "/lib64", "/lib32", "/sbin"];
/** Enough to start a program of the system. */
const MINIMAL_SETTINGS: readonly string[] = ["/etc/alternatives", "/etc/ld.so.cache"].flatMap((path) => [
  ...["--ro-bind-try", path, path],
]);

/** Returns a link into /usr on current systems, a directory on older ones. */
function topDirectory(path: string): readonly string[] {
  if (!existsSync(path)) return [];
  return lstatSync(path).isSymbolicLink()
    ? ["--symlink", readlinkSync(path), path]
    : ["--ro-bind", path, path];
}

function maskArguments(setting: BubblewrapOptions): readonly string[] {
  const { root, scan, repository = "masked", toolchains } = setting;
  const repositories = new Set(scan.repositories);
  const shown = new Set(repository === "masked" ? [] : repositoriesAround(setting));
  const linked = repository === "masked" || shown.size > 0 ? undefined : linkedWorktree(root);
  // Commands may write in installed packages; those changes are dropped with the view.
  const isOpen = (path: string) => toolchains !== undefined && isPackageFolder(path);
  const isReadOnly = setting.bind[0] === "--ro-bind";
  const guarded = [...(isReadOnly ? [] : scan.guarded)]
    .filter(([path, stats]) => !stats.isSymbolicLink() && !repositories.has(path) && !isOpen(path))
    .flatMap(([path]) => ["--ro-bind", `${root}/${path}`, `${root}/${path}`]);
  const secret = scan.secret.flatMap(({ path, isDirectory }) => {
    const at = `${root}/${path}`;
    return isDirectory ? ["--tmpfs", at, "--remount-ro", at] : ["--ro-bind", setting.fileMask, at];
  });
  return [
    ...guarded,
    ...secret,
    ...scan.repositories.flatMap((path) =>
      shown.has(path)
        ? shownRepository(`${root}/${path}`, repository)
        : repositoryArguments(`${root}/${path}`),
    ),
    ...(linked === undefined ? [] : linkedRepository(linked, repository)),
  ];
}

function shownRepository(at: string, repository: SandboxRequest["repository"]): readonly string[] {
  return repository === "write" ? writableRepository(at) : ["--ro-bind", at, at];
}

/** Returns the repositories inside the workspace that git would find from each folder. */
export function repositoriesAround({
  scan,
  gitFolders = ["."],
}: Pick<BubblewrapOptions, "gitFolders"> & {
  readonly scan: Pick<WorkspaceScan, "repositories">;
}): readonly string[] {
  const known = new Set(scan.repositories);
  return gitFolders.flatMap((folder) => {
    for (let at = folder === "." ? "" : folder; ; at = at.slice(0, Math.max(0, at.lastIndexOf("/")))) {
      const path = at === "" ? ".git" : `${at}/.git`;
      if (known.has(path)) return [path];
      if (at === "") return [];
    }
  });
}

/** Mounts enough for `git ls-files` and `git rev-parse`. Committed content, even if unreachable, is absent. */
function repositoryArguments(at: string): readonly string[] {
  return [
    ...["--tmpfs", at, "--dir", `${at}/objects`, "--dir", `${at}/refs`],
    ...SHOWN_OF_GIT.flatMap((name) => ["--ro-bind-try", `${at}/${name}`, `${at}/${name}`]),
    ...["--remount-ro", at],
  ];
}

const SHOWN_OF_GIT = ["HEAD", "index", "packed-refs", "refs"];
