// How the questions under "Extend" are tried.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { join } from "node:path";
import { transformSync } from "esbuild";
import { blocksOf, commandsOf, jsonOf } from "./question-kit.mjs";

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

  async "MCP servers"({ run, write, cwd }) {
    const config = jsonOf("guides/mcp.md", "add-mcp-servers");
    // The page's server does not exist; `haft mcp` is one.
    const server = { ...config.mcpServers.github, args: ["-y", "@haft/cli", "mcp", "--workspace", cwd] };
    write("haft.config.json", { ...config, mcpServers: { github: server }, rules: undefined });
    await run("haft trust --yes");
    const token = { GITHUB_TOKEN: "stand-in-token" };
    assert.match(await run("haft tools", token), /github_read_file/);
    const read = `haft call github_read_file '{"path":"a.txt"}' --approve all`;
    assert.match(await run(read, token), /hello from a\.txt/);
  },
};

/** Installs what the page says and runs the programs below these headings, in order. */
async function runsPrograms({ run, write, cwd }, page, anchors) {
  write("hello.txt", "hello\n");
  await run("npm init -y");
  for (const anchor of anchors) {
    for (const install of commandsOf(page, anchor)) await run(install);
    for (const [index, source] of blocksOf(page, anchor, "ts").entries()) {
      const file = `${anchor}-${index}.mjs`;
      write(file, transformSync(source, { loader: "ts", target: "node20" }).code);
      assert.equal(await run(`node ${join(cwd, file)}`), blocksOf(page, anchor, "text")[index]);
    }
  }
}
