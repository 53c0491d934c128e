import { readlinkSync, type Stats } from "node:fs";
import { dirname, relative } from "node:path";
import { isInside, joinPath, type SandboxChange, type SandboxOutcome, type WorkspaceStore } from "@haft/core";
import { foreignEntry, isContent, isNewer, type RunStart } from "./foreign-entry.js";
import { VettedChanges } from "./vetted-changes.js";
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
  readonly #vetting: VettedChanges;
  #roomBytes = MAX_RECORDED_BYTES;

  constructor(setting: ViewSetting) {
    this.#setting = setting;
    this.#vetting = new VettedChanges(setting.workspace);
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
    const { warnings } = this.#vetting;
    return { warnings, isPartial: warnings.length > 0 };
  }

  /** `isNew` says that the workspace has no such directory, so all of it counts. */
  directory(path: string, isNew: boolean): void {
    const now = this.#vetting.reading(path, () => namesIn(this.#seen(path)));
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
    else if (this.#vetting.mayChange(path) && this.#isOurs(path, before)) this.#changed(path, before, after);
  }

  /** It does not come back; only work of the code that would be lost with it is in conflict with that. */
  #deletedByOthers(path: string): void {
    if (this.#vetting.reading(path, () => this.#isWorkedOn(path))) this.#conflicts.push(path);
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
    else this.#vetting.leave(path, "what it became is neither file, folder nor link");
  }

  #newDirectory(path: string, before: Stats | undefined): void {
    if (before !== undefined) this.#delete(path);
    this.#changes.push({ kind: "directory", path });
    this.directory(path, true);
  }

  #file(path: string, before: Stats | undefined, after: Stats): void {
    if (after.size > this.#roomBytes) {
      this.#vetting.leave(path, `${after.size} bytes are too many: one run can record ${MAX_RECORDED_BYTES}`);
      return;
    }
    const bytes = this.#vetting.reading(path, () => readWhole(this.#seen(path)));
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
    if (!this.#vetting.mayLead(path, target)) return;
    if (before !== undefined) this.#delete(path);
    this.#changes.push({ kind: "symlink", path, target });
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
    if (kept !== undefined) this.#vetting.leave(path, `it holds ${kept}, so it was not deleted`);
    else if (this.#vetting.mayChange(path) && this.#isOurs(path, before)) this.#delete(path);
  }

  #delete(path: string): void {
    this.#changes.push({ kind: "delete", path });
  }

  #isOurs(path: string, before: Stats | undefined): boolean {
    const foreign = before === undefined ? undefined : foreignEntry(this.#setting, path);
    if (foreign === undefined) return true;
    if (isNewer(this.#setting, foreign)) this.#conflicts.push(foreign);
    else this.#vetting.leave(path, `the code could not see ${foreign === path ? "it" : foreign}`);
    return false;
  }

  #seen(path: string): string {
    return `${this.#setting.view.path}/${path}`;
  }

  #real(path: string): string {
    return `${this.#setting.workspace.root}/${path}`;
  }
}
