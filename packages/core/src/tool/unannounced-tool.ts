import { type AnyToolClass, DEFINITION } from "./tool.js";
import type { AnyDefinition } from "./tool-definition.js";
import { assertToolName } from "./tool-name.js";

/**
 * Creates a tool class without announcing it, for tools discovered at run time. Only the runtimes that receive it know
 * it. `run` receives its arguments, the context, and the services that `inject` names.
 */
export function unannouncedTool(
  definition: AnyDefinition,
  run: (args: never, context: never, ...services: never[]) => Promise<unknown>,
): AnyToolClass {
  assertToolName(definition.name);
  class UnannouncedTool {
    readonly #services: readonly never[];

    constructor(...services: never) {
      this.#services = services;
    }

    run(args: never, context: never): Promise<unknown> {
      return run(args, context, ...this.#services);
    }
  }
  Object.defineProperty(UnannouncedTool, DEFINITION, {
    value: Object.freeze({ ...definition, permissions: Object.freeze([...definition.permissions]) }),
  });
  return UnannouncedTool as never;
}
