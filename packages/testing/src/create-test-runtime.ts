import { definitionOf, type Role, TOOL_PERMISSIONS, type ToolEvent } from "@haft/core";
import { createToolRuntime, type LocalRuntime, type RuntimeParts } from "@haft/core/kernel";
import { type InitialFiles, MemoryWorkspace, type MemoryWorkspaceOptions } from "@haft/core/memory";
import { declaredPermissions } from "@haft/core/policy";

/** The options of a runtime; only the tools are required. */
export interface TestRuntimeParts extends Partial<Omit<RuntimeParts, "tools" | "workspace">> {
  readonly tools: RuntimeParts["tools"];
  readonly files?: InitialFiles;
  readonly workspace?: MemoryWorkspace;
  readonly guards?: MemoryWorkspaceOptions;
}

export interface TestRuntime extends LocalRuntime {
  readonly workspace: MemoryWorkspace;
  /** Every event so far. */
  readonly events: readonly ToolEvent[];
  /** The text of every file, by path. */
  workspaceFiles(): Promise<Record<string, string>>;
}

/** Creates a runtime over a workspace in memory. Its role has every permission, and read-before-write is off. */
export function createTestRuntime(parts: TestRuntimeParts): TestRuntime {
  const {
    files,
    guards,
    workspace = new MemoryWorkspace(files, guards),
    role = everything(parts.tools),
    ...rest
  } = parts;
  const runtime = createToolRuntime({ readBeforeWrite: "off", ...rest, role, workspace });
  const events: ToolEvent[] = [];
  runtime.watch((event) => events.push(event));
  return { ...runtime, workspace, events, workspaceFiles: () => textFiles(workspace) };
}

/** Grants every permission, including those only these tools declare. */
function everything(tools: RuntimeParts["tools"]): Role {
  const own = tools.flatMap((tool) =>
    typeof tool === "function" ? declaredPermissions(definitionOf(tool)) : (tool.requiredPermissions ?? []),
  );
  return { name: "tester", permissions: [...new Set([...TOOL_PERMISSIONS, ...own])] };
}

async function textFiles(workspace: MemoryWorkspace): Promise<Record<string, string>> {
  const texts: Record<string, string> = {};
  for await (const entry of workspace.walk("", { includeHidden: true }))
    if (entry.type === "file")
      texts[entry.path] = Buffer.from(await workspace.readBytes(entry.path)).toString("utf8");
  return texts;
}
