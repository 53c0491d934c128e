import type { AnyToken, ServicesOf } from "../service/token.js";
import type { AnyDefinition, ArgsOf, ContextOf, ResultOf } from "./tool-definition.js";

/** A tool is data plus one function. */
export interface Tool<D extends AnyDefinition = AnyDefinition> {
  run(args: ArgsOf<D>, context: ContextOf<D>): Promise<ResultOf<D>>;
}

/** A class whose instances are tools; its constructor takes the services its definition injects. */
export type ToolClass<D extends AnyDefinition = AnyDefinition> = new (
  ...services: ServicesOf<InjectOf<D>>
) => Tool<D>;

// `inject` may be left out, so its type holds undefined beside the tokens.
type InjectOf<D extends AnyDefinition> =
  NonNullable<D["inject"]> extends readonly AnyToken[] ? NonNullable<D["inject"]> : readonly [];

// biome-ignore lint/suspicious/noExplicitAny: any tool class at all; what it takes is checked where it is defined.
export type AnyToolClass = new (...services: any[]) => { run(args: any, context: any): Promise<unknown> };

/** The definition that `@tool` or `defineTool` wrote on a class, whichever copy of core did it. */
export function definitionOf(toolClass: AnyToolClass): AnyDefinition {
  const definition = (toolClass as unknown as Record<symbol, unknown>)[DEFINITION] as
    | AnyDefinition
    | undefined;
  if (definition === undefined) {
    throw new TypeError(
      `${toolClass.name || "this class"} is not a tool: it was not made by @tool or defineTool`,
    );
  }
  return definition;
}

export const DEFINITION: unique symbol = Symbol.for("haft.tool-definition.v1") as never;
