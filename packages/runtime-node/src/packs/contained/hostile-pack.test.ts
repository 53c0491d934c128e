import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRuntime } from "@haft/core";
import { MemoryWorkspace } from "@haft/core/memory";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { writePack } from "../../../test-support/write-pack.js";
import { loadPackFolder } from "../load-pack-folder.js";

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "haft-hostile-")));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function open(source: string) {
  writePack(folder, `define({ name: "good" }, async () => "fine");\n${source}`);
  const { tools } = await loadPackFolder(folder, { contain: { stopMs: 50, startMs: 30_000 } });
  return createRuntime({ workspace: new MemoryWorkspace({ "a.txt": "one\n" }), role: "editor", tools });
}

/** Calls the tool, and then checks that the runtime and the pack still work. */
async function outcome(source: string): Promise<string> {
  const runtime = await open(source);
  const { text } = await runtime.call("bad", {});
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(await runtime.call("good", {})).toMatchObject({ ok: true, value: "fine" });
  return text;
}

const PORT = 'require("node:worker_threads").parentPort';

describe("S1 hostile messages of a contained pack do not affect the host's own messages", () => {
  it.each([
    ["null", "null"],
    ["a text", '"ready"'],
    ["an answer", '{ type: "done", run: 1, value: "forged" }'],
    ["a failure", '{ type: "threw", run: 1 }'],
    ["a request", '{ type: "call", run: 1, id: 7, target: "workspace", name: "constructor", args: 3 }'],
  ])("%s, as a library would send it that believes it runs in its own worker", async (_what, message) => {
    const source = `define({ name: "bad" }, async () => {
      ${PORT}.postMessage(${message});
      setTimeout(() => ${PORT}.postMessage(${message}), 10);
      return "own";
    });`;
    expect(await outcome(source)).toBe('"own"');
  });

  it("also during its import", async () => {
    const forged = `for (const type of ["ready", "failed"]) ${PORT}.postMessage({ type });`;
    expect(await outcome(`${forged} define({ name: "bad" }, async () => 1);`)).toBe("1");
  });

  it("invalid reports, warnings and images", async () => {
    const source = `define({ name: "bad" }, async (_args, { report, warn, attach }) => {
      for (const odd of [undefined, null, 7, "text", { message: {} }]) { report(odd); warn(odd); attach(odd); }
      return 1;
    });`;
    expect(await outcome(source)).toContain("1");
  });
});

describe("S1 what a contained pack writes to file descriptor 3, which carries Haft's messages", () => {
  const framed = (body: string) =>
    `(() => { const body = require("node:v8").serialize(${body}); const head = Buffer.from("HAFT0000"); head.writeUInt32LE(body.length, 4); return Buffer.concat([head, body]); })()`;
  it.each([
    ["bytes", "Buffer.alloc(100, 0xff)"],
    ["zeros", "Buffer.alloc(100)"],
    ["a line of text", '"[debug] starting\\n"'],
    ["a length beyond all memory", 'Buffer.from("HAFT\\xff\\xff\\xff\\xff", "latin1")'],
    ["a message whose body is none", 'Buffer.from("HAFT\\x02\\0\\0\\0no", "latin1")'],
    ["null as a message", framed("null")],
    ["a result that is none", framed('{ type: "done", run: 1, bytes: 7 }')],
    ["an error that is none", framed('{ type: "threw", run: 1 }')],
  ])("%s: its process ends, and this one goes on", async (_what, bytes) => {
    const source = `define({ name: "bad" }, async () => {
      require("node:fs").writeSync(3, ${bytes});
      return new Promise(() => {});
    });`;
    expect(await outcome(source)).toMatch(
      /EXECUTION_ERROR: The process of bad ended before the call did: it wrote to file descriptor 3, which carries/,
    );
  });

  it("bytes between its calls: only that process ends, and the next call gets a new one", async () => {
    const runtime = await open(`
      let calls = 0;
      define({ name: "count" }, async () => ++calls);
      define({ name: "plants" }, async () => { calls++; setTimeout(() => require("node:fs").writeSync(3, "late"), 20); });`);
    expect(await runtime.call("plants", {})).toMatchObject({ ok: true });
    const isNew = async () => expect(await runtime.call("count", {})).toMatchObject({ ok: true, value: 1 });
    await vi.waitFor(isNew, { timeout: 20_000, interval: 100 });
  });

  it("nothing, because it closed the descriptor: the call ends", async () => {
    const source = `define({ name: "bad", timeoutMs: 2000 }, async () => require("node:fs").closeSync(3));`;
    expect(await outcome(source)).toMatch(/EXECUTION_ERROR|TIMEOUT/);
  });
});

describe("S1 a contained pack that floods is stopped in time, without using up the host's memory", () => {
  it.each([
    ["reports", `(_args, { report }) => { for (;;) report({ message: "x".repeat(1000) }); }`, "TIMEOUT"],
    ["warnings", `(_args, { warn }) => { for (;;) warn("x".repeat(1000)); }`, "TIMEOUT"],
    [
      "reads",
      `(_args, { workspace }) => { for (;;) workspace.readText("a.txt").catch(() => {}); }`,
      "memory limit|TIMEOUT",
    ],
    [
      "reads between which it waits for nothing",
      `async (_args, { workspace }) => { for (;;) { workspace.readText("a.txt").catch(() => {}); await 0; } }`,
      "memory limit|TIMEOUT",
    ],
  ])("%s", { timeout: 60_000 }, async (_what, run, expected) => {
    const before = process.memoryUsage().rss;
    const started = performance.now();
    const options = '{ name: "bad", permissions: ["ReadFiles"], timeoutMs: 1000 }';
    expect(await outcome(`define(${options}, ${run});`)).toMatch(new RegExp(expected));
    expect(performance.now() - started).toBeLessThan(20_000);
    // The pack has its own process; its message queue in this one once grew to gigabytes.
    expect(process.memoryUsage().rss - before).toBeLessThan(300e6);
  });

  it.each([
    ["an array", "const all = []; for (;;) all.push(1.5);"],
    ["a map", "const all = new Map(); for (;;) all.set(all.size, 1.5);"],
    ["a text", 'let all = "x"; for (;;) { all += all; JSON.stringify(all); }'],
    ["buffers", "const all = []; for (;;) all.push(Buffer.alloc(1e6, 1));"],
  ])(
    "S1 one value that grows beyond the memory limit ends its call only: %s",
    { timeout: 60_000 },
    async (_what, body) => {
      expect(await outcome(`define({ name: "bad", timeoutMs: 30000 }, async () => { ${body} });`)).toMatch(
        /EXECUTION_ERROR: (The process of bad ended before the call did: .*memory limit|Invalid string length)/,
      );
    },
  );

  it("many simultaneous reads are all answered", async () => {
    const source = `define({ name: "bad", permissions: ["ReadFiles"] }, async (_args, { workspace }) => {
      const texts = await Promise.all(Array.from({ length: 2000 }, () => workspace.readText("a.txt")));
      return texts.filter((text) => text === "one\\n").length;
    });`;
    expect(await outcome(source)).toBe("2000");
  });

  it("truncates long warnings, and drops images beyond the size limit of a result", async () => {
    const runtime = await open(`define({ name: "bad" }, async (_args, { warn, attach }) => {
      warn("x".repeat(1e6));
      const data = "A".repeat(40e6);
      return [attach({ mimeType: "image/png", data }), attach({ mimeType: "image/png", data })];
    });`);
    const result = await runtime.call("bad", {});
    expect(result).toMatchObject({ ok: true, value: [true, false] });
    expect(result.warnings?.[0]).toHaveLength(2000);
  });

  it("keeps only the first warnings, and delivers the last report", async () => {
    const runtime = await open(`define({ name: "bad" }, async (_args, { report, warn }) => {
      for (let i = 1; i <= 1000; i++) { report({ message: String(i) }); warn("warning " + i); }
      return 1;
    });`);
    const heard: string[] = [];
    runtime.watch((event) => event.type === "progress" && heard.push(event.progress.message));
    const { warnings } = await runtime.call("bad", {});
    expect(warnings).toHaveLength(101);
    expect(warnings.at(-1)).toBe("The tool made more than 100 warnings; the others are left out.");
    expect(heard.at(-1)).toBe("1000");
    expect(heard.length).toBeLessThan(100);
  });

  it.each([
    ["bytes", "new Uint8Array(300e6)"],
    ["a text", '"x".repeat(80e6)'],
  ])("a result of many megabytes is refused: %s", { timeout: 60_000 }, async (_what, value) => {
    expect(await outcome(`define({ name: "bad" }, async () => ${value});`)).toMatch(
      /EXECUTION_ERROR: bad returned \d+ MB; a contained tool may return at most 64 MB/,
    );
  });
});

describe("S1 values and errors with traps", () => {
  it.each([
    ["a getter that throws", "return { get a() { throw new Error('trap'); } };", /trap/],
    [
      "a proxy",
      "return new Proxy({}, { ownKeys() { throw new Error('trap'); } });",
      /trap|could not be cloned/,
    ],
    [
      "a generator that never ends",
      "return (async function* () { for (;;) yield 1; })();",
      /could not be cloned/,
    ],
    [
      "an error whose members throw",
      "throw new Proxy(new Error('x'), { get() { throw new Error('trap'); } });",
      /trap/,
    ],
    [
      "an error with an odd message",
      "throw Object.assign(new Error('x'), { message: { a: 1 }, code: {} });",
      /object Object/,
    ],
    ["nothing thrown", "throw undefined;", /undefined/],
    ["names of prototypes", `return JSON.parse('{"__proto__":{"polluted":true}}');`, /polluted/],
    [
      "a changed prototype",
      "Object.prototype.polluted = Object.prototype.toJSON = () => 'x'; return { a: 1 };",
      /"a":1/,
    ],
    [
      "a rejection that nobody handles",
      "Promise.reject(new Error('nobody listens')); await new Promise((r) => setTimeout(r, 500));",
      /nobody listens/,
    ],
    ["a thenable that never settles", "return { then() {} };", /TIMEOUT/],
  ])("%s", async (_what, body, expected) => {
    expect(await outcome(`define({ name: "bad", timeoutMs: 2000 }, async () => { ${body} });`)).toMatch(
      expected,
    );
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

describe("S1 the error for a pack with an invalid definition", () => {
  it.each([
    [
      "ends its process on import",
      "process.exit(0);",
      /^acme-pack could not be imported: it ended its own process$/,
    ],
    [
      "permissions that are no list",
      'define({ name: "bad", permissions: "ReadFiles" }, async () => 1);',
      /^acme-pack.*: the definition of bad is wrong: permissions must be a list of permissions; got "ReadFiles"$/,
    ],
    [
      "an unknown permission",
      'define({ name: "bad", permissions: ["ReadFile"] }, async () => 1);',
      /^acme-pack.*: the definition of bad is wrong: "ReadFile" is not a permission\. Did you mean "ReadFiles"\?$/,
    ],
    [
      "no summary",
      'define({ name: "bad", summary: undefined }, async () => 1);',
      /^acme-pack.*: the definition of bad is wrong: summary must be one line of text, with the rest in guidance; got nothing$/,
    ],
    [
      "a time limit that is no number",
      'define({ name: "bad", timeoutMs: "soon" }, async () => 1);',
      /^acme-pack.*: the definition of bad is wrong: timeoutMs must be a number above 0; got "soon"$/,
    ],
    [
      "aliases that are no lists",
      'define({ name: "bad", aliases: { path: "file" } }, async () => 1);',
      /^acme-pack.*: the definition of bad is wrong: aliases must be lists of names by parameter; got \{"path":"file"\}$/,
    ],
  ])("%s", async (_what, source, message) => {
    for (const contain of source.startsWith("process") ? [true] : [true, false]) {
      writePack(folder, source);
      await expect(loadPackFolder(folder, { contain })).rejects.toMatchObject({
        code: "PACK_FAILED",
        message: expect.stringMatching(message),
      });
      rmSync(folder, { recursive: true, force: true });
      folder = realpathSync(mkdtempSync(join(tmpdir(), "haft-hostile-")));
    }
  });
});
