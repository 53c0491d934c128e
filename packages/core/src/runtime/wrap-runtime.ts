import type { ToolResult } from "../result/tool-result.js";
import { cloneJson } from "./clone-json.js";
import type { CallOptions, ToolCall, ToolRuntime, TypedTool } from "./tool-runtime.js";

/** A call as its caller made it. */
export interface WrappedCall {
  readonly tool: string;
  /** A copy: changing it has no effect. Throws if the arguments are not JSON. */
  readonly args: unknown;
  readonly options: CallOptions;
}

/**
 * Wraps whole calls: a cache, a rate limit, a budget, retries, telemetry. `next` takes no arguments, so a wrapper can
 * skip or repeat a call but cannot change it. Every check of the runtime happens inside `next`. A call with an id runs
 * at most once: a repeated `next` returns its first result.
 */
export type CallWrapper = (call: WrappedCall, next: () => Promise<ToolResult>) => Promise<ToolResult>;

/**
 * Returns the runtime with wrapped calls. The first wrapper is the outermost. A wrapper that throws makes `call`
 * reject.
 */
export function wrapRuntime<R extends ToolRuntime>(runtime: R, ...wrappers: readonly CallWrapper[]): R {
  const call = (tool: string | TypedTool, args?: unknown, options: CallOptions = {}) => {
    const name = typeof tool === "string" ? tool : tool.definition.name;
    const wrapped = Object.freeze({
      tool: name,
      get args() {
        return cloneJson(args);
      },
      options: Object.freeze({ ...options }),
    });
    const execute = () => runtime.call(tool as string, args, options);
    const chain = wrappers.reduceRight<() => Promise<ToolResult>>(
      (next, wrapper) => () => wrapper(wrapped, next),
      execute,
    );
    return chain();
  };
  return { ...runtime, call: call as ToolCall };
}
