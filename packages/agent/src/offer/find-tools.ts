import { type AnyToolClass, s, type ToolDescription, toolDefinition } from "@haft/core";
import { unannouncedTool } from "@haft/core/kernel";
import { compactTools, toOpenAiTools } from "@haft/prompt-formatter";

export const FIND_TOOLS = "find_tools";

/** Creates a tool that finds the deferred tools of a runtime. */
export function findToolsTool(list: () => readonly ToolDescription[]): AnyToolClass {
  return unannouncedTool(definition, async ({ query }: { readonly query: string }) => {
    const deferred = list().filter((tool) => tool.deferred === true);
    const found = matching(deferred, query);
    return { found: compactTools(found), offers: found.map(({ name }) => name) };
  });
}

const definition = toolDefinition({
  name: FIND_TOOLS,
  pack: "@haft/agent",
  summary: "Find more tools by what they do, and make them available.",
  brief: {
    description: "Find more tools by what they do, such as web search. They can be called afterwards.",
    parameters: { query: "What you need, or * for all" },
  },
  category: "search",
  permissions: [],
  approval: "auto",
  idempotent: true,
  input: s.object({ query: s.string("What you need, or * for all", { minLength: 1, maxLength: 500 }) }),
  output: s.object({
    found: s.array("Their descriptions", s.record("A tool", s.json("Part of it"))),
    offers: s.array("Names of the tools that can be called now", s.string("Name")),
  }),
  render: ({ found, offers }) =>
    offers.length === 0
      ? "No other tool matches. Use the tools you have."
      : `You can now call ${offers.join(", ")}.\n${JSON.stringify(toOpenAiTools(found as never).map((tool) => tool.function))}`,
});

/** Sorts by words shared with the query, best first; `*` returns all. */
function matching(tools: readonly ToolDescription[], query: string): readonly ToolDescription[] {
  if (query.trim() === "*") return tools;
  const words = wordsOf(query);
  const scored = tools.map((tool) => ({ tool, score: score(tool, words) }));
  return scored
    .filter((each) => each.score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_FOUND)
    .map(({ tool }) => tool);
}

const MAX_FOUND = 5;

function score({ name, summary, guidance = "" }: ToolDescription, words: readonly string[]): number {
  const named = wordsOf(name);
  const described = wordsOf(`${summary} ${guidance}`);
  return words.reduce(
    (sum, word) => sum + (named.includes(word) ? 3 : 0) + (described.includes(word) ? 1 : 0),
    0,
  );
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? [];
}
