import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { until, useConsole } from "../../test-support/console-client.js";

const open = useConsole();
const EDIT = { path: "a.txt", old_string: "one", new_string: "two" };
const SCRIPT = [
  { calls: [{ name: "read_file", args: { path: "a.txt" } }] },
  { calls: [{ name: "edit", args: EDIT }] },
  { text: "All done." },
];

async function waiting() {
  const opened = await open({ files: { "a.txt": "one\n" }, script: SCRIPT });
  await opened.post("start", { task: "Edit it." });
  const [asked] = await until(
    () => opened.get("approvals"),
    (items) => items.length === 1,
  );
  const read = () => readFileSync(join(opened.fixture.root, "a.txt"), "utf8");
  const isOver = () =>
    until(
      () => opened.get("runs"),
      ([run]) => run.status === "done",
    );
  return { ...opened, asked, read, isOver };
}

const askedAgain = (get: Awaited<ReturnType<typeof open>>["get"], id: string) =>
  until(
    () => get("approvals"),
    (items) => items.length === 1 && items[0].id !== id,
  );

describe("edited arguments", () => {
  const modifiedArgs = { ...EDIT, new_string: "three" };

  test("FE10 prompt again with the digest of their effect, and apply only after that", async () => {
    const { asked, post, read, isOver, get } = await waiting();
    const edited = { id: asked.id, answer: { approved: true, modifiedArgs } };
    expect((await post("decide", edited)).status).toBe(200);
    const [again] = await askedAgain(get, asked.id);
    expect(again.request).toMatchObject({ callId: asked.request.callId, args: modifiedArgs });
    expect(again.request.planDigest).not.toBe(asked.request.planDigest);
    expect(again.request.changes[0].diff).toContain("+three");
    expect(read()).toBe("one\n");
    expect((await post("decide", { id: again.id, answer: { approved: true } })).status).toBe(200);
    await isOver();
    expect(read()).toBe("three\n");
  });

  test("FE10 are not applied without the second approval", async () => {
    const { asked, post, read, isOver, get } = await waiting();
    await post("decide", { id: asked.id, answer: { approved: true, modifiedArgs } });
    const [again] = await askedAgain(get, asked.id);
    await post("decide", { id: again.id, answer: { approved: false } });
    await isOver();
    expect(read()).toBe("one\n");
  });

  test("FE10 of a call without a run do not hold up the server until they are answered", async () => {
    const { get, post } = await open({ files: { "a.txt": "one\n" } });
    const trying = post("try", { tool: "create_file", args: { path: "b.txt", content: "b\n" } });
    const [asked] = await until(
      () => get("approvals"),
      (items) => items.length === 1,
    );
    const args = { path: "b.txt", content: "mine\n" };
    expect(
      (await post("decide", { id: asked.id, answer: { approved: true, modifiedArgs: args } })).status,
    ).toBe(200);
    const [again] = await askedAgain(get, asked.id);
    expect((await post("decide", { id: again.id, answer: { approved: true } })).status).toBe(200);
    expect(JSON.parse((await trying).body)).toMatchObject({ ok: true });
    expect((await get("file?path=b.txt")).text).toBe("mine\n");
  });
});
