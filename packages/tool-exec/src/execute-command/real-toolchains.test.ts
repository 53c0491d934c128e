import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ExecWorld, openExecWorld } from "../exec.fixture.js";
import { ExecuteCommand } from "./execute-command-tool.js";

// A sample: bench/commands runs 259 commands.
const noBox = process.platform !== "linux" || !existsSync("/usr/bin/bwrap");
const isMissing = (program: string) => spawnSync("sh", ["-c", 'command -v "$1"', "sh", program]).status !== 0;
let world: ExecWorld;

beforeAll(async () => {
  world = await openExecWorld(FILES, {
    tools: [ExecuteCommand],
    approver: async () => ({ approved: true }),
    commands: { onUnlisted: "box" },
  });
  spawnSync("git", ["init", "-q"], { cwd: world.workspace });
});
afterAll(() => world[Symbol.asyncDispose]());

const FILES = {
  "server.mjs": `import { createServer } from "node:http";
const server = createServer((_, response) => response.end("served"));
server.listen(0, "localhost", async () => {
  console.log(await (await fetch("http://localhost:" + server.address().port)).text());
  server.close();
});
`,
  "server.py": `import http.server, threading, urllib.request
server = http.server.HTTPServer(("localhost", 0), http.server.SimpleHTTPRequestHandler)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(urllib.request.urlopen(f"http://localhost:{server.server_port}/").status)
`,
  "c/calc.c": '#include <stdio.h>\nint main(void) { puts("calculated"); return 0; }\n',
  "go.mod": "module example.com/fixture\n\ngo 1.18\n",
  "main.go": 'package main\n\nimport "fmt"\n\nfunc main() { fmt.Println("gone") }\n',
  "src/main.rs": 'fn main() { println!("rusted"); }\n',
};

describe.skipIf(noBox)("FE20 real toolchains in the box", () => {
  it.for([
    ["node", "node server.mjs", "served"],
    ["python3", "python3 server.py", "200"],
    ["gcc", "make c/calc && ./c/calc", "calculated"],
    ["go", "go build -o fixture . && ./fixture", "gone"],
    ["rustc", "rustc -o rusty src/main.rs && ./rusty", "rusted"],
    ["mvn", "mvn -version", "Apache Maven"],
  ] as const)("%s: %s", { timeout: 180_000 }, async ([program, command, expected], { skip }) => {
    skip(isMissing(program), `${program} is not installed`);
    const result = await world.call("execute_command", { command, timeout: 120 });
    expect(result, result.text).toMatchObject({ ok: true, value: { exitCode: 0 } });
    expect(result.text).toContain(expected);
  });
});
