import { afterEach, describe, expect, it } from "vitest";
import { type ConnectOptions, wire } from "../fixtures/connect.js";

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
};

type Wired = ReturnType<typeof wire>;
const open: Wired[] = [];

/** An initialized server, and a function that sends it any bytes. */
async function greeted(options?: ConnectOptions) {
  const wired = wire(options);
  open.push(wired);
  wired.input.write(
    `${JSON.stringify(INITIALIZE)}\n{"jsonrpc":"2.0","method":"notifications/initialized"}\n`,
  );
  await answer(wired, 0);
  return wired;
}

afterEach(() => {
  for (const { input } of open.splice(0)) input.end();
});

async function answer({ written }: Wired, id: number | undefined): Promise<Record<string, never>> {
  const find = () =>
    written.map((line) => JSON.parse(line)).find((message) => message.id === id && !message.method);
  await expect.poll(find, { timeout: 10_000 }).toBeDefined();
  return find();
}

const callText = (id: number, args: string, tool = "read_note") =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${tool}","arguments":${args}}}\n`;

async function stillAnswers(wired: Wired, id = 999): Promise<void> {
  wired.input.write(callText(id, '{"path":"a.txt"}'));
  expect(await answer(wired, id)).toMatchObject({ result: { structuredContent: { content: "old\n" } } });
}

describe("hostile arguments", () => {
  it("ha-902 __proto__ reaches our own parser, which rejects it", async () => {
    const wired = await greeted();
    wired.input.write(callText(1, '{"path":"a.txt","__proto__":{"polluted":true}}'));
    expect(await answer(wired, 1)).toMatchObject({
      result: { isError: true, _meta: { "haft/error": { code: "INVALID_ARGUMENTS" } } },
    });
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    await stillAnswers(wired);
  });

  it.each([
    ["a wrong type", '{"path":1}'],
    ["a list", "[1,2]"],
    ["a text that is no JSON", '"path: a"'],
    ["a number", "7"],
    ["constructor", '{"constructor":{"prototype":{"polluted":true}}}'],
    ["100 levels", `{"path":${"[".repeat(100)}${"]".repeat(100)}}`],
    ["100,000 levels", `{"path":${"[".repeat(100_000)}${"]".repeat(100_000)}}`],
    ["half a surrogate pair", '{"path":"\\ud800"}'],
    ["a 10 MB path", `{"path":"${"x".repeat(10_000_000)}"}`],
    ["too many keys", `{${Array.from({ length: 200_000 }, (_, index) => `"k${index}":1`).join()}}`],
    ["nothing", "{}"],
  ])("ha-901 %s is INVALID_ARGUMENTS", async (_name, args) => {
    const wired = await greeted();
    wired.input.write(callText(1, args));
    expect(await answer(wired, 1)).toMatchObject({
      result: { isError: true, _meta: { "haft/error": { code: "INVALID_ARGUMENTS" } } },
    });
    await stillAnswers(wired);
  });

  it("parses arguments in the form of JSON text", async () => {
    const wired = await greeted();
    wired.input.write(callText(1, JSON.stringify('{"path":"a.txt"}')));
    expect(await answer(wired, 1)).toMatchObject({ result: { structuredContent: { content: "old\n" } } });
  });

  it("missing arguments are undefined", async () => {
    const wired = await greeted();
    wired.input.write('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"picture"}}\n');
    expect(await answer(wired, 1)).toMatchObject({ result: { structuredContent: { width: 1 } } });
  });

  it.each(["toString", "__proto__", "constructor", "", "x".repeat(5_000)])(
    "the tool %j is unknown",
    async (tool) => {
      const wired = await greeted();
      wired.input.write(callText(1, "{}", tool));
      expect(await answer(wired, 1)).toMatchObject({
        result: { isError: true, structuredContent: { error: { code: "TOOL_NOT_FOUND" } } },
      });
    },
  );

  it("an unknown token has no effect", async () => {
    const wired = await greeted();
    wired.input.write(callText(1, '{"haft/raw-arguments":"guess"}'));
    expect(await answer(wired, 1)).toMatchObject({
      result: { _meta: { "haft/error": { code: "INVALID_ARGUMENTS" } } },
    });
  });
});

describe("hostile messages", () => {
  it.each([
    ["what is not JSON", "{oops", undefined, -32700],
    ["what is no message", '{"id":5,"hello":1}', 5, -32600],
    ["a bare value", "null", undefined, -32600],
    ["a batch", `[${JSON.stringify(INITIALIZE)}]`, undefined, -32600],
    [
      "a tool name that is no text",
      '{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":1}}',
      5,
      -32602,
    ],
    ["an unknown method", '{"jsonrpc":"2.0","id":5,"method":"nope"}', 5, -32601],
  ])("%s is answered by an error of the protocol", async (_name, text, id, code) => {
    const errors: Error[] = [];
    const wired = await greeted({ options: { onError: (error) => errors.push(error) } });
    wired.input.write(`${text}\n\n`);
    expect(await answer(wired, id)).toMatchObject({ error: { code } });
    await stillAnswers(wired);
  });

  it.each([
    [
      "last",
      (filler: string) => `{"jsonrpc":"2.0","method":"tools/call","params":{"name":"${filler}"},"id":5}`,
    ],
    [
      "first",
      (filler: string) => `{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"${filler}"}}`,
    ],
  ])(
    "a message beyond all bounds is refused by its id, which stands %s",
    async (_where, message) => {
      const wired = await greeted();
      wired.input.write(`${message("x".repeat(65 * 1024 * 1024))}\n`);
      expect(await answer(wired, 5)).toMatchObject({
        error: { code: -32600, message: "The message is too large" },
      });
      await stillAnswers(wired);
    },
    30_000,
  );

  it("a message in many pieces, split inside a character, is one message", async () => {
    const wired = await greeted({ files: { "ä.txt": "old\n" } });
    const bytes = Buffer.from(callText(1, '{"path":"ä.txt"}'));
    for (const byte of bytes) wired.input.write(Buffer.from([byte]));
    expect(await answer(wired, 1)).toMatchObject({ result: { structuredContent: { content: "old\n" } } });
  });
});

describe("the end of input", () => {
  it("comes after the responses to earlier requests", async () => {
    const wired = await greeted();
    wired.input.write(callText(1, '{"steps":1}', "slow"));
    wired.input.end();
    expect(await answer(wired, 1)).toMatchObject({ result: { structuredContent: { aborted: false } } });
    await wired.service.closed;
  });

  it("does not wait for cancelled requests", async () => {
    const wired = await greeted();
    wired.input.write(callText(1, '{"steps":1,"forever":true}', "slow"));
    wired.input.write('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}\n');
    wired.input.end();
    await wired.service.closed;
  });

  it("a closed reader ends the service", async () => {
    const wired = await greeted();
    wired.output.destroy(new Error("EPIPE"));
    await wired.service.closed;
  });

  it("close ends it from our side", async () => {
    const wired = await greeted();
    await wired.service.close();
    await wired.service.closed;
  });
});
