// Any export added here becomes public API: named exports only.

export {
  type InitialFile,
  type InitialFiles,
  MemoryWorkspace,
  type MemoryWorkspaceOptions,
} from "@haft/core/memory";
export type { ContractStore, OpenStore } from "./contract/open-store.js";
export type { ToolContractOptions } from "./contract/tool-contract-options.js";
export type { ScenarioStore } from "./contract/workspace-scenario.js";
export type {
  CrashBench,
  CrashClient,
  CrashClientOptions,
  CrashWorker,
  CrashWorkerOptions,
} from "./crash/crash-bench.js";
export { createTestRuntime, type TestRuntime, type TestRuntimeParts } from "./create-test-runtime.js";
export { describeApprovalContract } from "./describe-approval-contract.js";
export { describeAuditContract } from "./describe-audit-contract.js";
export { type ByteFidelityOptions, describeByteFidelity } from "./describe-byte-fidelity.js";
export { describeCallContract } from "./describe-call-contract.js";
export { describeChangeJournalContract } from "./describe-change-journal-contract.js";
export { describeCrashContract } from "./describe-crash-contract.js";
export { describeGrantContract } from "./describe-grant-contract.js";
export { describeHostileArguments } from "./describe-hostile-arguments.js";
export { describeHostilePaths, type HostilePathOptions } from "./describe-hostile-paths.js";
export { describeRunJournalContract } from "./describe-run-journal-contract.js";
export { describeToolContract } from "./describe-tool-contract.js";
export { describeWorkspaceContract } from "./describe-workspace-contract.js";
export {
  DriftError,
  type RecordedCall,
  type Recording,
  type Replay,
  recordCalls,
  replayCalls,
} from "./record-and-replay.js";
export { type ScriptedAnswer, type ScriptedApprover, scriptedApprover } from "./scripted-approver.js";
