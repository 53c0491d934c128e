// The ways to search a tree from Node that are compared. Each gives the number of matching lines.
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/** What most agents do: spawn ripgrep and parse its JSON. */
export function spawnRipgrep(root, { pattern, ignoreCase }) {
  return new Promise((resolve, reject) => {
    const args = ["--json", "--no-config", ignoreCase ? "-i" : "-s", "-e", pattern, "."];
    const child = spawn("rg", args, { cwd: root, stdio: ["ignore", "pipe", "ignore"] });
    let text = "";
    child.stdout.setEncoding("utf8");
    child.stdout.on("data", (chunk) => {
      text += chunk;
    });
    child.on("error", reject);
    child.on("close", () => {
      let lines = 0;
      for (const line of text.split("\n")) if (line !== "" && JSON.parse(line).type === "match") lines++;
      resolve(lines);
    });
  });
}

/** What many tools do without ripgrep: read every file and run V8's RegExp over its lines; ignores nothing but names. */
export async function naiveSearch(root, { pattern, ignoreCase }) {
  const regex = new RegExp(pattern, ignoreCase ? "iu" : "u");
  let lines = 0;
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || /\/(node_modules|\.git)(\/|$)/.test(entry.parentPath)) continue;
    for (const line of readFileSync(`${entry.parentPath}/${entry.name}`, "utf8").split("\n"))
      if (regex.test(line)) lines++;
  }
  return lines;
}

/** Our engine, kept between calls. */
export async function openEngine(engine, root) {
  const { NodeSearchEngine } = await import(new URL("node/node-search-engine.js", engine));
  const { DEFAULT_WALK } = await import(new URL("walk/walk-options.js", engine));
  const { DEFAULT_LIMITS } = await import(new URL("search/search-request.js", engine));
  const opened = new NodeSearchEngine({ root, workerEntry: new URL("node/search-worker.js", engine) });
  const rest = {
    walk: DEFAULT_WALK,
    order: "path",
    offset: 0,
    limit: 50,
    filesOnly: false,
    context: { before: 0, after: 0 },
    limits: DEFAULT_LIMITS,
  };
  return {
    search: async (pattern) => (await opened.search({ pattern, ...rest })).totalLines,
    warm: () => opened.warm(),
    dispose: () => opened.dispose(),
  };
}
