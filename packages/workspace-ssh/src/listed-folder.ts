import { directoryNotFound } from "@haft/core/workspace";
import type { PathGuard } from "@haft/runtime-node/paths";
import { RemoteFailure } from "./connection/remote-end.js";
import { entryIn, type RemoteEntry } from "./remote-entry.js";
import { asWorkspaceError } from "./remote-errors.js";
import type { ListedFolder } from "./walk-remote.js";

/** A folder as the remote program lists it, or why it does not. */
export type RemoteListing =
  | { readonly failed: string }
  | {
      readonly path: string;
      readonly entries: readonly RemoteEntry[];
      readonly rules?: ListedFolder["rules"];
    };

/** What may be shown of a folder, by name. `given` is the path that was asked for, where this folder is it. */
export function listedFolder(
  listing: RemoteListing,
  guard: PathGuard,
  given: string | undefined,
): ListedFolder | undefined {
  if ("failed" in listing) return failedListing(listing.failed, given);
  if (given !== undefined) guard.judge(listing.path, given);
  const entries = listing.entries.map((entry) => entryIn(listing.path, entry));
  const visible = entries.filter((entry) => !guard.isHidden(entry.path));
  return { entries: visible.sort((a, b) => (a.name < b.name ? -1 : 1)), rules: listing.rules };
}

/** A folder that cannot be listed has nothing to show, unless it is the one that was asked for. */
function failedListing(code: string, given: string | undefined): undefined {
  if (given === undefined) return undefined;
  if (code === "ENOENT") throw directoryNotFound(given);
  throw asWorkspaceError(new RemoteFailure({ code, path: given }), given);
}
