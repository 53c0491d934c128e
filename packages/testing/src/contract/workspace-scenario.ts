import type { Workspace, WorkspaceReader, WorkspaceStore } from "@haft/core";
import { OverlayWorkspace } from "@haft/core/workspace";
import { expect } from "../runner/expect.js";
import type { ContractStore } from "./open-store.js";

/** An operation on a workspace and the expected state afterwards, in the overlay and in the store. */
export interface WorkspaceScenario {
  readonly title: string;
  readonly given?: Given;
  does(workspace: Workspace): Promise<unknown>;
  sees(reader: WorkspaceReader): Promise<void>;
}

/** The initial content: text, bytes, `dir/` with null, or a link. */
export type Given = Readonly<Record<string, string | Uint8Array | null | { readonly link: string }>>;

/** A workspace store under test. */
export type ScenarioStore = Omit<ContractStore<WorkspaceStore>, "reopen">;

export async function seed(store: WorkspaceStore, given: Given = {}): Promise<void> {
  const overlay = new OverlayWorkspace(store);
  for (const [path, content] of Object.entries(given)) {
    if (content === null) await overlay.createDirectory(path.replace(/\/$/, ""));
    else if (typeof content === "string") await overlay.createText(path, content);
    else if (ArrayBuffer.isView(content)) await overlay.createBytes(path, content);
    else await overlay.createLink(path, content.link);
  }
  await commit(store, overlay);
}

export async function commit(store: WorkspaceStore, overlay: OverlayWorkspace): Promise<void> {
  if (overlay.changes.length > 0) await store.commit(overlay.changes, CALL);
}

/** Changes the store directly, as another writer would. */
export async function change(
  store: WorkspaceStore,
  work: (workspace: Workspace) => Promise<unknown>,
): Promise<void> {
  const overlay = new OverlayWorkspace(store);
  await work(overlay);
  await commit(store, overlay);
}

/** Returns everything below the root, comparable with `toEqual`. */
export async function contentsOf(reader: WorkspaceReader): Promise<Record<string, string>> {
  const contents: Record<string, string> = {};
  for await (const entry of reader.walk(".", { includeHidden: true, includeIgnored: true })) {
    if (entry.type === "directory") contents[`${entry.path}/`] = "";
    else if (entry.type === "symlink") contents[entry.path] = `-> ${entry.target}`;
    else contents[entry.path] = latin1(await reader.readBytes(entry.path));
  }
  return contents;
}

export async function expectCode(work: Promise<unknown>, code: string): Promise<void> {
  await expect(work).rejects.toMatchObject({ code });
}

export function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("latin1");
}

export function bytesOf(...values: number[]): Uint8Array {
  return Uint8Array.from(values);
}

const CALL = { callId: "contract", tool: "contract" };
