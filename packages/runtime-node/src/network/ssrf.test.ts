import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { ToolError } from "@haft/core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { dialTo, type LoopbackServer, startServer } from "../../test-support/loopback-web.js";
import { type GuardedClientOptions, guardedClient } from "./guarded-client.js";

// D24: only public or configured addresses are reached, in any spelling. D18: on every redirect. The canary must never
// be connected to; the response does not matter.

const PUBLIC = "93.184.216.34";
const never = new AbortController().signal;
let canary: LoopbackServer;
let site: LoopbackServer;
let redirect = { status: 302, location: "" };

beforeAll(async () => {
  canary = await startServer((_request, response) => void response.end("canary"));
  site = await startServer((request, response) => {
    if (request.url !== "/go") return void response.end(`seen ${request.url}`);
    response.writeHead(redirect.status, { location: redirect.location }).end();
  });
});
afterAll(() => Promise.all([canary.close(), site.close()]));
beforeEach(() => {
  redirect = { status: 302, location: "" };
});

const at = (template: string) => template.split("PORT").join(String(canary.port));

/** Allows every port and approves unlisted hosts, so that only the guard on addresses remains. */
function clientWith(options: GuardedClientOptions = {}) {
  return guardedClient({
    origins: [site.origin],
    hosts: ["*.allowed.test"],
    ports: [80, 443, canary.port, site.port],
    requestsPerMinute: 1000,
    ...options,
  });
}

async function denied(url: string, options: GuardedClientOptions = {}): Promise<ToolError> {
  const before = canary.connections();
  const outcome = await clientWith(options)
    .fetch({ url, approved: true }, never)
    .catch((error: unknown) => error);
  expect(canary.connections(), `${url} reached the canary`).toBe(before);
  if (!ToolError.is(outcome)) throw new Error(`${url} was answered`, { cause: outcome });
  return outcome;
}

const SPELLINGS = [
  "127.0.0.1 127.1 127.0.1 2130706433 0x7f000001 0x7f.1 0x7F.0.0.1 0177.0.0.1 0177.0x1 017700000001 0177.0.0.01",
  "127.0.0.1. 127.1. 0 0.0.0.0 0x0 00 127.255.255.254 127.000.000.001 127%2e0%2e0%2e1 %31%32%37.0.0.1",
  "１２７.0.0.1 １２７。０。０。１ ①②⑦.⓪.⓪.① 127｡0｡0｡1 ０ｘ７ｆ.1 localhost LOCALHOST localhost. loc%61lhost ｌｏｃａｌｈｏｓｔ",
  "[::1] [0:0:0:0:0:0:0:1] [0000::0001] [::] [::ffff:127.0.0.1] [::FFFF:127.0.0.1] [::ffff:7f00:1] [::127.0.0.1]",
  "[::ffff:0:127.0.0.1] [64:ff9b::127.0.0.1] [64:ff9b::7f00:1] [2002:7f00:1::] [2001:0:7f00:1::] [fe80::1] [fc00::1]",
  "10.1.2.3 172.16.0.1 192.168.1.1 169.254.169.254 169.254.170.2 100.100.100.200 [fd00:ec2::254] 2852039166",
  "metadata.google.internal metadata instance-data kubernetes.default.svc.cluster.local foo.localhost ip6-localhost",
].flatMap((line) => line.split(" "));

describe("D24: the canary is never reached", () => {
  it.each(SPELLINGS)("by the spelling %s", async (host) => {
    for (const scheme of ["http", "https"]) {
      expect(await denied(at(`${scheme}://${host}:PORT/`))).toMatchObject({ code: "URL_DENIED" });
      expect(await denied(`${scheme}://${host}/`)).toMatchObject({ code: "URL_DENIED" });
    }
  });

  it.each([
    "http://a.allowed.test@127.0.0.1:PORT/",
    "http://a.allowed.test:80@127.0.0.1:PORT/",
    "http://127.0.0.1:PORT#@a.allowed.test/",
    "http://127.0.0.1:PORT?@a.allowed.test/",
    "http://127.0.0.1:PORT\\@a.allowed.test/",
    "http://a.allowed.test\\@127.0.0.1:PORT/",
    "http:127.0.0.1:PORT/",
    "http:\\\\127.0.0.1:PORT/",
    "http:////127.0.0.1:PORT/",
    "ht\ntp://127.0.0.1:PORT/",
    "http://127.0.0.1:PORT\0.allowed.test/",
    "file:///etc/hostname",
    "ftp://127.0.0.1:PORT/",
    "gopher://127.0.0.1:PORT/_GET",
    "dict://127.0.0.1:PORT/x",
    "unix:///var/run/docker.sock",
    "ws://127.0.0.1:PORT/",
    "data:text/plain,x",
    "//127.0.0.1:PORT/",
    "http://127.0.0.1:PORT%2f@a.allowed.test/",
  ])("by the trick %j", async (url) => {
    expect(await denied(at(url))).toMatchObject({ code: "URL_DENIED" });
  });

  it.each([
    ["127.0.0.1"],
    ["10.0.0.7"],
    ["::1"],
    ["::ffff:127.0.0.1"],
    ["64:ff9b::7f00:1"],
    ["2002:7f00:1::"],
    ["0.0.0.0"],
    [PUBLIC, "127.0.0.1"],
    ["127.0.0.1", PUBLIC],
    [PUBLIC, PUBLIC, "fe80::1"],
  ])("by a listed name that resolves to %s (and %s)", async (...answers) => {
    const error = await denied(at("http://a.allowed.test:PORT/"), { lookup: () => answers });
    expect(error).toMatchObject({ code: "URL_DENIED", details: { reason: "private-address" } });
  });

  it("by an approved name that resolves to a private address", async () => {
    const error = await denied(at("http://evil.org:PORT/"), { lookup: async () => ["127.0.0.1"] });
    expect(error).toMatchObject({ details: { reason: "private-address" } });
  });

  it("by a name that would resolve differently the second time: it is resolved once, and that address is used", async () => {
    const answers = [[PUBLIC], ["127.0.0.1"], ["127.0.0.1"]];
    let lookups = 0;
    const dial = dialTo({ [PUBLIC]: site.port, "127.0.0.1": canary.port });
    const client = clientWith({ dial, lookup: () => answers[lookups++] });
    const answer = await client.fetch({ url: "http://a.allowed.test/" }, never);
    expect(Buffer.from(answer.body).toString()).toBe("seen /");
    expect([lookups, dial.dialled]).toEqual([1, [PUBLIC]]);
    expect(await failureOf(client.fetch({ url: "http://a.allowed.test/" }, never))).toMatchObject({
      code: "URL_DENIED",
    });
    expect(dial.dialled).toEqual([PUBLIC]);
  });

  it("by a connection that reaches another address: the socket is checked last", async () => {
    const elsewhere = dialTo({ [PUBLIC]: site.port });
    const dial: typeof elsewhere = Object.assign(
      async (...args: Parameters<typeof elsewhere>) => {
        const socket = await elsewhere(...args);
        Object.defineProperty(socket, "remoteAddress", { value: "127.0.0.1", configurable: true });
        return socket;
      },
      { dialled: [] },
    );
    const before = site.requests.length;
    const error = await denied("http://a.allowed.test/", { dial, lookup: () => [PUBLIC] });
    expect(error.message).toContain("reached an address that was not checked");
    expect(site.requests.length).toBe(before);
  });

  it("by a forbidden port, before any name is resolved", async () => {
    let lookups = 0;
    const lookup = () => [`${lookups++}`];
    const error = await denied(at("http://a.allowed.test:PORT/"), { ports: [80], lookup });
    expect(error).toMatchObject({ details: { reason: "port" } });
    expect(lookups).toBe(0);
  });
});

describe("D18: every redirect is checked", () => {
  it.each([301, 302, 303, 307, 308])("a %i to the canary is not followed", async (status) => {
    for (const location of [
      at("http://127.0.0.1:PORT/"),
      at("//127.0.0.1:PORT/"),
      at("http://2130706433:PORT/"),
      at("http://[::ffff:127.0.0.1]:PORT/"),
      at("http://localhost:PORT/"),
      at("http://user@a.allowed.test:PORT/"),
      "http://10.1.2.3/",
      "http://169.254.169.254/latest/meta-data/",
      "file:///etc/passwd",
      at("http://inner.allowed.test:PORT/"),
    ]) {
      redirect = { status, location };
      const error = await denied(`${site.origin}/go`, { lookup: () => ["127.0.0.1"] });
      expect(error, location).toMatchObject({ code: "URL_DENIED" });
    }
  });

  it("an approval does not extend beyond its own host", async () => {
    redirect = { status: 302, location: "http://second.org/" };
    const dial = dialTo({ [PUBLIC]: site.port });
    const error = await denied("http://first.org/go", { dial, lookup: () => [PUBLIC] });
    expect(error).toMatchObject({ details: { reason: "unlisted" } });
    redirect = { status: 302, location: "http://first.org/next" };
    const client = clientWith({ dial, lookup: () => [PUBLIC] });
    const answer = await client.fetch({ url: "http://first.org/go", approved: true }, never);
    expect(answer.url).toBe("http://first.org/next");
    expect(await failureOf(client.fetch({ url: "http://first.org/" }, never))).toMatchObject({
      details: { reason: "unlisted" },
    });
  });

  it("five redirects are followed, the sixth is not", async () => {
    let left = 0;
    const hops = await startServer((_request, response) => {
      left -= 1;
      if (left < 0) return void response.end("there");
      response.writeHead(302, { location: "/again" }).end();
    });
    const client = guardedClient({ origins: [hops.origin] });
    left = 5;
    expect(await client.fetch({ url: hops.origin }, never)).toMatchObject({ status: 200 });
    left = 6;
    expect(await failureOf(client.fetch({ url: hops.origin }, never))).toMatchObject({
      code: "LIMIT_EXCEEDED",
    });
    await hops.close();
  });

  it("https is not downgraded to http", async () => {
    redirect = { status: 302, location: "http://a.allowed.test/" };
    const dial = dialTo({ [PUBLIC]: site.port });
    const error = await denied("https://a.allowed.test/go", { dial, lookup: () => [PUBLIC] });
    expect(error).toMatchObject({ code: "URL_DENIED", details: { reason: "downgrade" } });
  });

  it("a redirect to nowhere is an error, one without an address is an answer", async () => {
    redirect = { status: 302, location: "http://[" };
    expect(await denied(`${site.origin}/go`)).toMatchObject({ code: "NETWORK_ERROR" });
    const bare = await startServer((_request, response) => void response.writeHead(302).end());
    const answer = await guardedClient({ origins: [bare.origin] }).fetch({ url: bare.origin }, never);
    expect(answer.status).toBe(302);
    await bare.close();
  });

  it("credentials stay with their origin, also on the way back; 303 drops the body, 307 keeps it", async () => {
    const seen: unknown[] = [];
    let locations: string[] = [];
    let status = 303;
    const server = await startServer((request, response) => {
      const { authorization, cookie, "x-api-key": key, "x-plain": plain } = request.headers;
      seen.push([request.method, authorization, cookie, key, plain, request.headers["content-type"]]);
      const location = locations.shift();
      if (location === undefined) return void response.end();
      response.writeHead(status, { location }).end();
    });
    const client = clientWith({ dial: dialTo({ [PUBLIC]: server.port }), lookup: () => [PUBLIC] });
    const headers = {
      authorization: "a",
      cookie: "c",
      "x-api-key": "k",
      "x-plain": "p",
      "content-type": "t",
    };
    const request = { url: "http://a.allowed.test/", method: "POST", headers, body: "b" } as const;
    locations = ["http://b.allowed.test/", "http://a.allowed.test/"];
    await client.fetch(request, never);
    expect(seen.splice(0)).toEqual([
      ["POST", "a", "c", "k", "p", "t"],
      ["GET", undefined, undefined, undefined, "p", undefined],
      ["GET", undefined, undefined, undefined, "p", undefined],
    ]);
    status = 307;
    locations = ["/other"];
    await client.fetch(request, never);
    expect(seen.splice(0)[1]).toEqual(["POST", "a", "c", "k", "p", "t"]);
    expect(server.requests.at(-1)).toMatchObject({ url: "/other", body: "b" });
    await server.close();
  });
});

describe("allowed addresses are reached", () => {
  it("a configured service by its name, and by nothing else", async () => {
    const client = guardedClient({ endpoints: { search: `${site.origin}/search` } });
    const url = `${site.origin}/search?q=x`;
    expect(await client.fetch({ url, endpoint: "search" }, never)).toMatchObject({ status: 200 });
    for (const request of [
      { url },
      { url, approved: true },
      { url, endpoint: "other" },
      { url: at("http://127.0.0.1:PORT/"), endpoint: "search" },
    ])
      expect(await failureOf(client.fetch(request, never))).toMatchObject({ code: "URL_DENIED" });
    redirect = { status: 302, location: at("http://127.0.0.1:PORT/") };
    const error = await failureOf(client.fetch({ url: `${site.origin}/go`, endpoint: "search" }, never));
    expect(error).toMatchObject({ code: "URL_DENIED", details: { reason: "endpoint" } });
  });

  it("a name whose first address does not answer, at its second", async () => {
    const dial = dialTo({ [PUBLIC]: site.port });
    const client = clientWith({ dial, lookup: () => ["93.184.216.35", PUBLIC, PUBLIC] });
    expect(await client.fetch({ url: "http://a.allowed.test/" }, never)).toMatchObject({ status: 200 });
    expect(dial.dialled).toEqual(["93.184.216.35", PUBLIC]);
  });

  it("a name by any form of lookup: callback, promise, array, text", async () => {
    const forms: GuardedClientOptions["lookup"][] = [
      (_host, _options, callback) => callback(null, [{ address: PUBLIC, family: 4 }]),
      async () => ({ address: PUBLIC, family: 4 }),
      () => PUBLIC,
      () => [PUBLIC],
    ];
    for (const lookup of forms) {
      const client = clientWith({ dial: dialTo({ [PUBLIC]: site.port }), lookup });
      expect(await client.fetch({ url: "http://a.allowed.test/" }, never)).toMatchObject({ status: 200 });
    }
  });

  it.each([
    [() => [], "no address"],
    [() => ["not an address"], "an invalid address"],
    [() => Promise.reject(Object.assign(new Error("x"), { code: "ENOTFOUND" })), "no such host name"],
    [
      (_h: string, _o: unknown, done: (e: Error, f: unknown) => void) => done(new Error("broken"), null),
      "broken",
    ],
  ] as const)("a name that cannot be resolved is a network error: %#", async (lookup, message) => {
    const error = await denied("http://a.allowed.test/", { lookup: lookup as never });
    expect(error).toMatchObject({ code: "NETWORK_ERROR" });
    expect(error.message).toContain(message);
  });

  it("an encrypted site with a valid certificate", async () => {
    const { key, cert } = await import("../../test-support/localhost-certificate.js");
    const server = createTlsServer({ key, cert }, (_request, response) => void response.end("secret"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const options = {
      origins: [`https://localhost:${port}`, `https://127.0.0.1:${port}`],
      lookup: () => "127.0.0.1",
    };
    const url = `https://localhost:${port}/`;
    const answer = await guardedClient({ ...options, ca: cert }).fetch({ url }, never);
    expect(Buffer.from(answer.body).toString()).toBe("secret");
    expect(await failureOf(guardedClient(options).fetch({ url }, never))).toMatchObject({
      code: "NETWORK_ERROR",
    });
    const wrongName = guardedClient({ ...options, ca: cert }).fetch(
      { url: `https://127.0.0.1:${port}/` },
      never,
    );
    expect(await failureOf(wrongName)).toMatchObject({ code: "NETWORK_ERROR" });
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
});

async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => "it succeeded",
    (error: unknown) => error,
  );
}
