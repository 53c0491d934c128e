import { type IncomingMessage, get as request } from "node:http";
import { expect, test } from "vitest";
import { consoleClient, until, useConsole } from "../../test-support/console-client.js";
import type { ConsoleEvent } from "../protocol.js";

const open = useConsole();
const EDIT = { name: "write_file", args: { path: "a.txt", content: "two\n" } };
const SCRIPT = [
  { calls: [{ name: "read_file", args: { path: "a.txt" } }] },
  { calls: [EDIT] },
  { text: "All done." },
];
const FILES = { "a.txt": "one\n" };

test("S3.APPR a page that has just connected learns that a request it showed was decided", async () => {
  const { fixture, get, post } = await open({ script: SCRIPT, files: FILES });
  await post("start", { task: "x" });
  const [item] = await until(
    () => get("approvals"),
    (items) => items.length === 1,
  );
  // The new server has not announced the request when the page connects.
  await fixture.restart();
  const client = await consoleClient(fixture);
  await using page = await listen(client);
  const waiting = () =>
    page.events.findLast((event) => event.kind === "approvals")?.items.map(({ id }) => id);
  await until(
    async () => waiting(),
    (ids) => ids?.[0] === item.id,
  );
  await client.post("decide", { id: item.id, answer: { approved: true } });
  await until(
    async () => waiting(),
    (ids) => ids?.length === 0,
  );
  expect(page.events).toContainEqual({ kind: "decided", id: item.id, by: "ada", approved: true });
});

test("S3.APPR of many simultaneous answers exactly one counts, and the others are told", async () => {
  const { get, post } = await open({ script: SCRIPT, files: FILES });
  await post("start", { task: "x" });
  const [{ id }] = await until(
    () => get("approvals"),
    (items) => items.length === 1,
  );
  const answers = [
    { approved: true },
    { approved: false },
    { approved: true, modifiedArgs: { ...EDIT.args, content: "three\n" } },
    { approved: true, modifiedArgs: { ...EDIT.args, content: "four\n" } },
    { approved: false, abort: true },
  ];
  const given = await Promise.all(answers.map((answer) => post("decide", { id, answer })));
  expect(given.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409]);
  const refused = given.filter(({ status }) => status === 409).map(({ body }) => JSON.parse(body).code);
  expect(new Set(refused)).toEqual(new Set(["ALREADY_DECIDED"]));
});

interface Listening extends AsyncDisposable {
  readonly events: ConsoleEvent[];
}

/** Listens like a page. */
async function listen({ api, headers }: Awaited<ReturnType<typeof consoleClient>>): Promise<Listening> {
  const events: ConsoleEvent[] = [];
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(`${api}/stream`, { headers }, resolve).once("error", reject);
  });
  let text = "";
  response.setEncoding("utf8").on("data", (part: string) => {
    text += part;
    const messages = text.split("\n\n");
    text = messages.pop() ?? "";
    for (const message of messages) {
      const [, data] = /^data: (.*)$/m.exec(message) ?? [];
      if (data !== undefined) events.push(JSON.parse(data));
    }
  });
  return {
    events,
    [Symbol.asyncDispose]: async () => {
      response.destroy();
    },
  };
}
