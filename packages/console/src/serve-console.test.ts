import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { until, useConsole } from "../test-support/console-client.js";
import { send, sendTarget } from "../test-support/http-client.js";

const open = useConsole();

describe("access to the console", () => {
  test("S4 console: the token is exchanged for a strict cookie and leaves the address", async () => {
    const { admitted, base, cookie } = await open();
    expect(admitted.status).toBe(303);
    expect(admitted.headers.location).toBe("/");
    expect(String(admitted.headers["set-cookie"])).toMatch(/^haft-console-\d+=.*HttpOnly; SameSite=Strict/);
    expect((await send(base, { headers: { cookie } })).status).toBe(200);
  });

  test("S4 console: without the token nothing answers", async () => {
    const { base, api } = await open();
    for (const url of [
      base,
      `${base}/api/workspaces`,
      `${api}/runs`,
      `${api}/stream`,
      `${base}/assets/x.js`,
      `${base}/?token=x`,
    ]) {
      const { status, body } = await send(url);
      expect([url, status]).toEqual([url, 401]);
      expect(body).toBe("Open the link that haft console printed.\n");
    }
    const posted = await send(`${api}/start`, {
      method: "POST",
      body: { task: "x" },
      headers: { origin: base },
    });
    expect(posted.status).toBe(401);
  });

  test("S4 console: refuses an invalid address, and the server survives", async () => {
    const { base, cookie } = await open();
    for (const target of ["//", "//[", "http://[/", "http://x:99999/"])
      expect([target, await sendTarget(base, target)]).toEqual([target, 400]);
    expect((await send(base, { headers: { cookie } })).status).toBe(200);
  });

  test("S4 console: a foreign Host is refused, with the token and with the cookie", async () => {
    const { base, cookie, fixture } = await open();
    for (const host of ["evil.example", `evil.example:${fixture.server.port}`, "127.0.0.1", "127.0.0.1:1"]) {
      expect((await send(base, { headers: { cookie, host } })).status).toBe(421);
      expect((await send(fixture.server.url, { headers: { host } })).status).toBe(421);
    }
  });

  test("S4 console: refuses a foreign or missing Origin for every change", async () => {
    const { api, cookie, base } = await open();
    for (const origin of ["http://evil.example", "null", base.replace("127.0.0.1", "localhost"), undefined]) {
      const headers = { cookie, ...(origin !== undefined && { origin }) };
      expect((await send(`${api}/start`, { method: "POST", headers, body: { task: "x" } })).status).toBe(403);
    }
    const crossSite = { cookie, "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" };
    expect((await send(`${api}/runs`, { headers: crossSite })).status).toBe(403);
  });

  test("S4 console: the policy allows no inline script or style and no other host", async () => {
    const { base, cookie } = await open();
    const policy = String((await send(base, { headers: { cookie } })).headers["content-security-policy"]);
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(policy).toMatch(/default-src 'none'; script-src 'self'; style-src 'self' 'nonce-/);
  });
});

describe("the console's API", () => {
  test("S4 console: the cookie and a pending approval survive a restart of the server", async () => {
    const { fixture, get, post } = await open({
      script: [
        { calls: [{ name: "create_file", args: { path: "new/a.txt", content: "hello\n" } }] },
        { text: "Created." },
      ],
    });
    const { runId } = JSON.parse((await post("start", { task: "Create a file." })).body);
    const [before] = await until(
      () => get("approvals"),
      (items) => items.length === 1,
    );
    await fixture.restart();
    const [after] = await get("approvals");
    expect(after).toMatchObject({ id: before.id, runId, task: "Create a file." });
    expect((await post("decide", { id: after.id, answer: { approved: true } })).status).toBe(200);
    const runs = await until(
      () => get("runs"),
      ([run]) => run.status === "done",
    );
    expect(runs[0]).toMatchObject({ reason: "end_turn" });
    const late = await post("decide", { id: after.id, answer: { approved: false } });
    expect([late.status, JSON.parse(late.body).code]).toEqual([409, "ALREADY_DECIDED"]);
  });

  test("S4 console: a run that a stopped server left waiting can be stopped; an ended or unknown run cannot", async () => {
    const { fixture, get, post } = await open({
      script: [{ calls: [{ name: "create_file", args: { path: "a.txt", content: "hello\n" } }] }],
    });
    const { runId } = JSON.parse((await post("start", { task: "Create a file." })).body);
    await until(
      () => get("approvals"),
      (items) => items.length === 1,
    );
    await fixture.restart();
    expect((await post("stop", { runId })).status).toBe(200);
    const [run] = await until(
      () => get("runs"),
      (runs) => runs[0].status === "done",
    );
    expect(run).toMatchObject({ reason: "cancelled", waiting: 0 });
    await until(
      () => get("approvals"),
      (items) => items.length === 0,
    );
    await until(
      () => get("runs"),
      (runs) => !runs[0].isDrivenHere,
    );
    expect((await post("stop", { runId })).status).toBe(404);
    expect((await post("stop", { runId: "unknown" })).status).toBe(404);
    expect(await get("runs")).toHaveLength(1);
  });

  test("S4 console: a client cannot claim who decided", async () => {
    const { get, post } = await open({
      script: [
        { calls: [{ name: "create_file", args: { path: "new/a.txt", content: "hello\n" } }] },
        { text: "Created." },
      ],
    });
    await post("start", { task: "Create a file." });
    const [asked] = await until(
      () => get("approvals"),
      (items) => items.length === 1,
    );
    const answer = { approved: true, by: { how: "library", who: "forged" } };
    expect((await post("decide", { id: asked.id, answer })).status).toBe(200);
    await until(
      () => get("runs"),
      ([run]) => run.status === "done",
    );
    const audited = (await get("audit")).find(({ tool }: { tool: string }) => tool === "create_file");
    expect(audited).toMatchObject({ verdict: "allow", decider: { how: "person" } });
    expect(JSON.stringify(await get("audit"))).not.toContain("forged");
  });

  test("FE10 asks about edited arguments again; an edit that changes nothing returns to the question", async () => {
    const args = { path: "new/a.txt", content: "hello\n" };
    const { get, post } = await open({
      script: [{ calls: [{ name: "create_file", args }] }, { text: "Created." }],
    });
    await post("start", { task: "Create a file." });
    const next = async (last?: string) => {
      const items = await until(
        () => get("approvals"),
        (found) => found.length === 1 && found[0].id !== last,
      );
      return items[0];
    };
    const decide = (id: string, answer: object) => post("decide", { id, answer });
    const first = await next();
    await decide(first.id, { approved: true, modifiedArgs: args });
    const second = await next(first.id);
    expect(second.request).toMatchObject({ args, reason: expect.stringContaining("were not changed") });
    await decide(second.id, { approved: true, modifiedArgs: { ...args, content: "mine\n" } });
    const third = await next(second.id);
    expect(third.request).toMatchObject({
      args: { content: "mine\n" },
      reason: expect.stringContaining("the arguments were changed"),
    });
    expect(third.request.changes.at(-1).diff).toContain("+mine");
    expect(await get("file?path=new/a.txt")).toMatchObject({ code: "FILE_NOT_FOUND" });
    await decide(third.id, { approved: true });
    await until(
      () => get("runs"),
      ([run]) => run.status === "done",
    );
    expect(JSON.stringify(await get("file?path=new/a.txt"))).toContain("mine");
  });

  test("S4.002.d a path outside the workspace can be neither read nor saved", async () => {
    const { get, post } = await open({ files: { "a.txt": "a\n" } });
    expect(await get("file?path=../../etc/passwd")).toMatchObject({ code: "INVALID_PATH" });
    expect(await get("file?path=/etc/passwd")).toMatchObject({ code: "INVALID_PATH" });
    expect(JSON.parse((await post("save", { path: "../x.txt", text: "x" })).body).code).toBe("INVALID_PATH");
    expect(await get("tree?path=..")).toMatchObject({ code: "INVALID_PATH" });
  });

  test("S4 console: refuses to save a file that has changed since it was read", async () => {
    const { fixture, get, post } = await open({ files: { "a.txt": "a\n" } });
    const { hash } = await get("file?path=a.txt");
    writeFileSync(join(fixture.root, "a.txt"), "b\n");
    const stale = await post("save", { path: "a.txt", text: "mine\n", hash });
    expect(stale.status).toBeGreaterThanOrEqual(400);
    expect((await get("file?path=a.txt")).text).toBe("b\n");
    const fresh = await get("file?path=a.txt");
    expect((await post("save", { path: "a.txt", text: "mine\n", hash: fresh.hash })).status).toBe(200);
    const changes = await get("changes");
    expect(changes.at(-1)).toMatchObject({ tool: "write_file", state: "done" });
    const undone = JSON.parse((await post("undo", { callIds: [changes.at(-1).callId] })).body);
    expect(undone[0].problem).toBeUndefined();
    expect((await get("file?path=a.txt")).text).toBe("b\n");
  });

  test("S4 console: edited arguments are rehearsed again and checked against the schema", async () => {
    const { post } = await open({ files: { "a.txt": "a\n" } });
    const good = JSON.parse(
      (await post("preview", { tool: "create_file", args: { path: "b.txt", content: "b\n" } })).body,
    );
    expect(good).toMatchObject({ effect: "ask", changes: [{ kind: "create", path: "b.txt" }] });
    const bad = JSON.parse((await post("preview", { tool: "create_file", args: { path: 7 } })).body);
    expect(bad.steps.find(({ passed }: { passed: boolean }) => !passed)).toMatchObject({
      code: "INVALID_ARGUMENTS",
    });
  });

  test("S4 console: hostile requests get a response and have no effect", async () => {
    const { api, base, headers, get } = await open();
    const bodies = ["", "{", "[]", "null", '"x"', '{"task":7}', '{"__proto__":{"a":1}}'];
    for (const body of bodies) {
      const sent = await fetch(`${api}/start`, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body,
      });
      expect(sent.status).toBeGreaterThanOrEqual(400);
    }
    for (const path of [
      "/api/",
      "/api/ffff/runs",
      "/api/%00/runs",
      "//evil.example",
      "/assets/../../package.json",
    ])
      expect((await send(`${base}${path}`, { headers })).status).toBeLessThan(500);
    expect(await get("events?run=../../etc/passwd")).toMatchObject({ code: "INVALID_ARGUMENTS" });
  });

  test("S4 console: refuses a body beyond 16 MB with 413, whether or not it declares its length", async () => {
    const { api, headers, get } = await open();
    const sent = { ...headers, "content-type": "application/json" };
    const text = JSON.stringify({ task: "x".repeat(17 * 1024 * 1024) });
    const chunked = new Blob([text]).stream();
    for (const body of [text, chunked]) {
      const init = { method: "POST", headers: sent, body, duplex: "half" } as RequestInit;
      const refused = await fetch(`${api}/start`, init);
      expect(refused.status).toBe(413);
      expect(await refused.json()).toMatchObject({
        code: "BODY_TOO_LARGE",
        message: expect.stringContaining("16 MB"),
      });
    }
    expect(await get("runs")).toEqual([]);
  });
});
