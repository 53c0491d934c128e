import { type Dirent, lstatSync, readdirSync, type Stats } from "node:fs";
import { ToolError, type WorkspaceStore } from "@haft/core";
import { HeldDirectory } from "../workspace/held-directory.js";
import { errnoOf } from "../workspace/system-error.js";

/** A folder as it was at one moment: what is in it, and what of it code must not see or change. */
export interface WorkspaceScan {
  /** What runs as code later or decides what may run; only the uppermost of each. */
  readonly guarded: ReadonlyMap<string, Stats>;
  /** Files and folders whose content is out of reach. */
  readonly secret: readonly SecretEntry[];
  /** The folders in which git keeps what it knows: names and versions may be seen, contents and settings not. */
  readonly repositories: readonly string[];
  /** How much there is that may change. */
  readonly open: { readonly entries: number; readonly bytes: number };
  /** Whether some of it belongs to another group than this process: a namespace does not know that one. */
  readonly hasOtherGroups: boolean;
}

export interface SecretEntry {
  readonly path: string;
  readonly isDirectory: boolean;
}

export type ScannedWorkspace = Pick<WorkspaceStore, "root" | "vet" | "local">;

/** Looks at every entry below the root, whatever ignore files say. Throws when there are too many to be sure. */
export function scanWorkspace(workspace: ScannedWorkspace): WorkspaceScan {
  const scan = new Scan(workspace);
  scan.directory(() => HeldDirectory.open(workspace.root), { path: "", isGuarded: false });
  return scan.finished();
}

class Scan {
  readonly #workspace: ScannedWorkspace;
  readonly #guarded = new Map<string, Stats>();
  readonly #secret: SecretEntry[] = [];
  readonly #secretInodes = new Set<string>();
  readonly #repositories: string[] = [];
  readonly #linked: { path: string; inode: string }[] = [];
  #entries = 0;
  #openEntries = 0;
  #openBytes = 0;
  #hasOtherGroups = false;

  constructor(workspace: ScannedWorkspace) {
    this.#workspace = workspace;
  }

  /** Directories are held while they are looked at: one that is swapped for a link meanwhile leads nowhere. */
  directory(open: () => HeldDirectory, at: Folder): void {
    const held = holding(open);
    if (held === undefined) return;
    try {
      const entries = entriesOf(held);
      if (isRepository(at.path, entries)) {
        this.#repositories.push(at.path);
        return;
      }
      for (const entry of entries) {
        this.#entries += 1;
        if (this.#entries > MAX_ENTRIES) throw tooManyEntries();
        this.#entry(held, entry, at);
      }
    } finally {
      held.close();
    }
  }

  finished(): WorkspaceScan {
    // A hard link gives a secret a harmless name.
    for (const { path, inode } of this.#linked)
      if (this.#secretInodes.has(inode)) this.#secret.push({ path, isDirectory: false });
    return {
      guarded: this.#guarded,
      secret: this.#secret,
      repositories: this.#repositories,
      open: { entries: this.#openEntries, bytes: this.#openBytes },
      hasOtherGroups: this.#hasOtherGroups,
    };
  }

  #entry(held: HeldDirectory, entry: Dirent, { path: above, isGuarded }: Folder): void {
    const stats = lstatSync(held.at(entry.name), { throwIfNoEntry: false });
    if (stats === undefined) return;
    const path = above === "" ? entry.name : `${above}/${entry.name}`;
    const isDirectory = entry.isDirectory();
    const mayOpen = this.#workspace.local?.mayOpen(path) ?? true;
    // A socket would let code talk to whoever listens outside.
    if (!entry.isSymbolicLink() && (!mayOpen || entry.isSocket())) {
      this.#secret.push({ path, isDirectory });
      this.#secretInodes.add(inodeOf(stats));
      return;
    }
    const isOwnGuard = !isGuarded && this.#isGuarded(path);
    if (isOwnGuard) this.#guarded.set(path, stats);
    else if (!isGuarded) this.#count(stats);
    if (entry.isFile() && stats.nlink > 1) this.#linked.push({ path, inode: inodeOf(stats) });
    if (!isDirectory) return;
    this.directory(() => held.openDirectory(entry.name), { path, isGuarded: isGuarded || isOwnGuard });
  }

  #count(stats: Stats): void {
    this.#openEntries += 1;
    if (stats.isFile()) this.#openBytes += stats.size;
    this.#hasOtherGroups ||= stats.gid !== process.getegid?.();
  }

  #isGuarded(path: string): boolean {
    try {
      return this.#workspace.vet(path, { purpose: "write" }).sealed === true;
    } catch (error) {
      return ToolError.is(error) && error.code === "PROTECTED_PATH";
    }
  }
}

// Beyond this nobody could say in time that nothing was missed.
const MAX_ENTRIES = 1_000_000;

interface Folder {
  readonly path: string;
  readonly isGuarded: boolean;
}

/** What is gone, or no directory any more, holds nothing. */
function holding(open: () => HeldDirectory): HeldDirectory | undefined {
  try {
    return open();
  } catch (error) {
    if (errnoOf(error) === "EMFILE" || errnoOf(error) === "ENFILE") throw error;
    return undefined;
  }
}

function entriesOf(held: HeldDirectory): readonly Dirent[] {
  try {
    return readdirSync(held.self, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** By its name, or by what is in it: a bare repository can have any name. The workspace itself is what code is to see. */
function isRepository(path: string, entries: readonly Dirent[]): boolean {
  if (path === "") return false;
  if (path.slice(path.lastIndexOf("/") + 1).toLowerCase() === ".git") return true;
  const has = (name: string) => entries.some((entry) => entry.name === name);
  return has("HEAD") && has("objects") && has("refs");
}

function inodeOf({ dev, ino }: Stats): string {
  return `${dev}:${ino}`;
}

function tooManyEntries(): ToolError {
  return new ToolError("LIMIT_EXCEEDED", `The workspace has more than ${MAX_ENTRIES} entries`, {
    hint: "Code cannot be confined to it safely. Open a smaller folder as the workspace.",
  });
}
