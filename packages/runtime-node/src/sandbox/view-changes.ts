import { readlinkSync, type Stats } from "node:fs";
import { dirname, relative } from "node:path";
import {
  isInside,
  joinPath,
  type Location,
  linkDestination,
  type SandboxChange,
  type SandboxOutcome,
  ToolError,
  type WorkspaceStore,
} from "@haft/core";
import { errnoOf } from "../workspace/system-error.js";
import { foreignEntry, isContent, isNewer, type RunStart } from "./foreign-entry.js";
import { isSame, namesIn, readWhole, statsOf } from "./view-entry.js";
import type { WorkspaceScan } from "./workspace-scan.js";
import type { WorkspaceView } from "./workspace-view.js";

export interface ViewSetting extends RunStart {
  readonly workspace: Pick<WorkspaceStore, "root" | "vet">;
  readonly view: Pick<WorkspaceView, "path" | "isTouched" | "had">;
  readonly scan: Pick<WorkspaceScan, "guarded" | "secret">;
}

export type ViewChanges = Pick<SandboxOutcome, "changes" | "conflicts" | "warnings" | "isPartial">;

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
  readonly #conflicts: string[] = [];
  readonly #warnings: string[] = [];
  #roomBytes = MAX_RECORDED_BYTES;

  constructor(setting: ViewSetting) {
    this.#setting = setting;
  }

  found(): ViewChanges {
    const count = this.#changes.length;
    const conflicts = this.#conflicts;
    // A part of what code did may be worse than nothing: what it wrote here goes with what it wrote there.
    if (conflicts.length > 0) return { changes: [], conflicts, ...this.#told() };
    if (count <= MAX_RECORDED_CHANGES) return { changes: this.#changes, conflicts, ...this.#told() };
    const why = `one run can record ${MAX_RECORDED_CHANGES} changes, and there were ${count}`;
    return { changes: [], conflicts, warnings: [`none of its changes to files were kept: ${why}`] };
  }

  #told(): Pick<ViewChanges, "warnings" | "isPartial"> {
    return { warnings: this.#warnings, isPartial: this.#warnings.length > 0 };
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
    const { view } = this.#setting;
    const before = isNew ? undefined : statsOf(this.#real(path));
    if (before === undefined && view.had(path)) this.#deletedByOthers(path);
    else if (before === undefined || view.isTouched(path)) this.#touched(path, before);
  }

  #touched(path: string, before: Stats | undefined): void {
    const after = statsOf(this.#seen(path));
    if (after === undefined) return;
    if (before?.isDirectory() && after.isDirectory()) this.directory(path, false);
    else if (this.#mayChange(path) && this.#isOurs(path, before)) this.#changed(path, before, after);
  }

  /** It does not come back; only work of the code that would be lost with it is in conflict with that. */
  #deletedByOthers(path: string): void {
    if (this.#reading(path, () => this.#isWorkedOn(path))) this.#conflicts.push(path);
  }

  #isWorkedOn(path: string): boolean {
    const { view } = this.#setting;
    if (!view.had(path)) return true;
    if (!statsOf(this.#seen(path))?.isDirectory()) return view.isTouched(path);
    return namesIn(this.#seen(path)).some((name) => this.#isWorkedOn(joinPath(path, name)));
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
    const target = this.#targetOf(path);
    if (before?.isSymbolicLink() && readlinkSync(this.#real(path)) === target) return;
    if (!this.#mayLead(path, target)) return;
    if (before !== undefined) this.#delete(path);
    this.#changes.push({ kind: "symlink", path, target });
  }

  #mayLead(path: string, target: string): boolean {
    const destination = linkDestination(path, target);
    if (destination !== undefined) return this.#vetted(path, destination) !== undefined;
    this.#warn(path, `${target} is outside the workspace`);
    return false;
  }

  /** A target in the folder of the view itself, which goes, is meant for the workspace. */
  #targetOf(path: string): string {
    const target = readlinkSync(this.#seen(path));
    const place = dirname(this.#seen(path));
    return target.startsWith(`${this.#setting.view.path}/`) ? relative(place, target) : target;
  }

  #gone(path: string): void {
    const before = statsOf(this.#real(path));
    if (before === undefined || !isContent(before)) return;
    // What was never in the view was not deleted from it.
    if (this.#setting.view.had(path) === false) return;
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

  /** What is sealed only asks elsewhere and is refused here: nobody sees code write it. */
  #mayChange(path: string): boolean {
    const located = this.#vetted(path, path);
    if (located?.sealed) this.#warn(path, "it would run as code later");
    return located !== undefined && !located.sealed;
  }

  /** A place as the guard of every other write sees it; where it refuses, the path is told to stay as it is. */
  #vetted(path: string, place: string): Location | undefined {
    try {
      return this.#setting.workspace.vet(place, { purpose: "write" });
    } catch (error) {
      if (!ToolError.is(error)) throw error;
      this.#warn(path, error.message);
      return undefined;
    }
  }

  #isOurs(path: string, before: Stats | undefined): boolean {
    const foreign = before === undefined ? undefined : foreignEntry(this.#setting, path);
    if (foreign === undefined) return true;
    if (isNewer(this.#setting, foreign)) this.#conflicts.push(foreign);
    else this.#warn(path, `the code could not see ${foreign === path ? "it" : foreign}`);
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
