import { createTestRuntime, type InitialFiles, scriptedApprover, type TestRuntimeParts } from "@haft/testing";
import { ApplyPatch, Edit, EditLines, ReplaceInFile } from "./index.js";

/** Creates a runtime with the editing tools over files in memory, with an approver that approves everything. */
export function editRuntime(files: InitialFiles, parts: Partial<TestRuntimeParts> = {}) {
  const approver = scriptedApprover(true);
  const runtime = createTestRuntime({
    tools: [ApplyPatch, Edit, EditLines, ReplaceInFile],
    files,
    approver,
    ...parts,
  });
  return { runtime, approver, text: async (path: string) => (await runtime.workspaceFiles())[path] };
}
