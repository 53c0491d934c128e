// The whole public surface. Adding a name here makes it public API.

export type { PendingApproval } from "./approval/approval-manager.js";
export type { ApprovalResponse, Approver, RememberGrant } from "./approval/approval-response.js";
export type { SavedGrant } from "./approval/remembered-grants.js";
export type { Decided } from "./approval/resumable-calls.js";
export { ConfigError, type ConfigErrorCode } from "./config/config-error.js";
export { configSchema } from "./config/config-schema.js";
export {
  type ApprovalsConfig,
  type CommandsConfig,
  defineConfig,
  type HaftConfig,
  type LimitsConfig,
  type McpServerConfig,
  type PathsConfig,
  type SandboxConfig,
  type SearchConfig,
  type WebConfig,
} from "./config/haft-config.js";
export { type LoadConfigOptions, type LoadedConfig, loadConfig } from "./config/load-config.js";
export { createNodeRuntime } from "./create-node-runtime.js";
export type { ChangeRecord, JournalledChange, ReplacedState } from "./journal/change-record.js";
export type { ForgottenChanges } from "./journal/forget-changes.js";
export { makeFolder } from "./journal/make-folder.js";
export type { JournalLimits } from "./journal/prune-journal.js";
export { stateDirectoryOf, stateHome } from "./journal/state-directory.js";
export type { WorkspaceJournal } from "./journal/workspace-journal.js";
export type { Dial, DialTarget } from "./network/dial.js";
export { type GuardedClient, type GuardedClientOptions, guardedClient } from "./network/guarded-client.js";
export type { Lookup } from "./network/resolve-host.js";
export { type Admission, type UrlSettings, WebUrlPolicy } from "./network/web-url-policy.js";
export type { NodeRuntime } from "./node-runtime.js";
export type { NodeRuntimeOptions } from "./node-runtime-options.js";
export { loadInstalledPacks } from "./packs/load-installed-packs.js";
export { loadPackFolder } from "./packs/load-pack-folder.js";
export { type LoadedPack, loadPacks } from "./packs/load-packs.js";
export {
  type NodeProcessRunner,
  nodeProcessRunner,
  type ProcessRunnerOptions,
} from "./process/node-process-runner.js";
export { BUILT_IN_ROLES, type BuiltInRoleName } from "./roles/built-in-roles.js";
export { resolveRole } from "./roles/resolve-role.js";
export { probeSandbox, type SandboxFindings } from "./sandbox/choose-sandbox.js";
export { createRedactor } from "./secrets/redactor.js";
export { type Environment, scrubbedEnvironment } from "./secrets/scrubbed-environment.js";
export { type SecretSources, type SecretValue, secretValues } from "./secrets/secret-values.js";
export type { NodeCommitCall } from "./workspace/commit-changes.js";
export { NodeWorkspace } from "./workspace/node-workspace.js";
export { type NodeWorkspaceOptions, openNodeWorkspace } from "./workspace/open-node-workspace.js";
