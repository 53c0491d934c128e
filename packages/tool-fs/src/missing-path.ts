import { type NextCall, ToolError, type WorkspaceReader } from "@haft/core";

interface MissingPath {
  /** The path as the caller wrote it. */
  readonly path: string;
  /** The call to make with a path that exists, if suggesting one is harmless. */
  readonly next?: (nearest: string) => NextCall;
}

/** Adds similar existing paths to a "not found" error, if the role may read them. */
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
