import { ToolError } from "@haft/core";
import { type FileChange, isModeChange, type NewState, type Snapshot } from "@haft/core/workspace";

/** Encodes changes for the remote program: described in the header, new content in the body. */
export function commitRequest(changes: readonly FileChange[]): {
  readonly fields: { readonly changes: readonly object[] };
  readonly body: Buffer;
} {
  const contents: Uint8Array[] = [];
  const described = changes.map((change) => {
    const { kind, path } = change;
    if (kind === "create") return { kind, path, after: describe(change.after, contents) };
    if (kind === "modify") {
      const before = isModeChange(change) ? directoryMode(change.before) : expected(change.before);
      return { kind, path, before, after: describe(change.after, contents) };
    }
    if (kind === "delete") return { kind, path, before: expected(change.before) };
    const { from, before, replaces } = change;
    return { kind, path, from, before: expected(before), ...(replaces && { replaces: expected(replaces) }) };
  });
  return { fields: { changes: described }, body: Buffer.concat(contents) };
}

function describe(state: NewState, contents: Uint8Array[]): object {
  if (state.type === "symlink") return { type: state.type, target: state.target };
  if (state.type === "directory")
    return { type: state.type, ...(state.mode !== undefined && { mode: state.mode }) };
  if (state.type === "kept")
    throw new ToolError("IO_ERROR", "A workspace over SSH keeps no trash", { details: { key: state.key } });
  const { bytes, hash, mode, modifiedMs } = state;
  contents.push(bytes);
  const kept = { ...(mode !== undefined && { mode }), ...(modifiedMs !== undefined && { modifiedMs }) };
  return { type: "file", hash, length: bytes.length, ...kept };
}

function directoryMode({ type, mode, hash }: Snapshot): object {
  return { type, ...(hash !== "" && { mode }) };
}

function expected({ type, hash, size, target, entries }: Snapshot): object {
  return { type, hash, size, ...(target !== undefined && { target }), ...(entries && { entries }) };
}
