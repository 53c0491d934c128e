import { type NextCall, ToolError, type WorkspaceReader } from "@haft/core";

export interface MissingPath {
  /** As the caller wrote it. */
  readonly path: string;
  /** The call that goes on with a path that exists, where it is harmless to suggest one. */
  readonly next?: (nearest: string) => NextCall;
}

/** A "not found" error with the paths that are there instead; the workspace knows them, for those who may read. */
export async function withNearestNames(
  error: unknown,
  workspace: Pick<WorkspaceReader, "stat">,
  { path, next }: MissingPath,
): Promise<unknown> {
  if (!ToolError.is(error) || !NOT_FOUND.has(error.code)) return error;
  const known = await workspace.stat(path).then(
    () => undefined,
    (reason: unknown) => (ToolError.is(reason) && NOT_FOUND.has(reason.code) ? reason : undefined),
  );
  const nearest = known?.details?.nearest;
  const best: unknown = Array.isArray(nearest) ? nearest[0] : undefined;
  if (known?.hint === undefined || typeof best !== "string") return error;
  const own = error.hint === undefined || error.hint === known.hint ? "" : ` ${error.hint}`;
  return new ToolError(error.code, error.message, {
    hint: `${known.hint}${own}`,
    details: { ...error.details, nearest },
    next: next?.(best) ?? error.next,
    cause: error,
  });
}

const NOT_FOUND = new Set(["FILE_NOT_FOUND", "PATH_NOT_FOUND"]);
