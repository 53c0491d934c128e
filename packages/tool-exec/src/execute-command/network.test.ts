import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { ApprovalRequest, ToolSuccess } from "@haft/core";
import { describe, expect, it } from "vitest";
import { type ExecWorld, openExecWorld } from "../exec.fixture.js";
import type { ExecuteCommandResult } from "./execute-command-schema.js";
import { ExecuteCommand } from "./execute-command-tool.js";
import { openTestRegistry, type TestRegistry } from "./npm-registry.fixture.js";
import { openTlsServer } from "./tls-server.fixture.js";

const noBox = process.platform !== "linux" || !existsSync("/usr/bin/bwrap");
const TOKEN = "registry-token-4711";

const LEFT_PAD = {
  "package.json": '{"name":"tiny","version":"1.0.0","bin":{"tiny":"tiny.js"}}',
  "tiny.js": "#!/usr/bin/env node\nconsole.log('tiny runs')\n",
};

interface Opening {
  readonly registry: TestRegistry;
  readonly files?: Readonly<Record<string, string>>;
  readonly approved?: boolean;
  readonly web?: object;
}

async function open({ registry, files = {}, approved, web = {} }: Opening) {
  const asked: ApprovalRequest[] = [];
  const approver = async (request: ApprovalRequest) => {
    asked.push(request);
    return { approved: approved === true, remember: "session" as const };
  };
  const home = join("/tmp", `haft-home-${process.pid}-${Math.random().toString(36).slice(2)}`);
  mkdirSync(home);
  writeFileSync(
    join(home, ".npmrc"),
    `registry=${registry.url}\n//${new URL(registry.url).host}/:_authToken=${TOKEN}\n`,
  );
  const world = await openExecWorld(
    { "package.json": '{"name":"app","version":"1.0.0","dependencies":{"tiny":"1.0.0"}}', ...files },
    {
      tools: [ExecuteCommand],
      env: { PATH: process.env.PATH, HOME: home },
      commands: { onUnlisted: "box" },
      ...(approved === undefined ? {} : { approver }),
      ...web,
    },
  );
  return { world, asked };
}

const run = async (world: ExecWorld, args: object) =>
  (await world.call("execute_command", { timeout: 60, ...args })) as ToolSuccess<ExecuteCommandResult>;

describe.skipIf(noBox)("S4.003.b installations", () => {
  it("npm install gets the configured registry without a prompt, with credentials that the box never sees", async () => {
    await using registry = await openTestRegistry({ tiny: LEFT_PAD });
    const { world, asked } = await open({ registry, approved: true });
    await using own = world;
    const result = await run(own, { command: "npm install" });
    expect(result.text).not.toContain("npm error");
    expect(result).toMatchObject({ ok: true, value: { exitCode: 0 } });
    expect(existsSync(join(own.workspace, "node_modules/tiny/tiny.js"))).toBe(true);
    expect(readFileSync(join(own.workspace, "package-lock.json"), "utf8")).toContain(
      `${registry.url}tiny/-/`,
    );
    expect(new Set(registry.requests.map(({ authorization }) => authorization))).toEqual(
      new Set([`Bearer ${TOKEN}`]),
    );
    expect(await run(own, { command: "npm ci" })).toMatchObject({ ok: true, value: { exitCode: 0 } });
    expect((await run(own, { command: "npx tiny" })).value.stdout).toContain("tiny runs");
    expect(asked).toEqual([]);
  }, 60_000);

  it("install scripts reach the registry read-only, without its credentials, and no other host", async () => {
    const other = createServer((_request, response) => response.end("reached"));
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const { port } = other.address() as AddressInfo;
    await using registry = await openTestRegistry({ tiny: LEFT_PAD });
    const script = [
      "const http = require('http');",
      "const ask = (options) => new Promise((done) => http.request({ host: '127.0.0.1', port: 3128, ...options },",
      "  (r) => { let t=''; r.on('data', (c) => t += c).on('end', () => done((r.statusCode + ' ' + t).trim())); })",
      "  .on('error', (e) => done(e.code)).end());",
      "(async () => {",
      "  const seen = [await ask({ path: '/tiny' }).then((t) => t.slice(0, 3)), await ask({ method: 'PUT', path: '/tiny' }),",
      `    await ask({ path: 'http://127.0.0.1:${port}/' }), await ask({ port: ${port}, path: '/' }),`,
      `    await ask({ method: 'PUT', path: '${registry.url}tiny' }),`,
      "    JSON.stringify(process.env), require('fs').readFileSync(process.env.npm_config_userconfig, 'utf8')];",
      "  require('fs').writeFileSync('seen.txt', seen.join('\\n'));",
      "})();",
    ].join("\n");
    const files = {
      "spy.js": script,
      "package.json":
        '{"name":"app","version":"1.0.0","dependencies":{"tiny":"1.0.0"},"scripts":{"postinstall":"node spy.js"}}',
    };
    const { world } = await open({ registry, files });
    await using own = world;
    expect(await run(own, { command: "npm install" })).toMatchObject({ ok: true });
    other.close();
    const [read, put, outside, direct, absolute, ...rest] = readFileSync(
      join(own.workspace, "seen.txt"),
      "utf8",
    ).split("\n");
    expect(read).toBe("200");
    expect(put).toMatch(/^403 /);
    expect(outside).toMatch(/^403 /);
    expect(direct).toBe("ECONNREFUSED");
    expect(absolute).toMatch(/^403 /);
    expect(rest.join("\n")).not.toContain(TOKEN);
    expect(registry.requests.every(({ method }) => method === "GET")).toBe(true);
  }, 60_000);

  it("prompts for a registry that only the workspace names", async () => {
    await using registry = await openTestRegistry({ tiny: LEFT_PAD });
    const { world, asked } = await open({
      registry,
      approved: false,
      files: { ".npmrc": "registry=https://packages.example.com/\n" },
    });
    await using own = world;
    expect(await run(own, { command: "npm install" })).toMatchObject({ error: { code: "APPROVAL_DENIED" } });
    expect(asked[0]?.reason).toContain("packages.example.com");
  });
});

describe.skipIf(noBox)("no host is reached without permission", () => {
  it.each([
    "npx stranger",
    "npx -y stranger",
    "npx stranger@1.0.0",
    "npm exec stranger",
    "npm view tiny",
    "npm view REGISTRYtiny",
    "npm view git+ssh://git@127.0.0.1/x.git",
    "npm view git+http://127.0.0.1/x.git",
    "npm view file:../x.tgz",
    "npm install tiny",
    "curl -s REGISTRYtiny",
    "node -e \"require('http').get('REGISTRYtiny')\"",
  ])(
    "FE5 %s",
    async (text) => {
      await using registry = await openTestRegistry({
        tiny: LEFT_PAD,
        stranger: {
          ...LEFT_PAD,
          "package.json": '{"name":"stranger","version":"1.0.0","bin":{"stranger":"tiny.js"}}',
        },
      });
      const command = text.replace("REGISTRY", registry.url);
      const denying = await open({ registry, approved: false });
      await using own = denying.world;
      const result = await run(own, { command });
      expect(result.text).not.toContain("tiny runs");
      expect(registry.requests).toEqual([]);
      const nobody = await open({ registry });
      await using alone = nobody.world;
      await run(alone, { command });
      expect(registry.requests).toEqual([]);
    },
    60_000,
  );

  it.each(["npx eslint", "npx eslint .", "npm view REGISTRYtiny", "npm view git+http://127.0.0.1/x.git"])(
    "FE5 %s fetches nothing without a box",
    async (text) => {
      const eslint = '{"name":"eslint","version":"1.0.0","bin":{"eslint":"tiny.js"}}';
      await using registry = await openTestRegistry({
        tiny: LEFT_PAD,
        eslint: { ...LEFT_PAD, "package.json": eslint },
      });
      const { world } = await open({ registry, web: { sandbox: { tier: "portable" } } });
      await using own = world;
      const result = await run(own, { command: text.replace("REGISTRY", registry.url) });
      expect(result.text).not.toContain("tiny runs");
      expect(registry.requests).toEqual([]);
    },
    60_000,
  );
});

describe.skipIf(noBox)("a command with granted network", () => {
  it("prompts once with the exact hosts, and the answer is remembered", async () => {
    await using registry = await openTestRegistry({ tiny: LEFT_PAD });
    const { world, asked } = await open({ registry, approved: true });
    await using own = world;
    const command = "npm view tiny version";
    expect((await run(own, { command })).value.stdout).toContain("1.0.0");
    expect((await run(own, { command })).value.exitCode).toBe(0);
    expect(asked).toHaveLength(1);
    expect(asked[0]?.reason).toContain(`the npm registry ${new URL(registry.url).host}`);
  }, 60_000);

  it("reaches an origin that the configuration lists, and no other address of this machine", async () => {
    await using registry = await openTestRegistry({ tiny: LEFT_PAD });
    await using secret = await openTestRegistry({ tiny: LEFT_PAD });
    const origin = new URL(registry.url).origin;
    const { world, asked } = await open({ registry, approved: true, web: { web: { origins: [origin] } } });
    await using own = world;
    const code = "for u in $URLS; do curl -s -o /dev/null -w '%{http_code} ' --noproxy '' $u; done";
    const command = code.replace("$URLS", `${registry.url}tiny ${secret.url}tiny http://169.254.169.254/`);
    const result = await run(own, { command, network: true });
    expect(result.value?.stdout ?? result.text).toContain("200 403 403");
    expect(asked).toHaveLength(1);
    expect(secret.requests).toEqual([]);
    expect(result.text).toContain("127.0.0.1");
  }, 60_000);

  it("FE15 obeys the rules on addresses in the box too: each request by its path, a tunnel by its host", async () => {
    await using registry = await openTestRegistry({ tiny: LEFT_PAD, secret: LEFT_PAD });
    const { origin } = new URL(registry.url);
    const rules = [{ effect: "deny", when: { url: `${origin}/secret` }, reason: "it is private" }];
    const { world } = await open({ registry, approved: true, web: { web: { origins: [origin] }, rules } });
    await using own = world;
    const ask = (flags: string, url: string) =>
      `curl -s -o /dev/null -w '%{http_code} ' --noproxy '' ${flags} ${url}`;
    const command = [
      ask("", `${origin}/tiny`),
      ask("", `${origin}/secret`),
      ask("-p", `${origin}/tiny`),
      ask("", `${origin}/tiny`),
    ].join("; ");
    const result = await run(own, { command, network: true });
    expect(result.value?.stdout ?? result.text).toContain("200 403 000 200");
    expect(registry.requests.map(({ path }) => path)).toEqual(["/tiny", "/tiny"]);
    expect(result.text).toContain("it is private");
  }, 60_000);

  it("FE5 uses TLS with listed origins through the proxy, and with no other", async () => {
    await using registry = await openTestRegistry({ tiny: LEFT_PAD });
    await using listed = await openTlsServer("listed");
    await using other = await openTlsServer("other");
    const web = { web: { origins: [listed.origin] } };
    const { world } = await open({ registry, approved: true, web });
    await using own = world;
    const command = `for u in ${listed.origin}/a ${other.origin}/b; do curl -sk --noproxy '' $u; echo " $?"; done`;
    const result = await run(own, { command, network: true });
    expect(result.value.stdout).toBe("listed /a 0\n 56\n");
    expect([listed.requests, other.requests]).toEqual([["/a"], []]);
    expect(result.text).toContain(new URL(other.origin).host);
  }, 60_000);
});
