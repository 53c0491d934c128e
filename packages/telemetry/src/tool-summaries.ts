import type { ToolRuntime } from "@haft/core";

/** The summaries of a runtime's tools, by name. */
export class ToolSummaries {
  readonly #runtime: Pick<ToolRuntime, "tools">;
  #byName: ReadonlyMap<string, string> | undefined;

  constructor(runtime: Pick<ToolRuntime, "tools" | "onToolsChange">) {
    this.#runtime = runtime;
    runtime.onToolsChange(() => {
      this.#byName = undefined;
    });
  }

  /** Undefined for a tool that is not offered. */
  of(tool: string): string | undefined {
    this.#byName ??= new Map(this.#runtime.tools().map(({ name, summary }) => [name, summary]));
    return this.#byName.get(tool);
  }
}
