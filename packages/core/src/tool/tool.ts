import type { AnyToken, ServicesOf } from "../service/token.js";
import type { AnyDefinition, ArgsOf, ContextOf, ResultOf } from "./tool-definition.js";

/** A tool: data plus one function. */
export interface Tool<D extends AnyDefinition = AnyDefinition> {
  run(args: ArgsOf<D>, context: ContextOf<D>): Promise<ResultOf<D>>;
}

/** A class whose instances are tools. Its constructor takes the services that its definition injects. */
export type ToolClass<D extends AnyDefinition = AnyDefinition> = new (
  ...services: ServicesOf<InjectOf<D>>
) => Tool<D>;

// `inject` is optional, so its type includes undefined.
type InjectOf<D extends AnyDefinition> =
  NonNullable<D["inject"]> extends readonly AnyToken[] ? NonNullable<D["inject"]> : readonly [];

// biome-ignore lint/suspicious/noExplicitAny: any tool class; its arguments are checked where it is defined.
export type AnyToolClass = new (...services: any[]) => { run(args: any, context: any): Promise<unknown> };

/** Returns the definition that `@tool` or `defineTool` attached to a class, even if another copy of core did it. */
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

/** Notes which package a tool comes from, for messages. The first package keeps it. */
export function rememberPack(toolClass: AnyToolClass, pack: string): void {
  // Without throwing: a pack may have frozen its class.
  Reflect.defineProperty(toolClass, PACK, { value: pack });
}

/** Returns the package that a tool names or was loaded from. */
export function packOf(toolClass: AnyToolClass): string | undefined {
  return (
    definitionOf(toolClass).pack ??
    ((toolClass as unknown as Record<symbol, unknown>)[PACK] as string | undefined)
  );
}

const PACK: unique symbol = Symbol.for("haft.tool-pack.v1") as never;
