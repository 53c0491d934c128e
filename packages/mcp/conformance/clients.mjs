// Other people's clients against the built `haft mcp`, over stdio and HTTP: the inspector's command line (which needs
// Node 22) and the client of the SDK's first version. Fetched by npx and npm into a folder of their own.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const HAFT = fileURLToPath(new URL("../../cli/bin/haft.js", import.meta.url));
const INSPECTOR = [
  "-y",
  "-p",
  "node@22",
  "-p",
  "@modelcontextprotocol/inspector@2.12.0",
  "--",
  "mcp-inspector",
  "--cli",
];
const READ = ["--method", "tools/call", "--tool-name", "read_file", "--tool-arg", "path=a.txt"];

const folder = mkdtempSync(join(tmpdir(), "haft-clients-"));
const workspace = join(folder, "workspace");
mkdirSync(workspace);
writeFileSync(join(workspace, "a.txt"), "hello\n");
writeFileSync(join(folder, "package.json"), '{"private":true,"type":"module"}');
const options = {
  cwd: folder,
  env: { ...process.env, XDG_STATE_HOME: join(folder, "state") },
  timeout: 120_000,
};

const server = spawn(process.execPath, [HAFT, "mcp", "--http", "0", "--no-token", "--workspace", workspace], {
  ...options,
  timeout: 0,
  stdio: ["ignore", "ignore", "pipe"],
});
try {
  const [line] = await once(server.stderr, "data");
  const url = /http:\S+/.exec(String(line))[0];
  await inspect("stdio", ["node", HAFT, "mcp", "--workspace", workspace]);
  await inspect("http", [url, "--transport", "http"]);
  await run("npm", ["install", "--no-audit", "--no-fund", "@modelcontextprotocol/sdk@1.32.2"], options);
  cpSync(fileURLToPath(new URL("./first-sdk-client.mjs", import.meta.url)), join(folder, "client.mjs"));
  const { stdout } = await run(process.execPath, ["client.mjs", HAFT, url, workspace], options);
  process.stdout.write(stdout);
} finally {
  server.kill("SIGTERM");
  rmSync(folder, { recursive: true, force: true });
}

async function inspect(transport, address) {
  const { stdout } = await run("npx", [...INSPECTOR, ...address, ...READ], options);
  if (!JSON.parse(stdout).structuredContent.content.startsWith("hello")) throw new Error(stdout);
  process.stdout.write(`inspector over ${transport}: read a file\n`);
}
