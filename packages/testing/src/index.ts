// Any export added here becomes public API: named exports only.

export type { ToolContractSetting } from "./contract/tool-contract-setting.js";
export type { OpenedStore } from "./contract/workspace-scenario.js";
export { createTestRuntime, type TestRuntime, type TestRuntimeParts } from "./create-test-runtime.js";
export { describeToolContract } from "./describe-tool-contract.js";
export { describeWorkspaceContract } from "./describe-workspace-contract.js";
export {
  type InitialFile,
  type InitialFiles,
  MemoryWorkspace,
  type MemoryWorkspaceOptions,
} from "./memory-workspace.js";
export { type ScriptedAnswer, type ScriptedGate, scriptedGate } from "./scripted-gate.js";
