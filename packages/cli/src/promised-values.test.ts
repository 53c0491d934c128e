import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runHaft } from "./fixtures/run-haft.js";
import { temporaryWorkspace } from "./fixtures/temporary-workspace.js";

let workspace: ReturnType<typeof temporaryWorkspace>;
let server: Server;
beforeAll(async () => {
  server = createServer((_request, response) => {
    response.setHeader("content-type", "text/plain").end("a page\n");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const web = { origins: [origin()] };
  workspace = temporaryWorkspace({
    "a.txt": "one\ntwo\n",
    "b.txt": "three\n",
    "c.txt": "four\n",
    "haft.config.json": JSON.stringify({ web }),
  });
});
afterAll(() => {
  server.close();
  workspace.remove();
});

const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const PATCH =
  "*** Begin Patch\n*** Update File: a.txt\n@@\n-one\n+ONE\n*** Add File: new.txt\n+x\n*** End Patch";

/** One call of each tool in this order, and the fields its value promises to callers. */
const PROMISED: readonly (readonly [tool: string, args: () => object, fields: string])[] = [
  [
    "read_file",
    () => ({ path: "a.txt" }),
    "content size modified encoding eol hash totalLines startLine endLine truncated",
  ],
  ["list_directory", () => ({ path: "." }), "entries total truncated"],
  ["write_file", () => ({ path: "w.txt", content: "w\n" }), "path size bytesWritten created changed hash"],
  ["create_file", () => ({ path: "n.txt", content: "n\n" }), "path size bytesWritten created changed hash"],
  ["update_file", () => ({ path: "w.txt", content: "v\n" }), "path size bytesWritten created changed hash"],
  ["append_file", () => ({ path: "n.txt", content: "m\n" }), "path size bytesWritten created changed hash"],
  [
    "grep",
    () => ({ pattern: "one" }),
    "matches totalMatches totalFiles shown truncated incomplete searched skipped",
  ],
  ["glob", () => ({ pattern: "*.txt" }), "files total truncated skipped"],
  ["search", () => ({ query: "three" }), "results"],
  [
    "replace_in_file",
    () => ({ path: "b.txt", find: "three", replace: "3" }),
    "path replacements diff changed",
  ],
  [
    "edit",
    () => ({ path: "c.txt", old_string: "four", new_string: "4" }),
    "path replacements startLine endLine diff hash",
  ],
  [
    "edit_lines",
    () => ({ path: "b.txt", operation: "insert", start_line: 1, content: "0" }),
    "path totalLines delta startLine endLine diff",
  ],
  ["apply_patch", () => ({ patch: PATCH }), "files diff"],
  ["move_file", () => ({ from: "n.txt", to: "o.txt" }), "from to"],
  ["delete_file", () => ({ path: "o.txt" }), "deleted"],
  ["execute_command", () => ({ command: "echo hi" }), "stdout stderr exitCode duration timedOut truncated"],
  ["run_code", () => ({ code: "echo 1", language: "bash" }), "stdout stderr exitCode duration filesChanged"],
  ["web_fetch", () => ({ url: `${origin()}/page` }), "status headers body url truncated"],
];

async function callFor(tool: string, args: object) {
  const options = ["--role", "admin", "--approve", "all", "--config", "haft.config.json", "--json"];
  const ran = await runHaft(["call", tool, JSON.stringify(args), ...options], { cwd: workspace.folder });
  expect(ran.json(), ran.stdout).toMatchObject({ ok: true, tool });
  return ran.json().value;
}

describe("fields that callers rely on in a value", () => {
  it.each(PROMISED)("%s", { timeout: 30_000 }, async (tool, args, fields) => {
    expect(Object.keys(await callFor(tool, args()))).toEqual(expect.arrayContaining(fields.split(" ")));
  });

  it("apply_patch names each file with what happened to it, and one diff of all", async () => {
    const patch = PATCH.replaceAll("ne", "nn").replace("-onn\n+ONE", "-two\n+TWO");
    expect(await callFor("apply_patch", { patch })).toEqual({
      files: [
        { path: "a.txt", kind: "modify" },
        { path: "nnw.txt", kind: "create" },
      ],
      diff: expect.stringMatching(/-two\n\+TWO[\s\S]*\+x/),
    });
  });

  it("web_fetch returns status, headers, body and the final address", async () => {
    expect(await callFor("web_fetch", { url: `${origin()}/page` })).toMatchObject({
      status: 200,
      headers: { "content-type": "text/plain" },
      body: "a page\n",
      url: `${origin()}/page`,
      truncated: false,
    });
  });
});
