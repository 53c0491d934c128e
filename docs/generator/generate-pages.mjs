// Generates the pages about tools, configuration and errors from the code. Needs a build.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { configPage } from "./config-page.mjs";
import { errorPage } from "./error-page.mjs";
import { toolPages } from "./tool-pages.mjs";

const DOCS = new URL("../", import.meta.url);
const pages = {
  "reference/configuration.md": configPage(),
  "reference/errors.md": errorPage(),
  ...(await toolPages()),
  "reference/security.md": fromRoot("SECURITY.md").replace("# Security\n", "# Security model\n"),
  "reference/decisions.md": decisionsPage(),
  "reference/examples.md": examplesPage(),
  "reference/changelog.md": fromRoot("CHANGELOG.md"),
};
rmSync(new URL("reference/tools", DOCS), { recursive: true, force: true });
for (const [path, text] of Object.entries(pages)) {
  const file = fileURLToPath(new URL(path, DOCS));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
console.log(`generated ${Object.keys(pages).length} pages`);

/** Copies a page of the repository root and adapts its relative links to the site. */
function fromRoot(name) {
  const text = readFileSync(new URL(`../${name}`, DOCS), "utf8");
  return text.replaceAll(/\]\((?![a-z]+:|[/#])(?:\.\/)?([^)]+)\)/g, "](../../$1)");
}

function examplesPage() {
  const text = readFileSync(new URL("../examples/README.md", DOCS), "utf8");
  return text.replaceAll(/\]\(([\w-]+)\)/g, "](../../examples/$1)");
}

function decisionsPage() {
  const names = readdirSync(new URL("decisions", DOCS)).filter((name) => name.endsWith(".md"));
  const links = names.map((name) => {
    const [, title = name] = /^# (.+)$/m.exec(readFileSync(new URL(`decisions/${name}`, DOCS), "utf8")) ?? [];
    return `- [${title}](../decisions/${name})`;
  });
  return `# Decisions\n\nOne page each: what was decided, why, and what it costs.\n\n${links.join("\n")}\n`;
}
