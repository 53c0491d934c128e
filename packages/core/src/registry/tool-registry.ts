import { spellTool } from "../dialect/spell-tool.js";
import { type NextCall, ToolError } from "../error/tool-error.js";
import { mayUse, missingPermissions } from "../permission/role.js";
import { pathParameters } from "../schema/path-arguments.js";
import { fromPlainTool, type PlainTool } from "../tool/plain-tool.js";
import { type AnyToolClass, definitionOf } from "../tool/tool.js";
import type { ToolCategory } from "../tool/tool-category.js";
import type { AnyDefinition } from "../tool/tool-definition.js";
import { describeTool, type ToolDescription } from "./describe-tool.js";
import { type OpenAIFunction, openAIFunction } from "./openai-function.js";
import { prepareTool, type RegistrySetting } from "./prepare-tool.js";
import type { RegisteredTool } from "./registered-tool.js";
import { spellArguments } from "./spell-arguments.js";
import { toolNotFound } from "./tool-not-found.js";

/** The tools of one runtime. A tool the role may not use is neither listed nor run. */
export class ToolRegistry {
  readonly #tools = new Map<string, RegisteredTool>();
  readonly #byDialectName = new Map<string, RegisteredTool>();
  readonly #disabled = new Set<string>();
  readonly #listeners = new Set<() => void>();
  readonly #setting: RegistrySetting;

  constructor(setting: RegistrySetting) {
    this.#setting = setting;
  }

  /** Adds a tool; the function returned takes it away again. Two tools of one name are an error. */
  register(tool: AnyToolClass | PlainTool): () => void {
    const toolClass = typeof tool === "function" ? tool : fromPlainTool(tool);
    const definition = definitionOf(toolClass);
    this.#assertFree(definition.name, definition);
    const spelling = spellTool(definition, this.#setting.dialect);
    if (spelling === undefined) return () => {};
    this.#assertFree(spelling.name, definition);
    const registered = prepareTool(toolClass, spelling, this.#setting);
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

  /** Takes a tool out of use without forgetting it. */
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
    return tool !== undefined && this.#isVisible(tool) ? describeTool(tool, this.#setting.role) : undefined;
  }

  list(filter: { readonly category?: ToolCategory } = {}): readonly ToolDescription[] {
    const visible = [...this.#tools.values()].filter((tool) => this.#isVisible(tool));
    const wanted = visible.filter(
      ({ definition }) => filter.category === undefined || definition.category === filter.category,
    );
    return wanted.map((tool) => describeTool(tool, this.#setting.role));
  }

  toOpenAIFunctions(): readonly OpenAIFunction[] {
    return this.list().map(openAIFunction);
  }

  /** The tool behind a call, or the reason why there is none. */
  resolve(name: string): RegisteredTool {
    const tool = this.#find(name);
    if (tool === undefined) throw toolNotFound(name, this.list());
    const { role } = this.#setting;
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

  /** A canonical call as a model here would write it; undefined when it has no such tool. */
  spellCall({ tool: name, args }: NextCall): NextCall | undefined {
    const tool = this.#tools.get(name) ?? this.#find(name);
    if (tool === undefined || !this.#isVisible(tool)) return undefined;
    const spelled = spellArguments(tool, args);
    return spelled === undefined ? undefined : { tool: tool.spelling.name, args: spelled };
  }

  /** The canonical call that would show a file to the model, if this role has a tool that does. */
  callThatShows(path: string): NextCall | undefined {
    const reader = [...this.#tools.values()].find(
      (tool) => tool.definition.showsFiles !== undefined && this.#isVisible(tool),
    );
    const parameter = reader === undefined ? undefined : pathParameters(reader.definition.input)[0];
    if (reader === undefined || parameter === undefined) return undefined;
    return { tool: reader.definition.name, args: { [parameter]: path } };
  }

  /** Calls back when tools appear or go. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  #find(name: string): RegisteredTool | undefined {
    return this.#byDialectName.get(name) ?? this.#tools.get(name);
  }

  #isVisible({ definition }: RegisteredTool): boolean {
    return mayUse(this.#setting.role, definition) && !this.#disabled.has(definition.name);
  }

  #assertFree(name: string, definition: AnyDefinition): void {
    const taken = this.#find(name);
    if (taken === undefined) return;
    throw new ToolError(
      "TOOL_CONFLICT",
      `two tools are called ${name}: one of ${packOf(taken.definition)}, one of ${packOf(definition)}. Leave one of them out`,
      { details: { name } },
    );
  }

  #changed(): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener();
      } catch {
        // Watching the registry must not change what is in it.
      }
    }
  }
}

function packOf(definition: AnyDefinition): string {
  return definition.pack ?? "a package that does not say its name";
}
