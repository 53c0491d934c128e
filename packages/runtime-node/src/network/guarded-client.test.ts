import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { ToolError } from "@haft/core";
import type { NetworkRequest } from "@haft/core/capabilities";
import { afterEach, describe, expect, it } from "vitest";
import { dialTo, type LoopbackServer, startServer } from "../../test-support/loopback-web.js";
import { type GuardedClientOptions, guardedClient } from "./guarded-client.js";

const servers: LoopbackServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function serve(...args: Parameters<typeof startServer>): Promise<LoopbackServer> {
  const server = await startServer(...args);
  servers.push(server);
  return server;
}

const never = new AbortController().signal;
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString("utf8");

function fetchFrom(
  server: LoopbackServer,
  request: Partial<NetworkRequest> = {},
  options: GuardedClientOptions = {},
) {
  const client = guardedClient({ origins: [server.origin], ...options });
  return client.fetch({ url: `${server.origin}/`, ...request }, never);
}

async function failure(promise: Promise<unknown>): Promise<ToolError> {
  const error = await promise.then(
    () => new Error("it succeeded"),
    (thrown: unknown) => thrown,
  );
  if (!ToolError.is(error)) throw error;
  return error;
}

describe("a request", () => {
  it("S3.FETCH: returns status, headers, body and the address that answered", async () => {
    const server = await serve((_request, response) => {
      response.writeHead(201, { "content-type": "text/plain", "set-cookie": ["a=1", "b=2"] }).end("hello");
    });
    const answer = await fetchFrom(server, { url: `${server.origin}/a?b=c#d` });
    expect(answer).toMatchObject({ status: 201, url: `${server.origin}/a?b=c#d`, truncated: false });
    expect(answer.headers).toMatchObject({ "content-type": "text/plain", "set-cookie": "a=1, b=2" });
    expect(text(answer.body)).toBe("hello");
    expect(server.requests).toMatchObject([{ method: "GET", url: "/a?b=c", body: "" }]);
    expect(server.requests[0]?.headers.host).toBe(`127.0.0.1:${server.port}`);
  });

  it("S3.FETCH: posts a body with the caller's headers", async () => {
    const server = await serve((_request, response) => void response.end());
    const headers = { "Content-Type": "application/json", "X-Test": "1" };
    await fetchFrom(server, { method: "POST", headers, body: '{"é":1}' });
    expect(server.requests).toMatchObject([
      { method: "POST", body: '{"é":1}', headers: { "content-type": "application/json", "x-test": "1" } },
    ]);
    expect(await failure(fetchFrom(server, { body: "x" }))).toMatchObject({ code: "INVALID_ARGUMENTS" });
  });

  it("is sent once: a server that hangs up is not asked again", async () => {
    for (const method of ["GET", "POST"] as const) {
      const server = await serve((request) => void request.socket.destroy());
      const error = await failure(fetchFrom(server, { method }));
      expect(error).toMatchObject({ code: "NETWORK_ERROR" });
      expect(error.cause).toBeInstanceOf(Error);
      expect(server.connections()).toBe(1);
    }
  });

  it.each([
    ["Host", "evil.example"],
    ["connection", "upgrade"],
    ["Transfer-Encoding", "chunked"],
    ["Content-Length", "0"],
    ["Proxy-Authorization", "x"],
    ["proxy-connection", "x"],
    ["TE", "trailers"],
    ["Upgrade", "h2c"],
    ["Expect", "100-continue"],
    ["X-A", "a\r\nHost: evil"],
    ["X-A", "a\nb"],
    ["X-A", "a\0b"],
    ["X-A", "日本"],
    ["X-A\r\nHost", "evil"],
    ["X A", "b"],
    ["", "b"],
    ["X-Long", "x".repeat(20_000)],
  ])("refuses the header %j: %j, and sends nothing", async (name, value) => {
    const server = await serve((_request, response) => void response.end());
    const error = await failure(fetchFrom(server, { headers: { [name]: value } }));
    expect(error).toMatchObject({ code: "INVALID_ARGUMENTS" });
    expect(server.connections()).toBe(0);
  });

  it("ignores proxies of the environment", async () => {
    const proxy = await serve((_request, response) => void response.end("proxied"));
    const server = await serve((_request, response) => void response.end("direct"));
    const names = ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "HTTPS_PROXY", "NODE_USE_ENV_PROXY"];
    const before = names.map((name) => [name, process.env[name]] as const);
    for (const name of names) process.env[name] = proxy.origin;
    try {
      expect(text((await fetchFrom(server)).body)).toBe("direct");
      expect(proxy.connections()).toBe(0);
    } finally {
      for (const [name, value] of before) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    }
  });
});

describe("a body", () => {
  const packed = {
    gzip: gzipSync,
    "x-gzip": gzipSync,
    deflate: deflateSync,
    br: brotliCompressSync,
    identity: (bytes: Buffer) => bytes,
    "gzip, br": (bytes: Buffer) => brotliCompressSync(gzipSync(bytes)),
  };

  it.each(Object.entries(packed))("is unpacked: %s", async (encoding, pack) => {
    const server = await serve((_request, response) => {
      response.writeHead(200, { "content-encoding": encoding }).end(pack(Buffer.from("unpacked")));
    });
    expect(text((await fetchFrom(server)).body)).toBe("unpacked");
  });

  it.each([204, 304])("may be missing: %i", async (status) => {
    const server = await serve((_request, response) => {
      response.writeHead(status, { "content-encoding": "gzip" }).end();
    });
    expect(await fetchFrom(server)).toMatchObject({ status, truncated: false });
  });

  it("is truncated at 5 MB, with a note", async () => {
    const server = await serve((_request, response) => void response.end(Buffer.alloc(6 * 1024 * 1024, 97)));
    const answer = await fetchFrom(server);
    expect(answer.body.length).toBe(5 * 1024 * 1024);
    expect(answer.truncated).toBe(true);
  });

  it("of exactly the limit is complete", async () => {
    const server = await serve((_request, response) => void response.end(Buffer.alloc(1000, 97)));
    expect(await fetchFrom(server, {}, { maxBytes: 1000 })).toMatchObject({ truncated: false });
    expect(await fetchFrom(server, {}, { maxBytes: 999 })).toMatchObject({ truncated: true });
  });

  it("never ends, and is still cut off at the limit", async () => {
    const server = await serve((_request, response) => {
      const chunk = Buffer.alloc(256 * 1024, 97);
      const more = (): void => void (response.destroyed || response.write(chunk, () => setImmediate(more)));
      more();
    });
    expect(await fetchFrom(server)).toMatchObject({ truncated: true });
  });

  it("that is a decompression bomb costs no more than the limit: one layer and two", async () => {
    const layer = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    for (const [encoding, bytes] of [
      ["gzip", layer],
      ["gzip, gzip", gzipSync(layer)],
    ] as const) {
      const server = await serve((_request, response) => {
        response.writeHead(200, { "content-encoding": encoding }).end(bytes);
      });
      const before = process.memoryUsage.rss();
      const answer = await fetchFrom(server);
      expect(answer).toMatchObject({ truncated: true });
      expect(answer.body.length).toBe(5 * 1024 * 1024);
      expect(process.memoryUsage.rss() - before).toBeLessThan(60 * 1024 * 1024);
    }
  });

  it.each([
    ["gzip", Buffer.from("this is not gzip"), "not compressed as declared"],
    ["gzip", gzipSync("x".repeat(10_000)).subarray(0, 30), "truncated"],
    ["gzip, gzip, gzip", Buffer.from("x"), "has 3 content encodings"],
    ["zstd", Buffer.from("x"), "unsupported content encoding"],
  ])("that is packed wrongly is an error: %s", async (encoding, bytes, message) => {
    const server = await serve((_request, response) => {
      response.writeHead(200, { "content-encoding": encoding }).end(bytes);
    });
    const error = await failure(fetchFrom(server));
    expect(error).toMatchObject({ code: "NETWORK_ERROR" });
    expect(error.message).toContain(message);
  });

  it("that the server cuts off is an error, not half an answer", async () => {
    const server = await serve((request, response) => {
      response.writeHead(200, { "content-length": "1000" });
      response.write("half");
      setTimeout(() => request.socket.destroy(), 20);
    });
    expect(await failure(fetchFrom(server))).toMatchObject({ code: "NETWORK_ERROR" });
  });
});

describe("limits", () => {
  it("allows 64 KB of headers, and no more", async () => {
    const server = await serve((request) => {
      request.socket.write(
        `HTTP/1.1 200 OK\r\nx-long: ${"x".repeat(70 * 1024)}\r\ncontent-length: 0\r\n\r\n`,
      );
    });
    expect(await failure(fetchFrom(server))).toMatchObject({ code: "LIMIT_EXCEEDED" });
  });

  it("an answer that is not HTTP is an error", async () => {
    const server = await serve((request) => void request.socket.end("SSH-2.0-OpenSSH_9.2\r\n"));
    expect(await failure(fetchFrom(server))).toMatchObject({ code: "NETWORK_ERROR" });
  });

  it("gives up on a server that sends no headers", async () => {
    const server = await serve(() => {});
    const started = performance.now();
    expect(await failure(fetchFrom(server, {}, { headersMs: 80 }))).toMatchObject({ code: "TIMEOUT" });
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  it("gives up on a server that drips its headers", async () => {
    const server = await serve((request) => {
      request.socket.write("HTTP/1.1 200 OK\r\n");
      const timer = setInterval(() => request.socket.write("x: y\r\n"), 10);
      request.socket.on("close", () => clearInterval(timer)).on("error", () => {});
    });
    expect(await failure(fetchFrom(server, {}, { headersMs: 100 }))).toMatchObject({ code: "TIMEOUT" });
  });

  it("a dripping body is stopped by the time limit of the whole request, and the connection is closed", async () => {
    let isClosed: Promise<unknown> | undefined;
    const server = await serve((request, response) => {
      const timer = setInterval(() => response.write("x"), 10);
      isClosed = new Promise((resolve) => request.socket.on("close", resolve)).then(() =>
        clearInterval(timer),
      );
    });
    const error = await failure(fetchFrom(server, { timeoutMs: 150 }));
    expect(error).toMatchObject({ code: "TIMEOUT" });
    expect(error.message).toContain("0.2 s");
    await isClosed;
  });

  it("gives up on a name that never resolves", async () => {
    const client = guardedClient({ hosts: ["a.example"], headersMs: 50, lookup: () => undefined });
    expect(await failure(client.fetch({ url: "http://a.example/" }, never))).toMatchObject({
      code: "TIMEOUT",
    });
  });

  it("a cancelled request ends with the given reason", async () => {
    const server = await serve(() => {});
    const reason = new ToolError("CANCELLED", "enough");
    const client = guardedClient({ origins: [server.origin] });
    const running = client.fetch({ url: server.origin }, AbortSignal.any([abortIn(50, reason)]));
    expect(await failure(running)).toBe(reason);
    expect(await failure(client.fetch({ url: server.origin }, AbortSignal.abort(reason)))).toBe(reason);
  });

  it("ten requests a minute to one host; each host separately; the user's own origins without a limit", async () => {
    const server = await serve((_request, response) => void response.end());
    const client = guardedClient({
      origins: [server.origin],
      hosts: ["a.example", "b.example"],
      lookup: () => ["93.184.216.34"],
      dial: dialTo({ "93.184.216.34": server.port, "127.0.0.1": server.port }),
    });
    for (let count = 0; count < 10; count += 1) await client.fetch({ url: "http://a.example/" }, never);
    const error = await failure(client.fetch({ url: "http://a.example/other" }, never));
    expect(error).toMatchObject({ code: "LIMIT_EXCEEDED", details: { host: "a.example" } });
    expect(error.hint).toMatch(/Wait (59|60) s/);
    await client.fetch({ url: "http://b.example/" }, never);
    for (let count = 0; count < 12; count += 1) await client.fetch({ url: server.origin }, never);
    expect(server.requests.length).toBe(23);
  });
});

function abortIn(ms: number, reason: unknown): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(reason), ms);
  return controller.signal;
}
