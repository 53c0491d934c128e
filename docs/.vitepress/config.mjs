import { defineConfig } from "vitepress";
import { writeLlmsTexts } from "./llms-texts.mjs";
import { REPOSITORY, repositoryLink } from "./repository-links.mjs";
import { navigation, sidebar } from "./sidebar.mjs";

export default defineConfig({
  title: "Haft",
  description: "The tool layer for AI agents.",
  lang: "en",
  cleanUrls: false,
  head: [["link", { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" }]],
  lastUpdated: false,
  srcExclude: ["README.md", "node_modules/**"],
  // typedoc generates the API reference after this build; check-links.mjs checks links to it.
  ignoreDeadLinks: [/^\/api\//],
  markdown: {
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    config: (md) => {
      md.core.ruler.push("repository-links", ({ tokens, env }) => repositoryLink(tokens, env.relativePath));
    },
  },
  buildEnd: writeLlmsTexts,
  themeConfig: {
    nav: navigation,
    sidebar,
    outline: [2, 3],
    search: { provider: "local" },
    socialLinks: [{ icon: "github", link: REPOSITORY }],
    notFound: {
      quote: "This page does not exist, or it has moved. Search with Ctrl K, or begin at the start page.",
      linkText: "Start page",
      linkLabel: "Go to the start page",
    },
    footer: { message: "MIT licence" },
  },
});
