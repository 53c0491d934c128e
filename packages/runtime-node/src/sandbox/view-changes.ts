import type { SandboxChange } from "@haft/core/capabilities";
import { errnoOf } from "../workspace/system-error.js";
import { type DraftChange, unrecordedChange } from "./draft-change.js";
import { findMoves } from "./find-moves.js";
import {
  MAX_NAMED,
  MAX_RECORDED_BYTES,
  MAX_RECORDED_CHANGES,
  TooMuch,
  tooManyBytes,
  tooManyChanges,
} from "./recording-limits.js";
import type { VettedChanges } from "./vetted-changes.js";
import type { ViewChanges, ViewComparison } from "./view-comparison.js";
import { ViewDifferences } from "./view-differences.js";
import { readWhole } from "./view-entry.js";

/** Returns the differences between a view and its workspace. Nothing may be using the view any more. */
export function viewChanges(setting: ViewComparison): ViewChanges {
  const { root } = setting.workspace;
  const differences = new ViewDifferences(setting);
  try {
    return found(setting, differences);
  } catch (error) {
    const tooMuch =
      errnoOf(error) === "ENAMETOOLONG" ? new TooMuch("its folders are nested too deeply") : error;
    if (!(tooMuch instanceof TooMuch)) throw error;
    const unrecorded = differences.drafts.slice(0, MAX_NAMED).map((draft) => unrecordedChange(root, draft));
    return { changes: [], conflicts: [], warnings: [tooMuch.message], unrecorded };
  }
}

function found(setting: ViewComparison, differences: ViewDifferences): ViewChanges {
  const { conflicts, vetting, drafts } = differences;
  differences.compare();
  // A partial result may be worse than none, so a conflict drops all of it.
  const kept = conflicts.length > 0 ? [] : findMoves(placesOf(setting), drafts);
  const changes = withContent(kept, setting, vetting);
  const { warnings, notes } = vetting;
  return { changes, conflicts, warnings: [...warnings, ...notes], isPartial: warnings.length > 0 };
}

function placesOf({ workspace, view }: ViewComparison): { readonly root: string; readonly view: string } {
  return { root: workspace.root, view: view.path };
}

/** Reads the content of new and changed files. Moved ones keep theirs, however large they are. */
function withContent(
  drafts: readonly DraftChange[],
  { view }: ViewComparison,
  vetting: VettedChanges,
): readonly SandboxChange[] {
  if (drafts.length > MAX_RECORDED_CHANGES) tooManyChanges();
  let roomBytes = MAX_RECORDED_BYTES;
  return drafts.flatMap((draft): readonly SandboxChange[] => {
    if (draft.kind !== "file") return [draft];
    const { size, ...file } = draft;
    if (size > roomBytes) tooManyBytes(file.path);
    const bytes = vetting.reading(file.path, () => readWhole(`${view.path}/${file.path}`));
    roomBytes -= bytes?.length ?? 0;
    return bytes === undefined ? [] : [{ ...file, bytes }];
  });
}
