import { request as send } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { connectHttp, type Served, serve } from "../fixtures/http.js";
import type { HttpOptions } from "./http-options.js";
import { portGuard } from "./request-guard.js";
import { serveHttp } from "./serve-http.js";

const served: Served[] = [];
afterEach(async () => {
  for (const { service } of served.splice(0)) await service.close();
});

async function start(options: Partial<HttpOptions> = {}): Promise<Served> {
  const one = await serve(options);
  served.push(one);
  return one;
}

const INITIALIZE = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } },
});
const LIST = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
const JSON_HEADERS = { "content-type": "application/json", accept: "application/json, text/event-stream" };

interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** Sends plain HTTP with a custom Host header, which fetch does not allow. */
function post({ service }: Served, { method = "POST", path, headers = JSON_HEADERS, body = "" }: Sent) {
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const url = new URL(service.url);
    const sent = send(
      { host: url.hostname, port: url.port, path: path ?? url.pathname, method, headers },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on("data", (chunk) => chunks.push(chunk));
        answer.on("end", () =>
          resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
        );
        answer.on("error", reject);
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}

describe("requests from other origins", () => {
  it.each([
    ["a name that resolves here", { host: "evil.example" }],
    ["a name that ends like ours", { host: "localhost.evil.example" }],
    ["a name behind a port", { host: "127.0.0.1:80.evil.example" }],
    ["a name before ours", { host: "evil.example@127.0.0.1" }],
    ["a path behind ours", { host: "127.0.0.1/evil.example" }],
    ["a question behind ours", { host: "127.0.0.1?evil.example" }],
    ["another spelling of ours", { host: "127.0.0.1\\@evil.example" }],
    ["two names", { host: "127.0.0.1, evil.example" }],
    ["a port that is none", { host: "127.0.0.1:99999" }],
    ["our name and another port", { host: "127.0.0.1:9" }],
    ["another name of ours and another port", { host: "localhost:9" }],
    ["our address and another port", { host: "[::1]:9" }],
    ["our name and no port", { host: "localhost" }],
    ["our name and the port that goes without saying", { host: "localhost:80" }],
    ["half an address", { host: "[::1" }],
    ["an address with a zone", { host: "[::1%25lo]" }],
    ["an escape", { host: "127.0.0.1%2eevil.example" }],
    ["a page that is no address", { origin: "http://" }],
    ["a page behind a port", { origin: "http://localhost:80.evil.example" }],
    ["a page before ours", { origin: "http://evil.example@localhost" }],
    ["a page with a path", { origin: "http://localhost/evil" }],
    ["two pages", { origin: "http://localhost, https://evil.example" }],
    ["something else than a page", { origin: "javascript://localhost" }],
    ["a page elsewhere", { origin: "https://evil.example" }],
    ["a page that names nothing", { origin: "null" }],
  ])("refuses %s, before anything is read", async (_what, headers) => {
    const running = await start();
    const { status } = await post(running, { headers: { ...JSON_HEADERS, ...headers }, body: INITIALIZE });
    expect(status).toBe(403);
    expect(running.runtimes).toEqual([]);
  });

  it("serves requests for its port, under every loopback name", async () => {
    const running = await start();
    const { port } = new URL(running.service.url);
    for (const name of ["127.0.0.1", "localhost", "LOCALHOST", "[::1]"]) {
      const headers = { ...JSON_HEADERS, host: `${name}:${port}` };
      expect((await post(running, { headers, body: INITIALIZE })).status, name).toBe(200);
    }
    const refused = await post(running, {
      headers: { ...JSON_HEADERS, host: "localhost:9" },
      body: INITIALIZE,
    });
    expect(refused.text).toContain(`Host must name port ${port}`);
  });

  it("port 80 may be omitted", () => {
    const isOurPort = portGuard({});
    expect([80, 3000].map((port) => isOurPort("localhost", port))).toEqual([true, false]);
    expect([80, 3000].map((port) => isOurPort("localhost:80", port))).toEqual([true, false]);
    expect(isOurPort("localhost", undefined)).toBe(false);
  });

  it("accepts an allowed name with any port, and every request with a token", async () => {
    const token = "0123456789abcdef-secret";
    const authorization = `Bearer ${token}`;
    for (const [options, headers] of [
      [{ allowedHosts: ["tunnel.example"] }, { host: "tunnel.example" }],
      [{ allowedHosts: ["tunnel.example"] }, { host: "tunnel.example:8443" }],
      [{ token }, { host: "localhost:9", authorization }],
    ] as const) {
      const sent = { headers: { ...JSON_HEADERS, ...headers }, body: INITIALIZE };
      expect((await post(await start(options), sent)).status, JSON.stringify(headers)).toBe(200);
    }
  });

  it("serves a page of this machine", async () => {
    const headers = { ...JSON_HEADERS, origin: "http://localhost:5173" };
    expect((await post(await start(), { headers, body: INITIALIZE })).status).toBe(200);
  });

  it("does not start on another address without a strong token", async () => {
    const open = async () => Promise.reject(new Error("never"));
    for (const token of [undefined, "", "short"]) {
      const options = { version: "1", port: 0, host: "0.0.0.0", ...(token === undefined ? {} : { token }) };
      await expect(serveHttp(open, options)).rejects.toThrow(/requires a token/);
    }
  });

  it("FE11 rejects a guessable token, on loopback too", async () => {
    const open = async () => Promise.reject(new Error("never"));
    for (const token of ["", "a", "123456789012345", "a token with blanks"])
      await expect(serveHttp(open, { version: "1", port: 0, token })).rejects.toThrow(
        /requires a token of at least 16/,
      );
  });

  it("with a token, only clients that send it are served, on loopback too", async () => {
    const token = "0123456789abcdef-secret";
    const running = await start({ token, host: "0.0.0.0" });
    const local = {
      ...running,
      service: { ...running.service, url: running.service.url.replace("0.0.0.0", "127.0.0.1") },
    };
    for (const authorization of [
      undefined,
      "Bearer wrong",
      `Basic ${token}`,
      "Bearer ",
      `Bearer ${token}x`,
    ]) {
      const headers = { ...JSON_HEADERS, ...(authorization && { authorization }) };
      expect((await post(local, { headers, body: INITIALIZE })).status).toBe(401);
    }
    // Addresses end up in logs and histories, so a token in one is ignored.
    const { url } = local.service;
    for (const name of ["token", "access_token", "authorization"]) {
      const named = { ...local, service: { ...local.service, url: `${url}?${name}=${token}` } };
      expect((await post(named, { headers: JSON_HEADERS, body: INITIALIZE })).status).toBe(401);
    }
    const withPage = { ...JSON_HEADERS, authorization: `Bearer ${token}`, origin: "https://evil.example" };
    expect((await post(local, { headers: withPage, body: INITIALIZE })).status).toBe(403);
    const { client } = await connectHttp(local.service, { headers: { authorization: `Bearer ${token}` } });
    expect((await client.listTools()).tools.length).toBeGreaterThan(0);
    await client.close();
  });
});

describe("malformed requests", () => {
  it.each<[string, Sent, number]>([
    ["no JSON", { body: "{" }, 400],
    ["nothing", { body: "" }, 400],
    ["bytes", { body: Buffer.from([0xff, 0xfe, 0, 1]) }, 400],
    ["another content type", { body: INITIALIZE, headers: { "content-type": "text/plain" } }, 415],
    ["no content type", { body: INITIALIZE, headers: {} }, 415],
    ["another path", { body: INITIALIZE, path: "/other" }, 404],
    ["an address as path", { body: INITIALIZE, path: "http://evil.example/mcp" }, 404],
    ["a name as path", { body: INITIALIZE, path: "//evil.example/mcp" }, 404],
    ["a path that is none", { body: INITIALIZE, path: "//" }, 404],
    ["another method", { method: "PUT", body: INITIALIZE }, 405],
    ["no session", { body: LIST }, 400],
    ["a JSON value", { body: "null" }, 400],
    ["an unknown session", { body: LIST, headers: { ...JSON_HEADERS, "mcp-session-id": "made-up" } }, 404],
    ["a stream of no session", { method: "GET", headers: { accept: "text/event-stream" } }, 400],
    ["the end of no session", { method: "DELETE", headers: {} }, 400],
    ["prototype pollution", { body: '{"__proto__":{"method":"initialize"},"jsonrpc":"2.0"}' }, 400],
    ["a deep body", { body: "[".repeat(100_000) + "]".repeat(100_000) }, 400],
  ])("%s", async (_what, sent, status) => {
    const running = await start();
    expect((await post(running, sent)).status).toBe(status);
    expect(running.runtimes).toEqual([]);
    // The session still exists for its own client.
    expect((await post(running, { body: INITIALIZE })).status).toBe(200);
  });

  it("rejects a body that is too large, declared or not, and does not keep it", async () => {
    const running = await start({ maxBodyBytes: 10_000 });
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping", params: { x: "y".repeat(20_000) } });
    expect((await post(running, { body })).status).toBe(413);
    const chunked = { ...JSON_HEADERS, "transfer-encoding": "chunked" };
    expect((await post(running, { body, headers: chunked })).status).toBe(413);
    expect((await post(running, { body: INITIALIZE })).status).toBe(200);
  });

  it("a rejected request does not end its session", async () => {
    const running = await start();
    const { client, transport } = await connectHttp(running.service);
    const headers = {
      ...JSON_HEADERS,
      "mcp-session-id": transport.sessionId ?? "",
      "mcp-protocol-version": "2025-11-25",
    };
    for (const body of ["{", "[]", '{"jsonrpc":"1.0"}', '{"jsonrpc":"2.0","id":{},"method":"tools/list"}'])
      expect((await post(running, { headers, body })).status).toBeGreaterThanOrEqual(400);
    const unknown = await post(running, { headers, body: '{"jsonrpc":"2.0","id":9,"method":"no/such"}' });
    expect(unknown.text).toContain("-32601");
    expect((await client.listTools()).tools.length).toBeGreaterThan(0);
    await client.close();
  });
});
