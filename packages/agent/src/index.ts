// The whole public surface. Adding a name here makes it public API.
export { isDurable } from "./event/is-durable.js";
export { DEFAULT_LIMITS, type RunLimits } from "./event/limits.js";
export type { CallAccess, ProposedCall } from "./event/proposed-call.js";
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
export { type MemoryJournalOptions, memoryJournal } from "./journal/memory-journal.js";
export type { AppendOptions, RunJournal } from "./journal/run-journal.js";
export type { AgentRuntime, JournalledCall, RunAnswer } from "./loop/agent-runtime.js";
export { type Command, decide, type Verdict, type VerdictCode } from "./loop/decide.js";
export type { RunDecision, RunHandle, RunOptions, RunOutcome } from "./loop/run-options.js";
export { startRun } from "./loop/start-run.js";
export { type MessageOptions, toMessages } from "./messages/to-messages.js";
export type {
  MessageCall,
  ModelClient,
  ModelDelta,
  ModelMessage,
  ModelRequest,
} from "./model/model-client.js";
export { ModelError, type ModelErrorCode, type ModelErrorOptions } from "./model/model-error.js";
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
