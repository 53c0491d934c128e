import {
  createToolRuntime,
  type Role,
  type RuntimeParts,
  type ToolEvent,
  type ToolRuntime,
} from "@haft/core";
import { type InitialFiles, MemoryWorkspace, type MemoryWorkspaceOptions } from "./memory-workspace.js";

/** The parts of a runtime, all of them optional but the tools. */
export interface TestRuntimeParts extends Partial<Omit<RuntimeParts, "tools" | "workspace">> {
  readonly tools: RuntimeParts["tools"];
  readonly files?: InitialFiles;
  readonly workspace?: MemoryWorkspace;
  readonly guards?: MemoryWorkspaceOptions;
}

export interface TestRuntime extends ToolRuntime {
  readonly workspace: MemoryWorkspace;
  /** Every event so far. */
  readonly events: readonly ToolEvent[];
  /** The text of every file, by path. */
  workspaceFiles(): Promise<Record<string, string>>;
}

/** A runtime over a workspace in memory. Its role may do everything; nothing needs to be read first. */
export function createTestRuntime(parts: TestRuntimeParts): TestRuntime {
  const { files, guards, workspace = new MemoryWorkspace(files, guards), role = ALL, ...rest } = parts;
  const runtime = createToolRuntime({ readBeforeWrite: "off", ...rest, role, workspace });
  const events: ToolEvent[] = [];
  runtime.watch((event) => events.push(event));
  return { ...runtime, workspace, events, workspaceFiles: () => textFiles(workspace) };
}

const ALL: Role = {
  name: "tester",
  permissions: [
    "ReadFiles",
    "WriteFiles",
    "CreateFiles",
    "DeleteFiles",
    "ExecuteCommands",
    "RunCode",
    "NetworkAccess",
  ],
};

async function textFiles(workspace: MemoryWorkspace): Promise<Record<string, string>> {
  const texts: Record<string, string> = {};
  for await (const entry of workspace.walk("", { includeHidden: true }))
    if (entry.type === "file")
      texts[entry.path] = Buffer.from(await workspace.readBytes(entry.path)).toString("utf8");
  return texts;
}
