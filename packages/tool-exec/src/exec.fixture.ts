import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { ToolResult } from "@haft/core";
import { createNodeRuntime, type NodeRuntime, type NodeRuntimeOptions } from "@haft/runtime-node";
import { removeWhole } from "../../../tooling/testing/remove-whole.js";

export interface ExecWorld extends AsyncDisposable {
  readonly root: string;
  /** The workspace: `root`/ws. */
  readonly workspace: string;
  readonly runtime: NodeRuntime;
  call(tool: string, args: object, options?: { signal?: AbortSignal }): Promise<ToolResult>;
  write(path: string, content: string, mode?: number): void;
}

/** Opens a real folder with files, and a runtime over it. Paths are relative to the workspace. */
export async function openExecWorld(
  files: Readonly<Record<string, string>>,
  options: Partial<NodeRuntimeOptions> & Pick<NodeRuntimeOptions, "tools">,
): Promise<ExecWorld> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "haft-exec-")));
  const workspace = join(root, "ws");
  const write = (path: string, content: string, mode = 0o644) => {
    const file = join(workspace, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content, { mode });
  };
  mkdirSync(workspace);
  for (const [path, content] of Object.entries(files)) write(path, content);
  const runtime = await createNodeRuntime({
    workspace,
    role: "coder",
    stateDirectory: join(root, "state"),
    ...options,
  });
  return {
    root,
    workspace,
    runtime,
    write,
    call: (tool, args, given) => runtime.call(tool, args, given),
    [Symbol.asyncDispose]: async () => {
      await runtime.dispose();
      removeWhole(root);
    },
  };
}
