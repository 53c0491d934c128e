// The entry "@haft/core/capabilities": the interfaces of processes, sandboxes and the network, and the services that
// describe them.
export type {
  CodeSandbox,
  SandboxChange,
  SandboxLimit,
  SandboxNetwork,
  SandboxOutcome,
  SandboxRequest,
  UnrecordedChange,
} from "./capability/code-sandbox.js";
export {
  COMMAND_HOST,
  type CommandHost,
  type GitObjectKind,
} from "./capability/command-host.js";
export type { NetworkClient, NetworkRequest, NetworkResponse } from "./capability/network-client.js";
export type {
  CapturedOutput,
  CommandOutput,
  CommandRun,
  CommandRunOptions,
  ListedName,
  PipedCommand,
  PipelineRequest,
  PipelineStatus,
  ProcessOutcome,
  ProcessRequest,
  ProcessRunner,
  Redirection,
} from "./capability/process-runner.js";
export { SHAPE_REDACTOR } from "./capability/shape-redactor.js";
export { URL_POLICY, type UrlJudgement, type UrlPolicy } from "./capability/url-policy.js";
export type { WarmingService, WarmUp } from "./runtime/warm-services.js";
export {
  type LimitedWork,
  WATCHED_HEAP,
  WORK_LIMITER,
  WorkLimiter,
  type WorkLimits,
} from "./runtime/work-limiter.js";
export { AVAILABLE_TOOLS, type AvailableTools } from "./service/available-tools.js";
