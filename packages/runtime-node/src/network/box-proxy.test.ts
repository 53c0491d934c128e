import { mkdtempSync, rmSync } from "node:fs";
import { request } from "node:http";
import { createServer, type Server } from "node:https";
import { type AddressInfo, connect as connectPlainly, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "node:tls";
import { ToolError } from "@haft/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { cert, key } from "../../test-support/localhost-certificate.js";
import { type BoxProxy, openBoxProxy } from "./box-proxy.js";

const TOKEN = "Bearer registry-token-0815";
let folder: string;
let server: Server;
let proxy: BoxProxy;
let port: number;
let dialled: { host: string; isConfigured: boolean | undefined }[];
let seen: { url: string; authorization: string | undefined; cookie: string | undefined }[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "haft-proxy-"));
  seen = [];
  dialled = [];
  server = createServer({ key, cert }, (message, response) => {
    const { authorization, cookie } = message.headers;
    seen.push({ url: message.url ?? "", authorization, cookie });
    response.end("answer");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as AddressInfo).port;
  proxy = await openBoxProxy({
    path: join(folder, "proxy.sock"),
    registries: [{ url: `https://localhost:${port}/`, authorization: TOKEN, isTrusted: true }],
    // The guarded client decides by the address; in this test only this server is reachable.
    dial: async (url, { isTunnel, isConfigured }) => {
      const to = new URL(url);
      dialled.push({ host: to.host, isConfigured });
      if (to.port !== String(port)) throw new ToolError("URL_DENIED", `${to.host} is not allowed`);
      if (isTunnel) return connectPlainly(port, "127.0.0.1");
      return connect({ port, host: "127.0.0.1", servername: "localhost", ca: cert });
    },
  });
});
afterEach(async () => {
  await proxy.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true, force: true });
});

const socketPath = () => join(folder, "proxy.sock");

function ask(path: string, { method = "GET", headers = {} } = {}): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const asked = request({ socketPath: socketPath(), path, method, headers }, (response) => {
      let text = "";
      response.on("data", (chunk) => {
        text += chunk;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
    });
    asked.on("error", reject).end();
  });
}

/** Requests a tunnel. Returns the status and the socket. */
function tunnel(to: string): Promise<{ status: number; socket: Socket }> {
  return new Promise((resolve, reject) => {
    const asked = request({ socketPath: socketPath(), method: "CONNECT", path: to });
    asked.on("connect", (response, socket) => resolve({ status: response.statusCode ?? 0, socket }));
    asked.on("error", reject).end();
  });
}

describe("the proxy of a box", () => {
  it("FE5 adds the registry's credentials over TLS, replacing whatever the box sends", async () => {
    const headers = { authorization: "Bearer from-the-box", cookie: "from=box" };
    expect(await ask("/tiny", { headers })).toEqual({ status: 200, text: "answer" });
    expect(seen).toEqual([{ url: "/tiny", authorization: TOKEN, cookie: undefined }]);
    expect((await ask("/tiny", { method: "PUT" })).status).toBe(403);
    expect(seen).toHaveLength(1);
  });

  it.each(["PUT", "POST", "GET"])(
    "FE5 vets an absolute %s to the registry again after a read, and adds no credentials",
    async (method) => {
      expect((await ask("/tiny")).status).toBe(200);
      await ask(`https://localhost:${port}/tiny`, { method });
      expect(dialled).toEqual([
        { host: `localhost:${port}`, isConfigured: true },
        { host: `localhost:${port}`, isConfigured: false },
      ]);
      expect(seen.slice(1).every(({ authorization }) => authorization === undefined)).toBe(true);
    },
  );

  it.each(["//other.example/tiny", "/\\other.example/tiny", "///other.example/tiny"])(
    "FE5 sends no credentials to another host for the path %j",
    async (path) => {
      expect((await ask(path)).status).toBe(403);
      expect(dialled).toEqual([]);
    },
  );

  it.each(["/x%2f..%2fadmin", "/x%5c..%5cadmin", "/%2e%2e%2fadmin", "/x%zz"])(
    "FE5 forwards no path that leaves the registry once it is decoded: %j",
    async (path) => {
      expect((await ask(path)).status).toBe(403);
      expect(dialled).toEqual([]);
    },
  );

  it.each(["/-/whoami", "/-/npm/v1/user", "/%2d/whoami", "/.//-/whoami", "/x/../-/npm/v1/tokens"])(
    "FE5 adds no credentials to %j, which concerns the account",
    async (path) => {
      await ask(path);
      expect(seen.map(({ authorization }) => authorization)).toEqual([undefined]);
    },
  );

  it.each(["/tiny/-/tiny-1.0.0.tgz", "/@acme%2ftiny", "/@acme/tiny/-/tiny-1.0.0.tgz", "/-tiny"])(
    "FE5 adds the credentials to %j, which is a package",
    async (path) => {
      expect((await ask(path)).status).toBe(200);
      expect(seen).toMatchObject([{ url: path, authorization: TOKEN }]);
    },
  );

  it("FE5 passes TLS through a tunnel unchanged, and adds nothing to it", async () => {
    const { status, socket } = await tunnel(`localhost:${port}`);
    expect(status).toBe(200);
    const secured = connect({ socket, servername: "localhost", ca: cert });
    const answer = await new Promise<string>((resolve, reject) => {
      let text = "";
      secured.on("data", (chunk) => {
        text += chunk;
      });
      secured.on("end", () => resolve(text)).on("error", reject);
      secured.write(`GET /through HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    });
    expect(answer).toContain("answer");
    expect(seen).toEqual([{ url: "/through", authorization: undefined, cookie: undefined }]);
  });

  it.each(["localhost:1", "169.254.169.254:443", "not a host", ""])(
    "FE5 opens no tunnel to %j",
    async (to) => {
      const { status, socket } = await tunnel(to).catch(() => ({ status: 400, socket: undefined }));
      socket?.destroy();
      expect(status).toBeGreaterThanOrEqual(400);
      expect(seen).toEqual([]);
    },
  );
});
