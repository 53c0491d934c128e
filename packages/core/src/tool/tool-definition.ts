import type { ApprovalProposal } from "../approval/approval.js";
import type { ToolDialects } from "../dialect/dialect.js";
import type { ToolError } from "../error/tool-error.js";
import type { ToolPermission } from "../permission/tool-permission.js";
import type { AnySchema, Given, Parsed } from "../schema/schema.js";
import type { AnyToken } from "../service/token.js";
import type { ChangeSummary } from "../workspace/describe-change.js";
import type { ToolCategory } from "./tool-category.js";
import type { ToolContext } from "./tool-context.js";
import { assertToolName } from "./tool-name.js";

/** What is known about a tool before it runs; data, and the source of everything derived from it. */
export interface ToolDefinition<
  Input extends AnySchema = AnySchema,
  Output extends AnySchema = AnySchema,
  Permission extends ToolPermission = ToolPermission,
  Inject extends readonly AnyToken[] = readonly AnyToken[],
> {
  readonly name: string;
  /** One line, in every prompt. */
  readonly summary: string;
  readonly category: ToolCategory;
  readonly permissions: readonly Permission[];
  /** Permissions it makes use of where the role has them, and can do without. */
  readonly alsoUses?: readonly Permission[];
  readonly input: Input;
  readonly output: Output;
  /**
   * A proposal; the host's policy decides. Left out, a tool that only reads proposes "auto" and
   * any other "confirm". A call with no effect on files is never asked about.
   */
  readonly approval?: ApprovalProposal<Parsed<Input>>;
  /** Tokens of the services its constructor takes. */
  readonly inject?: Inject;
  /** Codes it throws beyond the kernel's. */
  readonly errors?: readonly string[];
  /** Other spellings models use for a parameter; camelCase and kebab-case are understood anyway. */
  readonly aliases?: Readonly<Record<string, readonly string[]>>;
  /** Complete calls that show the common uses, in prompts and docs. */
  readonly examples?: readonly ToolExample<Given<Input>>[];
  /** What a model should know beyond the summary: options that matter, habits that pay. */
  readonly guidance?: string;
  /** When to stop after this tool, when to go on. */
  readonly termination?: string;
  /** Title for people; made from the name when left out. */
  readonly title?: string;
  /** A repeated call with the same arguments has no further effect. */
  readonly idempotent?: boolean;
  readonly timeoutMs?: number;
  /** The most text a result may hold, in estimated tokens; the runtime's budget is the upper bound. */
  readonly maxTokens?: number;
  /** The npm package it comes from, for listings and collision messages. */
  readonly pack?: string;
  readonly dialects?: ToolDialects;
  /** Stands for what it promises, where that may change under its name: what was granted to one holds for no other. */
  readonly revision?: string;
  /** True when these arguments only ask what would happen. */
  previewOnly?(args: Parsed<Input>): boolean;
  /** The files whose content a success has shown to the model, for read-before-write. */
  showsFiles?(value: Parsed<Output>): readonly ShownFile[];
  /** A file it overwrites must have been read first in this session, unless the arguments prove it was. */
  readonly needsRead?: boolean | ((args: Parsed<Input>) => boolean);
  /**
   * For a tool that cannot be rehearsed: it has run, and its file changes were not applied. The failure says why; what
   * comes back says what it came to as well. Not asked where a policy denies the changes: such a failure quotes nothing.
   */
  whenUnapplied?(value: Parsed<Output>, failure: ToolError): ToolError;
  /** What the model reads. Left out, the value as JSON. */
  render?(value: Parsed<Output>, facts: RenderFacts<Parsed<Input>>): string;
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
  /** True when nothing was applied: a dry run or a preview. */
  readonly preview: boolean;
  /** A workspace path as this dialect shows it. */
  showPath(path: string): string;
}

/** Checks a definition and keeps its literal types. */
export function toolDefinition<
  const Input extends AnySchema,
  const Output extends AnySchema,
  const Permission extends ToolPermission = never,
  const Inject extends readonly AnyToken[] = readonly [],
>(
  definition: ToolDefinition<Input, Output, Permission, Inject>,
): ToolDefinition<Input, Output, Permission, Inject> {
  assertToolName(definition.name);
  if (definition.summary.includes("\n")) {
    throw new TypeError(`the summary of ${definition.name} must be one line; put the rest into guidance`);
  }
  return Object.freeze({ ...definition });
}

export type AnyDefinition = ToolDefinition<AnySchema, AnySchema, ToolPermission, readonly AnyToken[]>;

export type ArgsOf<D> = D extends { readonly input: infer I } ? Parsed<I> : never;
export type GivenOf<D> = D extends { readonly input: infer I } ? Given<I> : never;
export type ResultOf<D> = D extends { readonly output: infer O } ? Parsed<O> : never;
export type PermissionOf<D> = D extends { readonly permissions: readonly (infer P)[] } ? P : never;
export type ContextOf<D> = ToolContext<Extract<PermissionOf<D>, ToolPermission>>;
