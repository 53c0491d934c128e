// The entry "@haft/core": what authors of tools, hosts and agents need. Further names belong in a subpath; the README
// lists them.
export type {
  ApprovalPolicy,
  ApprovalRequest,
  Effect,
  Grant,
  Opinion,
  PolicyRequest,
  Proposal,
  ProposalFacts,
} from "./approval/approval.js";
export {
  type ApprovalAnswer,
  type Approver,
  type Decider,
  isApproved,
  type RememberScope,
} from "./approval/approval-answer.js";
export type { PolicyRule } from "./approval/policy-rule.js";
export type { Capabilities } from "./capability/capabilities.js";
export type { DialectName, ToolDialects } from "./dialect/dialect.js";
export {
  KERNEL_ERROR_CODES,
  type KernelErrorCode,
  messageOf,
  type NextCall,
  ToolError,
  type ToolErrorOptions,
} from "./error/tool-error.js";
export type { EventListener, ToolEvent } from "./event/tool-event.js";
export { BUILT_IN_ROLES, type BuiltInRoleName } from "./permission/built-in-roles.js";
export { narrowRole, type Role } from "./permission/role.js";
export { TOOL_PERMISSIONS, type ToolPermission } from "./permission/tool-permission.js";
export { catalog } from "./registry/catalog.js";
export type { ToolDescription } from "./registry/describe-tool.js";
export type { Content, ImageContent, TextContent } from "./result/content.js";
export { type Redact, redactStrings } from "./result/redact.js";
export type { ErrorInfo, ToolFailure, ToolResult, ToolSuccess } from "./result/tool-result.js";
export { createRuntime } from "./runtime/create-runtime.js";
export type { Explanation } from "./runtime/explanation.js";
export type { KernelLimits } from "./runtime/kernel.js";
export type { DisposeOptions, Runtime, RuntimeOptions, RuntimeStores } from "./runtime/runtime.js";
export type { CallOptions, ToolCall, ToolRuntime, TypedTool } from "./runtime/tool-runtime.js";
export type { UndoPreview } from "./runtime/undo-preview.js";
export { type CallWrapper, type WrappedCall, wrapRuntime } from "./runtime/wrap-runtime.js";
export type { AuthoredSchema, SchemaOf } from "./schema/authored-schema.js";
export { fromJsonSchema } from "./schema/from-json-schema.js";
export type { AnySchema, Given, JsonSchema, OptionalSchema, Parsed, Schema } from "./schema/schema.js";
export { s } from "./schema/schema-builder.js";
export type { StandardSchema } from "./schema/standard-schema.js";
export { type ConfigSection, configSection } from "./service/config-section.js";
export type { ProvidedService } from "./service/service-container.js";
export { type Token, token } from "./service/token.js";
export { type DefinedTool, defineTool } from "./tool/define-tool.js";
export type { PlainResult, PlainTool } from "./tool/plain-tool.js";
export { type AnyToolClass, definitionOf, type Tool, type ToolClass } from "./tool/tool.js";
export type { ToolCategory } from "./tool/tool-category.js";
export type { CallContext, Progress, ToolContext, WorkspaceFor } from "./tool/tool-context.js";
export { tool } from "./tool/tool-decorator.js";
export {
  type AnyDefinition,
  type ArgsOf,
  type BriefDescription,
  type ContextOf,
  type DefinitionOf,
  type GivenOf,
  type RenderFacts,
  type ResultOf,
  type ShownFile,
  type ToolDefinition,
  type ToolExample,
  toolDefinition,
} from "./tool/tool-definition.js";
export type { ChangeSummary } from "./workspace/describe-change.js";
export type {
  FileEntry,
  FileStat,
  TextFile,
  Workspace,
  WorkspaceReader,
  WorkspaceWriter,
} from "./workspace/workspace.js";
export type { WorkspaceStore } from "./workspace/workspace-store.js";
