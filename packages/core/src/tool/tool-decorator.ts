import { announce } from "../registry/catalog.js";
import { DEFINITION, type ToolClass } from "./tool.js";
import { type AnyDefinition, toolDefinition } from "./tool-definition.js";

/**
 * Turns a class into a tool and announces it. A `run` signature or constructor that does not match the definition is a
 * compile error at the decorator. Works as a legacy and as a standard decorator. In JavaScript the definition may also
 * be a plain object, which is completed as `toolDefinition` does.
 */
export function tool<D extends AnyDefinition>(definition: D) {
  const complete = isComplete(definition) ? definition : toolDefinition(definition as never);
  return <C extends ToolClass<D>>(toolClass: C, _context?: unknown): void => {
    Object.defineProperty(toolClass, DEFINITION, { value: complete });
    if (!Object.hasOwn(toolClass, "definition"))
      Object.defineProperty(toolClass, "definition", { value: complete });
    announce(toolClass);
  };
}

function isComplete({ permissions, category, output }: Partial<AnyDefinition>): boolean {
  return permissions !== undefined && category !== undefined && output !== undefined;
}
