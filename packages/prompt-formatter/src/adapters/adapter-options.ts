import type { ToolRuntime } from "@haft/core";
import { describeForProvider, type ObjectSchema, parametersOf } from "../providers/provider-options.js";
import { type DecidableRuntime, LibraryApprovals } from "./library-approvals.js";

export interface AdapterOptions {
  /**
   * Who puts the question when a call needs approval: the runtime's own gate while the tool runs
   * (default), or the agent library by its own mechanism, which needs a runtime that can be decided
   * from outside (`createNodeRuntime({ decidable: true })`).
   */
  readonly askedBy?: "runtime" | "library";
  /** Adds the parameter `terminate`. Default: false, as the library has a loop of its own. */
  readonly terminate?: boolean;
}

/** A tool's name, description and parameters, as every library wants them. */
export interface AdaptedTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: ObjectSchema;
}

export function adaptedTools(
  runtime: ToolRuntime,
  { terminate = false }: AdapterOptions,
): readonly AdaptedTool[] {
  return runtime.tools().map((tool) => ({
    name: tool.name,
    description: describeForProvider(tool),
    parameters: parametersOf(tool, { terminate }),
  }));
}

/** Undefined where the runtime asks by itself. */
export function approvalsOf(
  runtime: ToolRuntime,
  { askedBy = "runtime" }: AdapterOptions,
): LibraryApprovals | undefined {
  if (askedBy === "runtime") return undefined;
  if (!isDecidable(runtime)) {
    throw new TypeError(
      "askedBy: library needs a runtime with pending() and decide(), such as @haft/runtime-node's",
    );
  }
  return new LibraryApprovals(runtime);
}

function isDecidable(runtime: ToolRuntime): runtime is DecidableRuntime {
  return "pending" in runtime && "decide" in runtime;
}
