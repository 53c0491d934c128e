import {
  closeSync,
  constants,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  type Stats,
} from "node:fs";
import { isInside, joinPath, type SandboxChange, ToolError, type WorkspaceStore } from "@haft/core";
import { errnoOf } from "../workspace/system-error.js";
import type { WorkspaceScan } from "./workspace-scan.js";
import type { WorkspaceView } from "./workspace-view.js";

export interface ViewSetting {
  readonly workspace: Pick<WorkspaceStore, "root" | "vet">;
  readonly view: Pick<WorkspaceView, "path" | "isTouched">;
  readonly scan: Pick<WorkspaceScan, "guarded" | "secret">;
  /** When the run began: what others changed in the workspace since then is theirs. */
  readonly startedAtMs: number;
}

export interface ViewChanges {
  readonly changes: readonly SandboxChange[];
  readonly warnings: readonly string[];
}

/** What a view has come to differ in from its workspace. Nobody may be at work in it any more. */
export function viewChanges(setting: ViewSetting): ViewChanges {
  const differences = new Differences(setting);
  differences.directory("", false);
  return differences.found();
}

/** The bytes of one run that are held to be recorded; the kernel's own limit is the same. */
export const MAX_RECORDED_BYTES = 20 * 1024 * 1024;

/** Each is kept, journalled and made durable by itself; a part of very many would be no use to anybody. */
const MAX_RECORDED_CHANGES = 2_000;

class Differences {
  readonly #setting: ViewSetting;
  readonly #changes: SandboxChange[] = [];
  readonly #warnings: string[] = [];
  #roomBytes = MAX_RECORDED_BYTES;

  constructor(setting: ViewSetting) {
    this.#setting = setting;
  }

  found(): ViewChanges {
    const count = this.#changes.length;
    if (count <= MAX_RECORDED_CHANGES) return { changes: this.#changes, warnings: this.#warnings };
    const why = `one run can record ${MAX_RECORDED_CHANGES} changes, and there were ${count}`;
    return { changes: [], warnings: [`none of its changes to files were kept: ${why}`] };
  }

  /** `isNew` says that the workspace has no such directory, so all of it counts. */
  directory(path: string, isNew: boolean): void {
    const now = this.#reading(path, () => namesIn(this.#seen(path)));
    if (now === undefined) return;
    const before = isNew ? [] : namesIn(this.#real(path));
    const left = new Set(now);
    for (const name of before) if (!left.has(name)) this.#gone(joinPath(path, name));
    for (const name of now) this.#entry(joinPath(path, name), isNew);
  }

  #entry(path: string, isNew: boolean): void {
    const before = isNew ? undefined : statsOf(this.#real(path));
    if (before !== undefined && !this.#setting.view.isTouched(path)) return;
    const after = statsOf(this.#seen(path));
    if (after === undefined) return;
    if (before?.isDirectory() && after.isDirectory()) this.directory(path, false);
    else if (this.#mayChange(path) && this.#isOurs(path, before)) this.#changed(path, before, after);
  }

  #changed(path: string, before: Stats | undefined, after: Stats): void {
    if (after.isFile()) this.#file(path, before, after);
    else if (after.isSymbolicLink()) this.#link(path, before);
    else if (after.isDirectory()) this.#newDirectory(path, before);
    else this.#warn(path, "what it became is neither file, folder nor link");
  }

  #newDirectory(path: string, before: Stats | undefined): void {
    if (before !== undefined) this.#delete(path);
    this.#changes.push({ kind: "directory", path });
    this.directory(path, true);
  }

  #file(path: string, before: Stats | undefined, after: Stats): void {
    if (after.size > this.#roomBytes) {
      this.#warn(path, `${after.size} bytes are too many: one run can record ${MAX_RECORDED_BYTES}`);
      return;
    }
    const bytes = this.#reading(path, () => readWhole(this.#seen(path)));
    if (bytes === undefined) return;
    const mode = after.mode & 0o777;
    if (before?.isFile() && (before.mode & 0o777) === mode && isSame(this.#real(path), before, bytes)) return;
    if (before !== undefined && !before.isFile()) this.#delete(path);
    this.#roomBytes -= bytes.length;
    this.#changes.push({ kind: "file", path, bytes, mode });
  }

  #link(path: string, before: Stats | undefined): void {
    const target = readlinkSync(this.#seen(path));
    if (before?.isSymbolicLink() && readlinkSync(this.#real(path)) === target) return;
    if (before !== undefined) this.#delete(path);
    this.#changes.push({ kind: "symlink", path, target });
  }

  #gone(path: string): void {
    const before = statsOf(this.#real(path));
    // Pipes and devices are no content: a view may not even have them.
    if (before === undefined || !(before.isFile() || before.isDirectory() || before.isSymbolicLink())) return;
    const { guarded, secret } = this.#setting.scan;
    const kept = [...guarded.keys(), ...secret.map((entry) => entry.path)].find((each) =>
      isInside(each, path),
    );
    // Such a thing itself is not even in every view.
    if (kept === path) return;
    if (kept !== undefined) this.#warn(path, `it holds ${kept}, so it was not deleted`);
    else if (this.#mayChange(path) && this.#isOurs(path, before)) this.#delete(path);
  }

  #delete(path: string): void {
    this.#changes.push({ kind: "delete", path });
  }

  /** The guard of every other write. What only asks elsewhere is refused here: nobody sees code write it. */
  #mayChange(path: string): boolean {
    try {
      const { protected: isProtected } = this.#setting.workspace.vet(path, { purpose: "write" });
      if (isProtected) this.#warn(path, "it would run as code later");
      return !isProtected;
    } catch (error) {
      if (!ToolError.is(error)) throw error;
      this.#warn(path, error.message);
      return false;
    }
  }

  #isOurs(path: string, before: Stats | undefined): boolean {
    if (before === undefined || before.isDirectory() || before.ctimeMs <= this.#setting.startedAtMs)
      return true;
    this.#warn(path, "it was changed by somebody else meanwhile");
    return false;
  }

  /** Code can take away its own right to read what it wrote. */
  #reading<T>(path: string, read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      const code = errnoOf(error);
      if (code === undefined) throw error;
      this.#warn(path, `it cannot be read (${code})`);
      return undefined;
    }
  }

  #warn(path: string, why: string): void {
    this.#warnings.push(`${path} was left as it is in the workspace: ${why}`);
  }

  #seen(path: string): string {
    return `${this.#setting.view.path}/${path}`;
  }

  #real(path: string): string {
    return `${this.#setting.workspace.root}/${path}`;
  }
}

function namesIn(directory: string): readonly string[] {
  return readdirSync(directory).sort();
}

function statsOf(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}

/** Not through a link, should one have come to stand there. */
function readWhole(path: string): Buffer {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function isSame(path: string, before: Stats, bytes: Buffer): boolean {
  return before.size === bytes.length && readWhole(path).equals(bytes);
}
