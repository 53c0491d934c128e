import type { ApprovalProposal } from "../approval/approval.js";
import type { Capabilities } from "../capability/capabilities.js";
import type { ToolDialects } from "../dialect/dialect.js";
import type { ToolError } from "../error/tool-error.js";
import type { ToolPermission } from "../permission/tool-permission.js";
import { authoredJsonSchema } from "../schema/authored-json-schema.js";
import type { AuthoredSchema, SchemaOf } from "../schema/authored-schema.js";
import type { AnySchema, Given, JsonSchema, Parsed, Schema } from "../schema/schema.js";
import type { AnyToken } from "../service/token.js";
import type { ChangeSummary } from "../workspace/describe-change.js";
import type { CallInspection, InspectFacts } from "./call-inspection.js";
import { definitionProblem, inputProblem } from "./definition-problem.js";
import { defaultCategory, type ToolCategory } from "./tool-category.js";
import type { ToolContext } from "./tool-context.js";
import { assertToolName } from "./tool-name.js";

/** Static description of a tool: plain data from which everything else is derived. */
export interface ToolDefinition<
  Input extends AnySchema = AnySchema,
  Output extends AnySchema = AnySchema,
  Permission extends ToolPermission = ToolPermission,
  Inject extends readonly AnyToken[] = readonly AnyToken[],
> {
  readonly name: string;
  /** One line, included in every prompt. */
  readonly summary: string;
  readonly category: ToolCategory;
  readonly permissions: readonly Permission[];
  /** Optional permissions: used if the role grants them. */
  readonly alsoUses?: readonly Permission[];
  /** Host capabilities the tool requires. A runtime that lacks one does not list the tool. */
  readonly capabilities?: readonly (keyof Capabilities)[];
  readonly input: Input;
  readonly output: Output;
  /**
   * A proposal; the host's policy decides. Defaults to "auto" for a read-only tool and "confirm" for any other. A call
   * with no effect on files never prompts.
   */
  readonly approval?: ApprovalProposal<Parsed<Input>>;
  /** Tokens of the services passed to its constructor. */
  readonly inject?: Inject;
  /** Error codes it throws in addition to the kernel's. */
  readonly errors?: readonly string[];
  /** Alternative parameter names that models use. camelCase and kebab-case variants are always accepted. */
  readonly aliases?: Readonly<Record<string, readonly string[]>>;
  /** Complete calls that show common uses, for prompts and docs. */
  readonly examples?: readonly ToolExample<Given<Input>>[];
  /** Advice for the model beyond the summary. A clause with `[[grep]]` is left out where that tool is not offered. */
  readonly guidance?: string;
  /** Initially hidden from the model if the host defers tools; the model finds it by searching. */
  readonly deferred?: boolean;
  /** Short description for models with native tool calling. Replaces summary, guidance and the full parameter list. */
  readonly brief?: BriefDescription;
  /** When to stop after this tool and when to continue. */
  readonly termination?: string;
  /** Title for users. Defaults to one derived from the name. */
  readonly title?: string;
  /** Repeating a call with the same arguments has no further effect. */
  readonly idempotent?: boolean;
  readonly timeoutMs?: number;
  /** Maximum length of a result in estimated tokens, capped by the runtime's budget. */
  readonly maxTokens?: number;
  /** The npm package that provides it, for listings and collision messages. */
  readonly pack?: string;
  readonly dialects?: ToolDialects;
  /** Identifies the tool's contract where it can change under the same name. Grants apply to a single revision. */
  readonly revision?: string;
  /**
   * Reports the effects of a call beyond files, and why the tool would refuse it, before the call is decided. Must have
   * no side effects. Rules and policies see the returned value; `haft policy explain` shows it.
   */
  inspect?(args: Parsed<Input>, facts: InspectFacts): CallInspection | Promise<CallInspection>;
  /** Returns true if the arguments only request a preview. */
  previewOnly?(args: Parsed<Input>): boolean;
  /** Returns the files whose content a successful call showed to the model, for read-before-write checks. */
  showsFiles?(value: Parsed<Output>): readonly ShownFile[];
  /** Requires that an overwritten file was read earlier in this session, unless the arguments prove it was. */
  readonly needsRead?: boolean | ((args: Parsed<Input>) => boolean);
  /**
   * For a tool that cannot be rehearsed: called when it has run but its file changes were not applied. `failure` says
   * why; the returned error also reports the outcome. Not called if a policy denies the changes: that failure quotes
   * nothing.
   */
  whenUnapplied?(value: Parsed<Output>, failure: ToolError): ToolError;
  /**
   * For a tool that cannot be rehearsed: called when it has run, its file changes need approval and no approver is
   * attached. Returns a value that says so; the call succeeds without the changes. Without this method, the call fails
   * with APPROVAL_REQUIRED.
   */
  withoutChanges?(value: Parsed<Output>, changes: readonly ChangeSummary[]): Parsed<Output>;
  /** Renders the value for the model. Defaults to JSON. */
  render?(value: Parsed<Output>, facts: RenderFacts<Parsed<Input>>): string;
}

/** The short form of a tool: one paragraph and the everyday parameters. The others are still accepted. */
export interface BriefDescription {
  readonly description: string;
  /** Canonical parameter names, each with a short description, or "" where the name or its values say enough. */
  readonly parameters: Readonly<Record<string, string>>;
}

export interface ToolExample<Args> {
  readonly when: string;
  readonly args: Args;
}

export interface ShownFile {
  readonly path: string;
  readonly hash: string;
}

export interface RenderFacts<Args> {
  readonly args: Args;
  readonly changes: readonly ChangeSummary[];
  /** True if no changes were applied: a dry run or a preview. */
  readonly preview: boolean;
  /** Formats a workspace path for this dialect. */
  showPath(path: string): string;
}

/**
 * Validates a definition and converts its schemas to JSON Schema, keeping their types. `category` defaults to what the
 * permissions imply; without `output`, any value is accepted.
 */
export function toolDefinition<
  const Input extends AuthoredSchema,
  const Output extends AuthoredSchema | undefined = undefined,
  const Permission extends ToolPermission = never,
  const Inject extends readonly AnyToken[] = readonly [],
>(
  authored: AuthoredDefinition<Input, Output, Permission, Inject>,
): DefinitionOf<Input, Output, Permission, Inject> {
  const { name, output, permissions = [] } = authored;
  assertToolName(name);
  const problem = definitionProblem(authored as never);
  if (problem !== undefined) throw new TypeError(`the definition of ${name} is wrong: ${problem}`);
  return Object.freeze({
    ...authored,
    // A copy: whoever holds the author's list, or the definition, cannot change what the tool may do.
    permissions: Object.freeze([...permissions]),
    category: authored.category ?? defaultCategory(permissions),
    input: inputSchema(name, authored.input),
    output: output === undefined ? ANY_VALUE : authoredJsonSchema(`the output of ${name}`, output, "output"),
  }) as never;
}

/** A definition as the author writes it. */
export type AuthoredDefinition<
  Input extends AuthoredSchema,
  Output extends AuthoredSchema | undefined,
  Permission extends ToolPermission,
  Inject extends readonly AnyToken[],
  Result = unknown,
> = Omit<
  DefinitionOf<Input, Output, Permission, Inject, Result>,
  "input" | "output" | "category" | "permissions"
> & {
  readonly category?: ToolCategory;
  /** Default: none. */
  readonly permissions?: readonly Permission[];
  readonly input: Input;
  readonly output?: Output;
};

/** The definition that results from an authored one. `Result` is used if no output schema is given. */
export type DefinitionOf<
  Input,
  Output,
  Permission extends ToolPermission,
  Inject extends readonly AnyToken[],
  Result = unknown,
> = ToolDefinition<
  SchemaOf<Input>,
  Output extends AuthoredSchema ? SchemaOf<Output> : Schema<Result, Result>,
  Permission,
  Inject
>;

const ANY_VALUE: JsonSchema = Object.freeze({});

function inputSchema(name: string, authored: AuthoredSchema): JsonSchema {
  const schema = authoredJsonSchema(`the input of ${name}`, authored);
  const problem = inputProblem(schema);
  if (problem !== undefined) throw new TypeError(`the input of ${name} is wrong: ${problem}`);
  return schema;
}

export type AnyDefinition = ToolDefinition<AnySchema, AnySchema, ToolPermission, readonly AnyToken[]>;

export type ArgsOf<D> = D extends { readonly input: infer I } ? Parsed<I> : never;
export type GivenOf<D> = D extends { readonly input: infer I } ? Given<I> : never;
export type ResultOf<D> = D extends { readonly output: infer O } ? Parsed<O> : never;
type PermissionOf<D> = D extends { readonly permissions: readonly (infer P)[] } ? P : never;
export type ContextOf<D> = ToolContext<Extract<PermissionOf<D>, ToolPermission>>;
