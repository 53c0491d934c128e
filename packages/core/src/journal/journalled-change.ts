import {
  directoryWithMode,
  type FileChange,
  type KeptState,
  type Snapshot,
} from "../workspace/file-change.js";
import type { JournalledChange, ReplacedState } from "./change-record.js";

/** Returns a change as a journal keeps it: everything but the content. */
export function journalledChange(change: FileChange, newFileMode: number): JournalledChange {
  const { kind, path } = change;
  if (change.kind === "create") {
    const { after } = change;
    if (after.type === "kept") return { kind, path, ...describeKept(after) };
    if (after.type === "directory") return { kind, path, type: "directory" };
    if (after.type === "symlink")
      return { kind, path, type: "symlink", afterHash: `link:${after.target}`, target: after.target };
    return { kind, path, type: "file", afterHash: after.hash, mode: after.mode ?? newFileMode };
  }
  const before = {
    type: change.before.type,
    beforeHash: change.before.hash,
    beforeMode: change.before.mode,
  };
  if (change.kind === "delete") {
    const { target } = change.before;
    return { kind, path, ...before, ...(target === undefined ? {} : { target }) };
  }
  if (change.kind === "modify") {
    const { after } = change;
    if (after.type === "kept") return { kind, path, ...before, ...describeKept(after) };
    if (after.type === "directory")
      return { kind, path, ...before, afterHash: directoryWithMode(after.mode).hash, mode: after.mode };
    return { kind, path, ...before, afterHash: after.hash, mode: after.mode ?? change.before.mode };
  }
  const replaces = change.replaces === undefined ? {} : { replaces: replacedState(change.replaces) };
  return { kind, path, from: change.from, ...before, afterHash: change.before.hash, ...replaces };
}

function describeKept({
  key,
  was,
}: KeptState): Pick<JournalledChange, "type" | "mode" | "kept" | "afterHash"> {
  const { type, mode, hash } = was;
  return { type, mode, kept: key, ...(hash === "" ? {} : { afterHash: hash }) };
}

function replacedState({ type, hash, mode, target }: Snapshot): ReplacedState {
  return { type, hash, mode, ...(target === undefined ? {} : { target }) };
}
