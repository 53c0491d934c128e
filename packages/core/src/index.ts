// The whole public surface of the kernel. Adding a name here makes it public API.
export type {
  ApprovalAnswer,
  ApprovalGate,
  ApprovalPolicy,
  ApprovalProposal,
  ApprovalRequest,
  AskedCall,
  CallFacts,
  Effect,
  Grant,
  GrantMatch,
  GrantSubject,
  Opinion,
  Proposal,
  ProposalFacts,
  RememberChoice,
  RememberScope,
} from "./approval/approval.js";
export { broadestGrant, grantCovers } from "./approval/approval-request.js";
export { canonicalJson } from "./approval/canonical-json.js";
export {
  allowNoEffect,
  allowReadOnly,
  askForProtected,
  decide,
  defaultPolicy,
  firstOpinion,
  proposedByTool,
  restrictedBy,
  strictest,
} from "./approval/policies.js";
export { type PolicyRule, type RuleCondition, rulePolicy } from "./approval/policy-rule.js";
export type { Capabilities } from "./capability/capabilities.js";
export type {
  CodeSandbox,
  SandboxChange,
  SandboxLimit,
  SandboxOutcome,
  SandboxRequest,
} from "./capability/code-sandbox.js";
export { COMMAND_HOST, type CommandHost, type GitObjectKind } from "./capability/command-host.js";
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
export { URL_POLICY, type UrlJudgement, type UrlPolicy } from "./capability/url-policy.js";
export {
  DIALECT_NAMES,
  DIALECTS,
  type Dialect,
  type DialectName,
  type ToolDialects,
  type ToolSpelling,
} from "./dialect/dialect.js";
export {
  KERNEL_ERROR_CODES,
  type KernelErrorCode,
  messageOf,
  type NextCall,
  ToolError,
  type ToolErrorOptions,
} from "./error/tool-error.js";
export type { EventListener, ToolEvent } from "./event/tool-event.js";
export { mayUse, missingPermissions, narrowRole, type Role } from "./permission/role.js";
export {
  canBeRehearsed,
  changesFiles,
  declaredPermissions,
  type ToolPermission,
} from "./permission/tool-permission.js";
export { catalog } from "./registry/catalog.js";
export type { ToolDescription } from "./registry/describe-tool.js";
export type { ToolRegistry } from "./registry/tool-registry.js";
export type { Content, ImageContent, TextContent } from "./result/content.js";
export { type Redact, redactStrings } from "./result/redact.js";
export type { ErrorInfo, ToolFailure, ToolResult, ToolSuccess } from "./result/tool-result.js";
export { parseJson } from "./runtime/clone-json.js";
export type { ExplainedStep, Explanation } from "./runtime/explain-call.js";
export { feedbackText } from "./runtime/feedback-text.js";
export type { KernelLimits, ReadBeforeWrite } from "./runtime/kernel.js";
export {
  type CallOptions,
  createToolRuntime,
  type RuntimeParts,
  type ToolRuntime,
} from "./runtime/tool-runtime.js";
export { fromJsonSchema, type StandardJsonSchema } from "./schema/from-json-schema.js";
export type { AnySchema, Given, JsonSchema, OptionalSchema, Parsed, Schema } from "./schema/schema.js";
export { PATH_FORMAT, s } from "./schema/schema-builder.js";
export type { SchemaProblem, Validator } from "./schema/validator.js";
export type { ProvidedService } from "./service/service-container.js";
export { type Token, token } from "./service/token.js";
export { type DefinedTool, defineTool } from "./tool/define-tool.js";
export type { PlainResult, PlainTool } from "./tool/plain-tool.js";
export { type AnyToolClass, definitionOf, type Tool, type ToolClass } from "./tool/tool.js";
export {
  type CategoryHeading,
  categoryHeading,
  KNOWN_CATEGORIES,
  type ToolCategory,
} from "./tool/tool-category.js";
export type { CallContext, Progress, ToolContext, WorkspaceFor } from "./tool/tool-context.js";
export { tool } from "./tool/tool-decorator.js";
export {
  type AnyDefinition,
  type ArgsOf,
  type ContextOf,
  type GivenOf,
  type RenderFacts,
  type ResultOf,
  type ShownFile,
  type ToolDefinition,
  type ToolExample,
  toolDefinition,
} from "./tool/tool-definition.js";
export { unannouncedTool } from "./tool/unannounced-tool.js";
export { type ChangeSummary, describeChange } from "./workspace/describe-change.js";
export {
  type CreateChange,
  type DeleteChange,
  type FileChange,
  type FileState,
  type KeptState,
  type ModifyChange,
  type MoveChange,
  type NewState,
  pathsOf,
  type Snapshot,
} from "./workspace/file-change.js";
export { OverlayWorkspace } from "./workspace/overlay-workspace.js";
export {
  baseName,
  isInside,
  joinPath,
  linkDestination,
  normalizePath,
  parentPath,
} from "./workspace/path-text.js";
export type {
  ByteRange,
  FileEntry,
  FileStat,
  FileType,
  MoveOptions,
  SplicedPlace,
  StreamRange,
  TextFile,
  TextFilePart,
  WalkOptions,
  Workspace,
  WorkspaceAnchor,
  WorkspaceCreator,
  WorkspaceMover,
  WorkspaceReader,
  WorkspaceRemover,
  WorkspaceWriter,
  WriteOptions,
  WriteTextOptions,
} from "./workspace/workspace.js";
export type {
  CommitCall,
  LocalFolder,
  LocateOptions,
  Location,
  StoredTextPart,
  WorkspaceStore,
} from "./workspace/workspace-store.js";
