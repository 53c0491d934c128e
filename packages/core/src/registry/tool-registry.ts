import { spellTool } from "../dialect/spell-tool.js";
import { type NextCall, ToolError } from "../error/tool-error.js";
import { mayUse, missingPermissions } from "../permission/role.js";
import { pathParameters } from "../schema/path-arguments.js";
import type { AnyToken } from "../service/token.js";
import { fromPlainTool, type PlainTool } from "../tool/plain-tool.js";
import { type AnyToolClass, definitionOf, packOf } from "../tool/tool.js";
import type { ToolCategory } from "../tool/tool-category.js";
import type { AnyDefinition } from "../tool/tool-definition.js";
import { describeTool, type ToolDescription } from "./describe-tool.js";
import { type OpenAIFunction, openAIFunction } from "./openai-function.js";
import { prepareTool, type RegistryContext } from "./prepare-tool.js";
import type { RegisteredTool } from "./registered-tool.js";
import { spellArguments } from "./spell-arguments.js";
import { toolNotFound } from "./tool-not-found.js";
import { resolveReferences } from "./tool-references.js";

/** The tools of one runtime. A tool the role may not use is neither listed nor run. */
export class ToolRegistry {
  readonly #tools = new Map<string, RegisteredTool>();
  readonly #byDialectName = new Map<string, RegisteredTool>();
  readonly #disabled = new Set<string>();
  readonly #listeners = new Set<() => void>();
  readonly #context: RegistryContext;

  constructor(context: RegistryContext) {
    this.#context = context;
  }

  /** Adds a tool. Returns a function that removes it. Two tools with the same name are an error. */
  register(tool: AnyToolClass | PlainTool): () => void {
    const toolClass = typeof tool === "function" ? tool : fromPlainTool(tool);
    const definition = definitionOf(toolClass);
    const pack = packOf(toolClass) ?? UNNAMED;
    this.#assertFree(definition.name, pack);
    const spelling = spellTool(definition, this.#context.dialect);
    if (spelling === undefined) return () => {};
    this.#assertFree(spelling.name, pack);
    this.#assertServices(definition, pack);
    const registered = prepareTool(toolClass, spelling, this.#context);
    this.#tools.set(definition.name, registered);
    this.#byDialectName.set(spelling.name, registered);
    this.#changed();
    return () => {
      if (this.#tools.get(definition.name) === registered) this.unregister(definition.name);
    };
  }

  unregister(name: string): boolean {
    const tool = this.#find(name);
    if (tool === undefined) return false;
    this.#tools.delete(tool.definition.name);
    this.#byDialectName.delete(tool.spelling.name);
    this.#changed();
    return true;
  }

  /** Disables a tool without removing it. */
  disable(name: string): void {
    this.#disabled.add(this.#find(name)?.definition.name ?? name);
    this.#changed();
  }

  enable(name: string): void {
    this.#disabled.delete(this.#find(name)?.definition.name ?? name);
    this.#changed();
  }

  get(name: string): ToolDescription | undefined {
    const tool = this.#find(name);
    return tool !== undefined && this.#isVisible(tool) ? describeTool(tool, this.#describing) : undefined;
  }

  list(filter: { readonly category?: ToolCategory } = {}): readonly ToolDescription[] {
    const visible = [...this.#tools.values()].filter((tool) => this.#isVisible(tool));
    const wanted = visible.filter(
      ({ definition }) => filter.category === undefined || definition.category === filter.category,
    );
    return wanted.map((tool) => describeTool(tool, this.#describing));
  }

  toOpenAIFunctions(): readonly OpenAIFunction[] {
    return this.list().map(openAIFunction);
  }

  /** Returns the tool of a call, or the reason why it is unavailable. */
  resolve(name: string): RegisteredTool {
    const tool = this.#find(name);
    if (tool === undefined) throw toolNotFound(name, this.list(), this.#context.imported);
    const { role } = this.#context;
    const missing = missingPermissions(role, tool.definition.permissions);
    if (missing.length > 0) {
      throw new ToolError(
        "PERMISSION_DENIED",
        `The role ${role.name} may not use ${name}: it lacks ${missing.join(", ")}`,
        { details: { missing } },
      );
    }
    if (!mayUse(role, tool.definition))
      throw new ToolError("PERMISSION_DENIED", `The role ${role.name} may not use ${name}`);
    if (this.#disabled.has(tool.definition.name))
      throw new ToolError("TOOL_DISABLED", `${name} is switched off`);
    return tool;
  }

  /** Returns a canonical call in the dialect of this runtime; undefined if the tool is unavailable. */
  spellCall({ tool: name, args }: NextCall): NextCall | undefined {
    const tool = this.#tools.get(name) ?? this.#find(name);
    if (tool === undefined || !this.#isVisible(tool)) return undefined;
    const spelled = spellArguments(tool, args);
    return spelled === undefined ? undefined : { tool: tool.spelling.name, args: spelled };
  }

  /** Resolves references to tools in the hint of an error. Only its first line is advice: output may follow. */
  resolveHint(hint: string): string {
    const [advice = "", ...output] = hint.split("\n");
    return [resolveReferences(advice, this.#describing.nameOf), ...output].join("\n");
  }

  /** Returns the canonical call that shows a file to the model, if the role has a tool for it. */
  callThatShows(path: string): NextCall | undefined {
    const reader = [...this.#tools.values()].find(
      (tool) => tool.definition.showsFiles !== undefined && this.#isVisible(tool),
    );
    const parameter = reader === undefined ? undefined : pathParameters(reader.definition.input)[0];
    if (reader === undefined || parameter === undefined) return undefined;
    return { tool: reader.definition.name, args: { [parameter]: path } };
  }

  /** The services of all callable tools, each once. */
  services(): ReadonlySet<AnyToken> {
    const visible = [...this.#tools.values()].filter((tool) => this.#isVisible(tool));
    return new Set(visible.flatMap(({ definition }) => definition.inject ?? []));
  }

  /** Calls the listener when tools are added or removed. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  #find(name: string): RegisteredTool | undefined {
    return this.#byDialectName.get(name) ?? this.#tools.get(name);
  }

  get #describing() {
    const nameOf = (canonical: string) => {
      const tool = this.#tools.get(canonical);
      return tool !== undefined && this.#isVisible(tool) ? tool.spelling.name : undefined;
    };
    return { role: this.#context.role, nameOf };
  }

  #isVisible({ definition }: RegisteredTool): boolean {
    const { role, capabilities } = this.#context;
    if (!mayUse(role, definition) || this.#disabled.has(definition.name)) return false;
    return (definition.capabilities ?? []).every((name) => capabilities[name] !== undefined);
  }

  /** Reports a missing service when the runtime starts, not at the first call. */
  #assertServices(definition: AnyDefinition, pack: string): void {
    const { role, services } = this.#context;
    if (!mayUse(role, definition)) return;
    const missing = (definition.inject ?? []).find((token) => !services.provides(token));
    if (missing === undefined) return;
    throw new ToolError(
      "CONFIG_INVALID",
      `${definition.name}${pack === UNNAMED ? "" : ` of ${pack}`} needs the service "${missing.name}", and none is registered`,
      { hint: "Pass it when you create the runtime: services: [[TOKEN, instance]]." },
    );
  }

  #assertFree(name: string, pack: string): void {
    const taken = this.#find(name);
    if (taken === undefined) return;
    throw new ToolError(
      "TOOL_CONFLICT",
      `two tools are called ${name}: one of ${taken.pack ?? UNNAMED}, one of ${pack}. Leave one of them out`,
      { details: { name } },
    );
  }

  #changed(): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener();
      } catch {
        // A listener must not change the registry by throwing.
      }
    }
  }
}

const UNNAMED = "no package";
