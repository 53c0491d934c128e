// A workspace on a new folder, with neighbouring folders that nothing may reach.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type FileChange, OverlayWorkspace } from "@haft/core/workspace";
import { removeWhole } from "../../../tooling/testing/remove-whole.js";
import type { NodeCommitCall } from "../src/workspace/commit-changes.js";
import type { NodeWorkspace } from "../src/workspace/node-workspace.js";
import { type NodeWorkspaceOptions, openNodeWorkspace } from "../src/workspace/open-node-workspace.js";

export type Files = Readonly<
  Record<string, string | Uint8Array | null | { readonly link: string } | { readonly fifo: true }>
>;
type Work = (overlay: OverlayWorkspace) => Promise<unknown>;

export interface TemporaryWorkspace {
  readonly base: string;
  readonly root: string;
  readonly outside: string;
  readonly stateDirectory: string;
  readonly workspace: NodeWorkspace;
  /** Opens the same folder again. */
  open(options?: NodeWorkspaceOptions): Promise<NodeWorkspace>;
  put(files: Files): void;
  /** Rehearses and commits. */
  change(work: Work, call?: Partial<NodeCommitCall>): Promise<readonly FileChange[]>;
  rehearse(work: Work): Promise<readonly FileChange[]>;
  dispose(): void;
}

export async function temporaryWorkspace(
  files: Files = {},
  options: NodeWorkspaceOptions = {},
): Promise<TemporaryWorkspace> {
  const base = mkdtempSync(join(tmpdir(), "haft-ws-"));
  const root = join(base, "ws");
  const outside = join(base, "outside");
  for (const folder of [root, outside]) mkdirSync(folder);
  putFiles(root, files);
  putFiles(outside, { "secret.txt": "canary" });
  putFiles(`${root}-evil`, { "secret.txt": "canary" });
  const stateDirectory = options.stateDirectory ?? join(base, "state");
  const open = (more: NodeWorkspaceOptions = {}) =>
    openNodeWorkspace(root, { stateDirectory, ...options, ...more });
  const workspace = await open();
  const rehearse = async (work: Work) => {
    const overlay = new OverlayWorkspace(workspace);
    await work(overlay);
    return overlay.changes;
  };
  let calls = 0;
  return {
    base,
    root,
    outside,
    stateDirectory,
    workspace,
    open,
    rehearse,
    put: (more) => putFiles(root, more),
    change: async (work, call = {}) => {
      const changes = await rehearse(work);
      calls += 1;
      await workspace.commit(changes, { callId: `call-${calls}`, tool: "test", ...call });
      return changes;
    },
    dispose: () => {
      workspace.close();
      removeWhole(base);
    },
  };
}

function putFiles(root: string, files: Files): void {
  for (const [path, content] of Object.entries(files)) {
    const place = join(root, path);
    mkdirSync(dirname(place), { recursive: true });
    if (content === null) mkdirSync(place, { recursive: true });
    else if (typeof content === "string" || content instanceof Uint8Array) writeFileSync(place, content);
    else if ("link" in content) symlinkSync(content.link, place);
    else execFileSync("mkfifo", [place]);
  }
}
