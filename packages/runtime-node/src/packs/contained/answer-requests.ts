import { type CallContext, messageOf, ToolError } from "@haft/core";
import type { NetworkClient } from "@haft/core/capabilities";
import type { ErrorData, Request } from "./pack-messages.js";

/** The kernel's context of a call. It contains exactly what the tool's permissions allow. */
export interface ContainedContext extends CallContext {
  readonly workspace: Readonly<Record<string, unknown>> & { readonly root: string };
  readonly network?: NetworkClient;
}

export type Answer = { readonly value: unknown } | { readonly error: ErrorData };

/** Answers the requests of a contained tool during one call. The context itself makes the kernel's checks. */
export class RequestAnswerer {
  readonly #context: ContainedContext;
  readonly #streams = new Map<number, AsyncIterator<unknown>>();

  constructor(context: ContainedContext) {
    this.#context = context;
  }

  async answer(request: Request): Promise<Answer> {
    try {
      return { value: await this.#valueOf(request) };
    } catch (thrown) {
      return { error: errorData(thrown) };
    }
  }

  async #valueOf(request: Request): Promise<unknown> {
    if (request.type === "next") return this.#batchOf(request.stream);
    if (request.type === "call" && request.target === "network")
      return this.#context.network?.fetch(request.args[0] as never, this.#context.signal);
    const method = this.#methodOf(request.name);
    if (request.type === "call") return method(...request.args);
    const stream = method(...request.args) as AsyncIterable<unknown>;
    this.#streams.set(request.id, stream[Symbol.asyncIterator]());
    return request.id;
  }

  #methodOf(name: string): (...args: readonly unknown[]) => unknown {
    const { workspace } = this.#context;
    const method = Object.hasOwn(workspace, name) ? workspace[name] : undefined;
    if (typeof method !== "function")
      throw new ToolError("PERMISSION_DENIED", `The tool's permissions do not include workspace.${name}`);
    return method as (...args: readonly unknown[]) => unknown;
  }

  async #batchOf(stream: number): Promise<{ values: readonly unknown[]; done: boolean }> {
    const iterator = this.#streams.get(stream);
    const values: unknown[] = [];
    while (iterator !== undefined && values.length < BATCH) {
      const step = await iterator.next();
      if (step.done === true) return { values, done: true };
      values.push(step.value);
    }
    return { values, done: iterator === undefined };
  }
}

const BATCH = 64;

export function errorData(thrown: unknown): ErrorData {
  if (!ToolError.is(thrown)) return { message: messageOf(thrown) };
  const { message, code, hint, details, next } = thrown;
  return { message, code, ...(hint && { hint }), ...(details && { details }), ...(next && { next }) };
}

export function errorOf({ message, code, ...options }: ErrorData): Error {
  return typeof code === "string"
    ? new ToolError(code, String(message), options)
    : new Error(String(message));
}
