import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { WorkspaceKey } from "@haft/core/calls";

export interface WorkspacePlace extends WorkspaceKey {
  /** The folder that the tools work in. */
  readonly folder: string;
  /** Journal and former contents, on the same volume, so that the next holder finds them. */
  readonly stateDirectory: string;
}

interface PlaceOptions {
  readonly root: string;
  /** The tenant of the workspaces. */
  readonly tenant: string;
  /** "tenants": the folders in `root` are tenants, and the folders in those are workspaces. */
  readonly layout: "workspaces" | "tenants";
}

/** Returns the workspaces below a folder. Names that start with a dot do not count. */
export function workspacePlaces({ root, tenant, layout }: PlaceOptions): readonly WorkspacePlace[] {
  if (layout === "workspaces") return placesIn(root, root, tenant);
  return foldersIn(root).flatMap((name) => placesIn(root, join(root, name), name));
}

function placesIn(root: string, parent: string, tenant: string): readonly WorkspacePlace[] {
  return foldersIn(parent).map((workspace) => ({
    tenant,
    workspace,
    folder: join(parent, workspace),
    stateDirectory: join(root, STATE_FOLDER, tenant, workspace),
  }));
}

const STATE_FOLDER = ".haft-state";

function foldersIn(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
    .map(({ name }) => name)
    .sort();
}
