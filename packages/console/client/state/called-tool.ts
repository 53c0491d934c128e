import { signal } from "@preact/signals";

/** The tool whose form is open. An empty name leaves the choice to the form. */
export const calledTool = signal<string | undefined>(undefined);

export function callTool(name = ""): void {
  calledTool.value = name;
}
