import { readFileSync } from "node:fs";

const DOCS = new URL("../", import.meta.url);

export const navigation = [
  { text: "Start here", link: "/start/install" },
  { text: "Guides", link: "/guides/schemas" },
  { text: "Tools", link: "/reference/tools/" },
  { text: "API", link: "/api/index.html", target: "_self" },
  { text: "Twenty questions", link: "/questions" },
];

const page = (link) => ({ text: titleOf(link), link: `/${link}` });
const group = (text, links) => ({ text, items: links.map(page) });

export const sidebar = [
  group("Start here", [
    "start/install",
    "start/first-call",
    "start/first-tool",
    "start/agent",
    "start/first-role",
    "start/connect",
    "start/models",
    "questions",
  ]),
  group("Guides", [
    "writing-tools",
    "guides/schemas",
    "guides/services",
    "guides/permissions",
    "guides/approvals",
    "guides/policies",
    "guides/workspaces",
    "guides/testing",
    "guides/mcp",
    "guides/editors",
    "guides/box",
    "guides/console",
    "guides/undo-and-audit",
    "guides/web-search",
    "guides/many-machines",
  ]),
  group("Agent libraries", [
    "libraries/ai-sdk",
    "libraries/langchain",
    "libraries/openai-agents",
    "libraries/mastra",
    "libraries/raw-providers",
  ]),
  {
    text: "Reference",
    items: [
      page("reference/tools/index"),
      page("reference/configuration"),
      page("reference/errors"),
      page("roles"),
      page("reference/examples"),
      { text: "API", link: "/api/index.html", target: "_self" },
    ],
  },
  group("Background", [
    "reference/security",
    "architecture",
    "platforms",
    "comparison",
    "trials",
    "reference/decisions",
    "requirement-ids",
    "reference/changelog",
  ]),
];

function titleOf(link) {
  const [, title = link] = /^# (.+)$/m.exec(readFileSync(new URL(`${link}.md`, DOCS), "utf8")) ?? [];
  return title.replaceAll("`", "");
}
