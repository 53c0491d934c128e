// The whole public API. Any export added here becomes public.
export { changedPaths } from "./event/changed-paths.js";
export { isDurable } from "./event/is-durable.js";
export { costOf, DEFAULT_LIMITS, type RunLimits, type TokenPrices } from "./event/limits.js";
export type { CallAccess, CallSignature, ProposedCall } from "./event/proposed-call.js";
export type {
  ApprovalDecided,
  ApprovalRequested,
  CallOutcome,
  CallSettled,
  DurableBody,
  DurableEvent,
  EndReason,
  Envelope,
  EphemeralBody,
  EphemeralEvent,
  FinalReason,
  FinishReason,
  RunCancelled,
  RunEnded,
  RunEvent,
  RunStarted,
  StepEnded,
  StepFailed,
  StopReason,
  SummaryMode,
  Usage,
} from "./event/run-event.js";
export { addUsage, usageOf } from "./event/usage.js";
export { type MemoryJournalOptions, memoryJournal } from "./journal/memory-journal.js";
export type { RunJournal } from "./journal/run-journal.js";
export type { AgentRuntime, JournalledCall } from "./loop/agent-runtime.js";
export { type Command, decide, type Verdict, type VerdictCode } from "./loop/decide.js";
export type { RunHandle, RunOptions, RunOutcome } from "./loop/run-options.js";
export { startRun } from "./loop/start-run.js";
export { endOfOutput } from "./messages/end-of-output.js";
export { type MessageOptions, toMessages } from "./messages/to-messages.js";
export type {
  MessageCall,
  ModelClient,
  ModelDelta,
  ModelMessage,
  ModelRequest,
} from "./model/model-client.js";
export { ModelError, type ModelErrorCode, type ModelErrorOptions } from "./model/model-error.js";
export { findToolsTool } from "./offer/find-tools.js";
export { offeredTools } from "./offer/offered-tools.js";
export {
  gatherProject,
  type ProjectContext,
  type ProjectOptions,
  type ProjectSource,
} from "./project/project-context.js";
export type { ProjectReader } from "./project/project-reader.js";
export {
  automaticAnswer,
  CYCLED_MODES,
  describeMode,
  PLAN_INSTRUCTION,
  SESSION_MODES,
  type SessionMode,
} from "./session/session-mode.js";
export { evolve, foldEvents } from "./state/evolve.js";
export {
  type CallState,
  type CallStatus,
  type Ending,
  INITIAL_STATE,
  type ResultWeight,
  type RunState,
  type RunStatus,
} from "./state/run-state.js";
