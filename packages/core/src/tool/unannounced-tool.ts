import { type AnyToolClass, DEFINITION } from "./tool.js";
import type { AnyDefinition } from "./tool-definition.js";
import { assertToolName } from "./tool-name.js";

/** A tool class that only the runtimes it is given to know: for tools that are found while a program runs. */
export function unannouncedTool(
  definition: AnyDefinition,
  run: (args: never, context: never) => Promise<unknown>,
): AnyToolClass {
  assertToolName(definition.name);
  class UnannouncedTool {
    run(args: never, context: never): Promise<unknown> {
      return run(args, context);
    }
  }
  Object.defineProperty(UnannouncedTool, DEFINITION, { value: Object.freeze({ ...definition }) });
  return UnannouncedTool;
}
