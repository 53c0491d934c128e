import { ToolError } from "@haft/core";

/** Returns whether a store may answer the same request later: one that refuses it would refuse it again. */
export function isAway(cause: unknown): boolean {
  return (
    ToolError.is(cause) && cause.code === "STORE_UNAVAILABLE" && cause.details?.retryAfterMs !== undefined
  );
}

/** The same part of a store. Calls back whenever an operation finds the store away. */
export function reportOutages<Part extends object>(part: Part, onAway: (cause: unknown) => void): Part {
  return new Proxy(part, {
    get: (target, name) => {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== "function") return method;
      return (...args: readonly unknown[]) => {
        const answer: unknown = method.apply(target, args);
        if (!(answer instanceof Promise)) return answer;
        return answer.catch((cause) => {
          if (isAway(cause)) onAway(cause);
          throw cause;
        });
      };
    },
  });
}
