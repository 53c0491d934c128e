import { ToolError } from "@haft/core";

/** Returns whether an error means that the store is unavailable. */
export function isAway(cause: unknown): boolean {
  return ToolError.is(cause) && cause.code === "STORE_UNAVAILABLE";
}

/** The same part of a store. Calls back whenever an operation finds the store unavailable. */
export function reportOutages<Part extends object>(part: Part, onAway: () => void): Part {
  return new Proxy(part, {
    get: (target, name) => {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== "function") return method;
      return (...args: readonly unknown[]) => {
        const answer: unknown = method.apply(target, args);
        if (!(answer instanceof Promise)) return answer;
        return answer.catch((cause) => {
          if (isAway(cause)) onAway();
          throw cause;
        });
      };
    },
  });
}
