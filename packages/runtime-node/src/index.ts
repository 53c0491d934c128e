// The whole public surface. Adding a name here makes it public API.

export type { ApprovalAnswer, ApprovalRequest, Approver, DisposeOptions, RuntimeStores } from "@haft/core";
export { BUILT_IN_ROLES, type BuiltInRoleName } from "@haft/core";
export type {
  ChangeRecord,
  ForgottenChanges,
  JournalledChange,
  ReplacedState,
  UndoPlan,
  UndoRefusal,
  WorkspaceJournal,
} from "@haft/core/journal";
export type { ApprovalResponse, RememberGrant } from "@haft/core/policy";
export type { Decided, PendingApproval, SavedGrant } from "@haft/core/stores";
export { ConfigError, type ConfigErrorCode } from "./config/config-error.js";
export { configSchema } from "./config/config-schema.js";
export { type ConfigSnapshot, type SnapshotFile, takeConfigSnapshot } from "./config/config-snapshot.js";
export { ConfigTrust, type TrustRecord } from "./config/config-trust.js";
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
export {
  type LoadConfigOptions,
  type LoadedConfig,
  loadConfig,
  type UntrustedConfig,
} from "./config/load-config.js";
export type { IgnoredSetting } from "./config/narrow-config.js";
export {
  createNodeRuntime,
  type NodeRuntime,
  type PreparedNodeRuntime,
  prepareNodeRuntime,
} from "./create-node-runtime.js";
export { makeFolder } from "./journal/make-folder.js";
export type { JournalLimits } from "./journal/prune-journal.js";
export { stateDirectoryOf, stateHome } from "./journal/state-directory.js";
export type { Dial } from "./network/dial.js";
export { type GuardedClient, type GuardedClientOptions, guardedClient } from "./network/guarded-client.js";
export type { DialTarget } from "./network/open-connection.js";
export type { Lookup } from "./network/resolve-host.js";
export { type Admission, type UrlSettings, WebUrlPolicy } from "./network/web-url-policy.js";
export type { NodeRuntimeOptions } from "./node-runtime-options.js";
export type { ContainmentOptions } from "./packs/contained/contained-pack.js";
export { loadInstalledPacks } from "./packs/load-installed-packs.js";
export { loadPackFolder } from "./packs/load-pack-folder.js";
export { type LoadedPack, type LoadPackOptions, loadPacks } from "./packs/load-packs.js";
export { withoutConflicts } from "./packs/without-conflicts.js";
export {
  type NodeProcessRunner,
  nodeProcessRunner,
  type ProcessRunnerOptions,
} from "./process/node-process-runner.js";
export { resolveRole } from "./roles/resolve-role.js";
export { probeSandbox, type SandboxFindings } from "./sandbox/choose-sandbox.js";
export { createRedactor } from "./secrets/redactor.js";
export { type Environment, scrubbedEnvironment } from "./secrets/scrubbed-environment.js";
export { type SecretSources, type SecretValue, secretValues } from "./secrets/secret-values.js";
export type { NodeCommitCall } from "./workspace/commit-changes.js";
export { NodeWorkspace } from "./workspace/node-workspace.js";
export { type NodeWorkspaceOptions, openNodeWorkspace } from "./workspace/open-node-workspace.js";
