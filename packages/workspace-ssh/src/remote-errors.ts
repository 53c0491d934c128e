import { ToolError } from "@haft/core";
import { invalidPath } from "@haft/core/workspace";
import { asToolError } from "@haft/runtime-node/paths";
import { ConnectionLost, NotUnderstood, RemoteFailure, RemoteStale } from "./connection/remote-end.js";

/** Converts the error of a failed request for the given path. Other errors pass unchanged. */
export function asWorkspaceError(thrown: unknown, given: string): unknown {
  if (thrown instanceof ConnectionLost) return lost(thrown);
  if (thrown instanceof NotUnderstood) return notUnderstood(thrown);
  if (thrown instanceof RemoteStale) return stale(thrown);
  if (!(thrown instanceof RemoteFailure)) return thrown;
  const describe = OWN.get(thrown.code);
  return describe === undefined ? asToolError(asErrno(thrown), given) : describe(given);
}

/** The outcome of a commit is unknown: the connection was lost and could not be reopened to check. */
export function unknownOutcome(cause: unknown): ToolError {
  return new ToolError("IO_ERROR", "The connection was lost while changes were applied", {
    hint: "Either all of them were made or none. Read the files before you repeat the call.",
    cause,
  });
}

function lost(cause: ConnectionLost): ToolError {
  return new ToolError("IO_ERROR", `The connection to the workspace was lost: ${cause.message}`, {
    hint: "Nothing was changed. Repeat the call; it connects again.",
    cause,
  });
}

/** For a commit this does not state what was done: the caller checks that. */
function notUnderstood(cause: NotUnderstood): ToolError {
  return new ToolError(
    "IO_ERROR",
    `The other machine sent an answer that is not understood, to: ${cause.message}`,
    {
      hint: "Check which program its python3 is, and what it prints when it starts.",
      cause,
    },
  );
}

function stale({ path, message }: RemoteStale): ToolError {
  return new ToolError("STALE_FILE", `${path} ${message}`, {
    hint: "Nothing was changed. Read it again, then repeat the call.",
    details: { path },
  });
}

const OWN = new Map<string, (given: string) => ToolError>([
  ["OUTSIDE", (given) => invalidPath(given, "leads out of the workspace")],
  [
    "TOO_MANY",
    (given) =>
      new ToolError("LIMIT_EXCEEDED", `${given} has too many entries below it`, {
        hint: "Delete or move it in smaller parts.",
      }),
  ],
  [
    "LOCKED",
    () =>
      new ToolError("IO_ERROR", "Another process is changing this workspace", {
        hint: "Nothing was changed. Repeat the call in a moment.",
      }),
  ],
  [
    "EXPIRED",
    () =>
      new ToolError("STALE_FILE", "The changes were prepared too long ago", {
        hint: "Nothing was changed. Repeat the call.",
      }),
  ],
]);

function asErrno(failure: RemoteFailure): Error {
  return Object.assign(new Error(failure.message, { cause: failure }), { code: failure.code });
}
