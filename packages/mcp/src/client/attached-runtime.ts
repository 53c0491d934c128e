import { type AnyToolClass, definitionOf, messageOf } from "@haft/core";
import type { LocalRuntime } from "@haft/core/kernel";

/** The tools of a server that one runtime has registered. */
export class AttachedRuntime {
  readonly #registered = new Map<AnyToolClass, () => void>();

  constructor(
    readonly runtime: LocalRuntime,
    readonly warn: (message: string) => void,
  ) {}

  /** Unregisters old tools before it registers new ones, which may have the same name. */
  offer(tools: readonly AnyToolClass[]): void {
    for (const [tool, unregister] of this.#registered) {
      if (tools.includes(tool)) continue;
      unregister();
      this.#registered.delete(tool);
    }
    for (const tool of tools) if (!this.#registered.has(tool)) this.#register(tool);
  }

  /** A name that is already taken is not replaced: a server cannot impersonate another tool. */
  #register(tool: AnyToolClass): void {
    try {
      this.#registered.set(tool, this.runtime.registry.register(tool));
    } catch (error) {
      this.warn(`${definitionOf(tool).name} was not mounted: ${messageOf(error)}`);
    }
  }
}

/** Runtimes have no dispose event, so this wraps their dispose method. */
export function onDispose(runtime: LocalRuntime, callback: () => Promise<void>): void {
  const end = runtime.dispose.bind(runtime);
  const dispose = async () => {
    const [disposed] = await Promise.allSettled([end(), callback()]);
    if (disposed.status === "rejected") throw disposed.reason;
  };
  Object.assign(runtime, {
    dispose,
    ...(Symbol.asyncDispose in runtime && { [Symbol.asyncDispose]: dispose }),
  });
}
