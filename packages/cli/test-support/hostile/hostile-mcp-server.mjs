// An MCP server that answers every request with something a client should not trust. The argument selects what.
import { createInterface } from "node:readline";

const index = Number(process.argv[2]);
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const raw = (text) => process.stdout.write(`${text}\n`);
const schema = { type: "object", properties: { text: { type: "string" } } };
const tool = (name, inputSchema = schema) => ({ name, description: name, inputSchema });
const nested = (depth) => `${'{"type":"object","properties":{"a":'.repeat(depth)}{}${"}}".repeat(depth)}`;
const members = (count) => Array.from({ length: count }, (_, n) => `"k${n}":1,`).join("");

const LISTS = [
  (id) => send({ id, result: { tools: null } }),
  (id) => send({ id, result: { tools: Array.from({ length: 20_000 }, (_, n) => tool(`t${n}`)) } }),
  (id) =>
    raw(`{"jsonrpc":"2.0","id":${id},"result":{"tools":[{"name":"a","inputSchema":${nested(5_000)}}]}}`),
  (id) => raw(`{"jsonrpc":"2.0","id":${id},"result":{"tools":${"[".repeat(200_000)}${"]".repeat(200_000)}}}`),
  (id) =>
    send({
      id,
      result: {
        tools: [
          tool("a", {
            type: "object",
            properties: Object.fromEntries(
              Array.from({ length: 3_000 }, (_, n) => [
                `p${n}`,
                { anyOf: [{ type: "string" }, { type: "number" }] },
              ]),
            ),
          }),
        ],
      },
    }),
  (id) =>
    send({
      id,
      result: {
        tools: [tool("a", { type: "object", properties: { a: { type: "string", pattern: "^(x+x+)+y$" } } })],
      },
    }),
  (id) => send({ id, result: { tools: [tool("a", { $ref: "#" }), tool("b", { allOf: [{ $ref: "#" }] })] } }),
  (id) => send({ id, result: { tools: [tool("x".repeat(2_000_000))] } }),
  (id) => send({ id, result: { tools: [{ ...tool("a"), description: "\u001b[2J".repeat(500_000) }] } }),
  (id) => {
    send({ id, result: { tools: [tool("a")] } });
    send({ id, result: { tools: [] } });
    send({ id: 999, result: {} });
  },
  (id) => {
    for (let n = 0; n < 20_000; n += 1) send({ method: "notifications/tools/list_changed" });
    send({ id, result: { tools: [tool("a")] } });
  },
  (id) => {
    for (let n = 0; n < 5_000; n += 1) send({ id: `q${n}`, method: "sampling/createMessage", params: {} });
    send({ id, result: { tools: [tool("a")] } });
  },
  (id) => {
    raw("x".repeat(5_000_000));
    raw("{");
    raw("null");
    raw("[]");
    send({ id, result: { tools: [tool("a")] } });
  },
  (id) => send({ id, error: { code: "x", message: { a: 1 } } }),
  (id) => send({ id, error: { code: -1, message: "m".repeat(3_000_000) } }),
  () => process.exit(7),
  (id) => {
    process.stderr.write("e".repeat(2_000_000));
    send({ id, result: { tools: [tool("a")] } });
  },
  (id) =>
    raw(
      `{"jsonrpc":"2.0","id":${id},"result":{"__proto__":{"tools":[]},"tools":[{"name":"__proto__","inputSchema":{"type":"object"}}]}}`,
    ),
];
const RESULTS = [
  (id) =>
    send({ id, result: { content: Array.from({ length: 100_000 }, () => ({ type: "text", text: "x" })) } }),
  (id) => send({ id, result: { content: [{ type: "text", text: "y".repeat(8_000_000) }] } }),
  (id) => send({ id, result: { content: [{ type: "text", text: "\n".repeat(4_000_000) }] } }),
  (id) =>
    send({
      id,
      result: { content: [{ type: "image", mimeType: "image/png", data: "A".repeat(7_000_000) }] },
    }),
  (id) =>
    raw(
      `{"jsonrpc":"2.0","id":${id},"result":{"structuredContent":${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}}}`,
    ),
  (id) => raw(`{"jsonrpc":"2.0","id":${id},"result":{"content":[${"[],".repeat(1_500_000)}[]]}}`),
  (id) => {
    for (let n = 0; n < 20_000; n += 1)
      send({ method: "notifications/progress", params: { progressToken: 1, progress: n, message: "p" } });
    send({ id, result: {} });
  },
  (id) => send({ id, result: 7 }),
  (id) => send({ id, result: { content: [null, 1, [], {}, { type: {} }], isError: "yes" } }),
  () => process.exit(1),
  (id) =>
    raw(
      `{"jsonrpc":"2.0","id":${id},"result":{"structuredContent":{${members(1_000_000)}"z":1},"content":[]}}`,
    ),
  (id) => raw(`{"jsonrpc":"2.0","id":${id},"result":{"content":[${"1,".repeat(9_000_000)}1]}}`),
];

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === "initialize") {
    send({
      id,
      result: {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: "h", version: "1" },
      },
    });
  } else if (method === "tools/list") {
    if (index < LISTS.length) LISTS[index](id);
    else send({ id, result: { tools: [tool("a")] } });
  } else if (method === "tools/call") RESULTS[index % RESULTS.length](id);
});
process.stdout.on("error", () => process.exit(0));
