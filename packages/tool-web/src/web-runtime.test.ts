import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createNodeRuntime, type NodeRuntimeOptions } from "@haft/runtime-node";
import { afterEach, describe, expect, it } from "vitest";
import { type LoopbackServer, startServer } from "../../runtime-node/test-support/loopback-web.js";
import { WebFetch } from "./web-fetch/web-fetch-tool.js";
import { WebSearch } from "./web-search/web-search-tool.js";

// End to end: a configuration, a real runtime, real servers.

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

async function serve(body: string, type: string): Promise<LoopbackServer> {
  const server = await startServer((_request, response) => {
    response.writeHead(200, { "content-type": type }).end(body);
  });
  cleanUps.push(() => server.close());
  return server;
}

async function open(options: Partial<NodeRuntimeOptions>) {
  const workspace = mkdtempSync(join(tmpdir(), "haft-web-"));
  cleanUps.push(() => rmSync(workspace, { recursive: true, force: true }));
  const runtime = await createNodeRuntime({
    workspace,
    role: "researcher",
    stateDirectory: join(workspace, ".state"),
    tools: [WebFetch, WebSearch],
    ...options,
  });
  cleanUps.push(() => runtime.dispose());
  return runtime;
}

describe("a configured runtime", () => {
  it("S3.FETCH fetches a configured origin without a prompt, and nothing else on this machine", async () => {
    const site = await serve("<h1>Hi</h1>", "text/html");
    const canary = await serve("canary", "text/plain");
    const runtime = await open({
      web: { origins: [site.origin] },
      approver: async () => ({ approved: true }),
    });
    expect(await runtime.call("web_fetch", { url: site.origin })).toMatchObject({
      ok: true,
      value: { body: "# Hi" },
    });
    const refused = await runtime.call("web_fetch", { url: canary.origin });
    expect(refused).toMatchObject({ ok: false, error: { code: "URL_DENIED" } });
    expect(canary.connections()).toBe(0);
  });

  it("D24: its DNS lookup decides once, and an approval does not open private addresses", async () => {
    const canary = await serve("canary", "text/plain");
    const asked: string[] = [];
    const runtime = await open({
      web: { ports: [canary.port], hosts: ["a.example"] },
      lookup: (host: string) => {
        asked.push(host);
        return ["127.0.0.1"];
      },
      approver: async () => ({ approved: true }),
    });
    for (const host of ["a.example", "b.example"]) {
      const result = await runtime.call("web_fetch", { url: `http://${host}:${canary.port}/` });
      expect(result).toMatchObject({ ok: false, error: { code: "URL_DENIED" } });
    }
    expect(asked).toEqual(["a.example", "b.example"]);
    expect(canary.connections()).toBe(0);
  });

  it("S3.FETCH a granted site does not prompt again; another one does", async () => {
    const shown: string[][] = [];
    const runtime = await open({
      lookup: () => ["127.0.0.1"],
      approver: async ({ grants }) => {
        shown.push(grants.map(({ id }) => id));
        return { approved: true, remember: { grant: "subject", scope: "session" } };
      },
    });
    for (const url of ["http://a.example/", "http://a.example/b", "http://b.example/"]) {
      // The name resolves to this machine: an approval opens no private address.
      expect(await runtime.call("web_fetch", { url })).toMatchObject({ error: { code: "URL_DENIED" } });
    }
    expect(shown).toEqual([
      ["call", "subject"],
      ["call", "subject"],
    ]);
    expect((await runtime.grants.list()).map(({ label }) => label)).toEqual([
      "web_fetch may read any page of http://a.example",
      "web_fetch may read any page of http://b.example",
    ]);
  });

  it("without an approver, an unlisted host is not reached", async () => {
    const runtime = await open({ web: {}, lookup: () => Promise.reject(new Error("it was resolved")) });
    expect(await runtime.call("web_fetch", { url: "https://example.com/" })).toMatchObject({
      error: { code: "APPROVAL_REQUIRED" },
    });
  });

  it("S3.SEARCH searches at a private address that web_fetch cannot reach", async () => {
    const hits = { results: [{ title: "T", url: "https://t.example/", content: "S" }] };
    const service = await serve(JSON.stringify(hits), "application/json");
    const runtime = await open({
      web: { search: { provider: "searxng", url: service.origin } },
      approver: async () => ({ approved: true }),
    });
    expect(await runtime.call("web_search", { query: "q" })).toMatchObject({
      value: { results: [{ title: "T", url: "https://t.example/", snippet: "S" }] },
    });
    const before = service.connections();
    expect(await runtime.call("web_fetch", { url: service.origin })).toMatchObject({
      error: { code: "URL_DENIED" },
    });
    expect(service.connections()).toBe(before);
  });

  it("S3.SEARCH reads the key from the environment and never shows it", async () => {
    const service = await startServer((request, response) => {
      const hits = {
        results: [{ title: String(request.headers["x-subscription-token"]), url: "https://t.example/" }],
      };
      response.end(JSON.stringify({ web: hits }));
    });
    cleanUps.push(() => service.close());
    const runtime = await open({
      env: { HAFT_SEARCH_API_KEY: "brave-key-12345" },
      web: { search: { provider: "brave", url: service.origin } },
    });
    const result = await runtime.call("web_search", { query: "q" });
    expect(service.requests[0]?.headers["x-subscription-token"]).toBe("brave-key-12345");
    expect(result.ok).toBe(true);
    expect(JSON.stringify(result)).not.toContain("brave-key-12345");
  });

  it("an invalid list prevents its creation", async () => {
    await expect(open({ web: { hosts: ["ftp://x"] } })).rejects.toMatchObject({ code: "CONFIG_INVALID" });
  });
});
