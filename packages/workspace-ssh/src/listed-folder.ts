import { directoryNotFound } from "@haft/core/workspace";
import type { PathGuard } from "@haft/runtime-node/paths";
import { RemoteFailure } from "./connection/remote-end.js";
import { entryIn, type RemoteEntry } from "./remote-entry.js";
import { asWorkspaceError } from "./remote-errors.js";
import type { ListedFolder } from "./walk-remote.js";

/** A folder as the remote program lists it, or the reason why it cannot. */
export type RemoteListing =
  | { readonly failed: string }
  | {
      readonly path: string;
      readonly entries: readonly RemoteEntry[];
      readonly rules?: ListedFolder["rules"];
    };

/** Returns the visible entries of a folder by name. `given` is the requested path, if this folder is it. */
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

/** A folder that cannot be listed is empty, unless it is the requested one. */
function failedListing(code: string, given: string | undefined): undefined {
  if (given === undefined) return undefined;
  if (code === "ENOENT") throw directoryNotFound(given);
  throw asWorkspaceError(new RemoteFailure({ code, path: given }), given);
}
