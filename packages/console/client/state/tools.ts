import type { JsonSchema, ToolDescription } from "@haft/core";
import { effect, signal } from "@preact/signals";
import { get } from "./api.js";
import { reconnections } from "./stream.js";
import { workspace } from "./workspace.js";

export const tools = signal<readonly ToolDescription[] | undefined>(undefined);

// A changed configuration, which may add tools, creates a new object.
effect(() => {
  void reconnections.value;
  if (workspace.value === undefined) return;
  get<readonly ToolDescription[]>("tools").then(
    (found) => {
      tools.value = found;
    },
    () => undefined,
  );
});

export function schemaOf(name: string): JsonSchema | undefined {
  return toolNamed(name)?.input;
}

export function categoryOf(name: string): string | undefined {
  return toolNamed(name)?.category;
}

function toolNamed(name: string): ToolDescription | undefined {
  return tools.value?.find((tool) => tool.name === name || tool.canonicalName === name);
}
