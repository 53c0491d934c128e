import { decodeText, unifiedDiff } from "@haft/text";
import type { FileChange, Snapshot } from "./file-change.js";

/** A change as people, models and programs see it; the outside form of `FileChange`. */
export interface ChangeSummary {
  readonly kind: FileChange["kind"];
  readonly path: string;
  readonly from?: string;
  readonly diff?: string;
  readonly beforeHash?: string;
  readonly afterHash?: string;
}

/** Always made from the recorded bytes, so what is shown is what is applied. */
export function describeChange(change: FileChange): ChangeSummary {
  let summary = described.get(change);
  if (summary === undefined) {
    summary = summarise(change);
    described.set(change, summary);
  }
  return summary;
}

/** The same change is shown in the request, in the events and in the result; its diff is made once. */
const described = new WeakMap<FileChange, ChangeSummary>();

function summarise(change: FileChange): ChangeSummary {
  const before = change.kind === "create" ? undefined : change.before.hash;
  const after = afterHash(change);
  const diff = diffOf(change);
  return {
    kind: change.kind,
    path: change.path,
    ...(change.kind === "move" ? { from: change.from } : {}),
    ...(diff === undefined ? {} : { diff }),
    ...(before === undefined ? {} : { beforeHash: before }),
    ...(after === undefined ? {} : { afterHash: after }),
  };
}

function afterHash(change: FileChange): string | undefined {
  if (change.kind === "move") return change.before.hash;
  if (change.kind === "delete") return undefined;
  return change.after.type === "file" ? change.after.hash : undefined;
}

function diffOf(change: FileChange): string | undefined {
  switch (change.kind) {
    case "move":
      return undefined;
    case "delete":
      return change.before.type === "file" ? fileDiff(change.path, change.before, undefined) : undefined;
    case "create":
      return change.after.type === "file" ? fileDiff(change.path, undefined, change.after.bytes) : undefined;
    case "modify":
      return (
        fileDiff(change.path, change.before, change.after.bytes) +
        modeNote(change.before.mode, change.after.mode)
      );
  }
}

function fileDiff(path: string, before: Snapshot | undefined, afterBytes: Uint8Array | undefined): string {
  const beforeText = before === undefined ? undefined : textOf(before.bytes);
  const afterText = afterBytes === undefined ? undefined : textOf(afterBytes);
  const isBinary =
    (before !== undefined && beforeText === undefined) ||
    (afterBytes !== undefined && afterText === undefined);
  if (isBinary)
    return `Binary file ${path}: ${before?.size ?? 0} bytes -> ${afterBytes?.length ?? 0} bytes\n`;
  return unifiedDiff({ path, before: beforeText, after: afterText }).text;
}

function textOf(bytes: Uint8Array | undefined): string | undefined {
  return bytes === undefined ? undefined : decodeText(bytes)?.text;
}

function modeNote(before: number, after: number | undefined): string {
  if (after === undefined || after === before) return "";
  return `mode ${before.toString(8)} -> ${after.toString(8)}\n`;
}
