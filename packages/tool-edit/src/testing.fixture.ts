import { createTestRuntime, type InitialFiles, scriptedGate, type TestRuntimeParts } from "@haft/testing";
import { ApplyPatch, Edit, EditLines, ReplaceInFile } from "./index.js";

/** A runtime with the editing tools over files in memory, and an approver that says yes. */
export function editRuntime(files: InitialFiles, parts: Partial<TestRuntimeParts> = {}) {
  const gate = scriptedGate(true);
  const runtime = createTestRuntime({
    tools: [ApplyPatch, Edit, EditLines, ReplaceInFile],
    files,
    gate,
    ...parts,
  });
  return { runtime, gate, text: async (path: string) => (await runtime.workspaceFiles())[path] };
}
