// How the questions under "Extend" are tried.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { transformSync } from "esbuild";
import { blocksOf, commandsOf, jsonOf } from "./question-kit.mjs";

const CATALOG = readFileSync(new URL("../../pnpm-workspace.yaml", import.meta.url), "utf8");

export const EXTEND = {
  async "write a tool"(trial) {
    const [create, enter, install, test, build, list] = commandsOf("start/first-tool.md", "as-a-pack");
    const lines = [create.replace("npm create", "npm create --yes"), enter, install, test, build, list];
    assert.match(await trial.run(lines.join(" && ")), /word_count/);
  },

  "AI SDK": (trial) => runsPrograms(trial, "libraries/ai-sdk.md", ["vercel-ai-sdk"]),
  LangChain: (trial) =>
    runsPrograms(trial, "libraries/langchain.md", ["langchain", "tools", "an-agent-that-asks"]),

  async "search the web"({ run, write }) {
    const results = [{ title: "A page", url: "https://example.com/", content: "text" }];
    const server = createServer((_request, response) => response.end(JSON.stringify({ results })));
    await new Promise((resolve) => server.listen(8888, "127.0.0.1", resolve));
    try {
      write("haft.config.json", jsonOf("guides/web-search.md", "web-and-web-search"));
      await run("haft trust --yes");
      assert.match(await run(`haft call web_search '{"query":"pages"}' --approve all`), /A page/);
    } finally {
      server.close();
    }
  },

  async "MCP servers"({ run, write, cwd, registry }) {
    const config = jsonOf("guides/mcp.md", "add-mcp-servers");
    // The page's server does not exist; `haft mcp` is one.
    const { github } = config.mcpServers;
    const args = ["-y", "@haft/cli", "mcp", "--workspace", cwd];
    // A server receives only the environment that its entry names.
    const server = { ...github, args, env: { ...github.env, npm_config_registry: registry } };
    write("haft.config.json", { ...config, mcpServers: { github: server }, rules: undefined });
    await run("haft trust --yes");
    const token = { GITHUB_TOKEN: "stand-in-token" };
    assert.match(await run("haft tools", token), /github_read_file/);
    const read = `haft call github_read_file '{"path":"a.txt"}' --approve all`;
    assert.match(await run(read, token), /hello from a\.txt/);
  },
};

/** Installs what the page says and runs the programs below these headings, in order. */
async function runsPrograms(trial, page, anchors) {
  const { run, write, cwd } = trial;
  write("hello.txt", "hello\n");
  await run("npm init -y");
  for (const anchor of anchors) {
    for (const command of commandsOf(page, anchor)) await install(trial, command);
    for (const [index, source] of blocksOf(page, anchor, "ts").entries()) {
      const file = `${anchor}-${index}.mjs`;
      write(file, transformSync(source, { loader: "ts", target: "node20" }).code);
      assert.equal(await run(`node ${join(cwd, file)}`), blocksOf(page, anchor, "text")[index]);
    }
  }
}

/** With the versions that CI tests, where the newest ones ask for packages that the registry does not have. */
async function install({ run }, command) {
  try {
    await run(command);
  } catch (error) {
    if (!/ERESOLVE|ETARGET/.test(error.message)) throw error;
    console.log(`the newest versions do not fit together here: ${command}`);
    await run(command.replaceAll(/(?<= )@?[\w./-]+(?= |$)/g, (name) => asTested(name)));
  }
}

function asTested(name) {
  const [, version] = new RegExp(`^  "?${name}"?: ([\\d.]+)$`, "m").exec(CATALOG) ?? [];
  return version === undefined ? name : `${name}@${version}`;
}
