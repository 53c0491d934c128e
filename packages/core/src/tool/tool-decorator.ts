import { announce } from "../registry/catalog.js";
import { DEFINITION, type ToolClass } from "./tool.js";
import type { AnyDefinition } from "./tool-definition.js";

/**
 * Makes a class a tool and announces it. Another `run` signature or another constructor than the
 * definition asks for is a compile error here. Works as a legacy and as a standard decorator.
 */
export function tool<D extends AnyDefinition>(definition: D) {
  return <C extends ToolClass<D>>(toolClass: C, _context?: unknown): void => {
    Object.defineProperty(toolClass, DEFINITION, { value: definition });
    announce(toolClass);
  };
}
