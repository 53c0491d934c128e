import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sidebar } from "./sidebar.mjs";

const HEAD =
  "# Haft\n\n> The tool layer for AI agents: files, search, edits, commands and the web, as npm packages.\n";

/**
 * Writes llms.txt, an index in the order of the sidebar, and llms-full.txt with every page but the decisions, beside
 * the built site.
 */
export function writeLlmsTexts({ outDir, pages, srcDir }) {
  const read = (path) => ({ path, text: readFileSync(join(srcDir, path), "utf8") });
  const listed = sidebar.map(({ text, items }) => ({
    title: text,
    pages: items.map(({ link }) => `${link.slice(1)}.md`).filter((path) => pages.includes(path)),
  }));
  const known = new Set(["index.md", ...listed.flatMap((group) => group.pages)]);
  const others = pages.filter((path) => !known.has(path)).sort();
  const isDecision = (path) => path.startsWith("decisions/");
  const groups = [
    ...listed,
    { title: "Tools", pages: others.filter((path) => !isDecision(path)) },
    { title: "Optional", pages: others.filter(isDecision) },
  ].map((group) => ({ ...group, pages: group.pages.map(read) }));
  const sections = groups.map((group) => `## ${group.title}\n\n${group.pages.map(entry).join("\n")}`);
  writeFileSync(join(outDir, "llms.txt"), `${HEAD}\n${sections.join("\n\n")}\n`);
  const whole = groups.flatMap((group) => group.pages).filter(({ path }) => !isDecision(path));
  const bodies = whole.map(({ path, text }) => `<!-- ${path} -->\n\n${text.trim()}`);
  writeFileSync(join(outDir, "llms-full.txt"), `${HEAD}\n${bodies.join("\n\n")}\n`);
}

/** Returns the title, and the page's first sentence if the page begins with text. */
function entry({ path, text }) {
  const title = /^# (.+)$/m.exec(text)?.[1] ?? path;
  const [, sentence] = /^# .+\n+([A-Z`][^\n|#]*?[.:])(?:\s|$)/.exec(text) ?? [];
  const description = sentence === undefined ? "" : `: ${sentence.replace(/:$/, ".")}`;
  return `- [${title}](/${path.replace(/\.md$/, ".html")})${description}`;
}
