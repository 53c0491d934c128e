import { defineTool, s } from "../index.js";

/** A tool with scripted behaviour, good or bad. */
export function behaving(
  run: (context: { signal: AbortSignal; warn(message: string): void }) => unknown,
  more: object = {},
) {
  return defineTool({
    name: "behave",
    summary: "Behave.",
    category: "read",
    permissions: ["ReadFiles"],
    input: s.object({ n: s.integer("Number", { default: 0 }) }),
    output: s.object({ n: s.integer("Number") }),
    run: async (_args, context) => run(context) as { n: number },
    ...more,
  });
}
