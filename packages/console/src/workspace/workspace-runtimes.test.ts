import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { useConsole } from "../../test-support/console-client.js";
import { send } from "../../test-support/http-client.js";

const open = useConsole();

test("S4 console: names a missing workspace folder, and reads and writes the one created in its place", async () => {
  const { fixture, api, headers, get, post } = await open({ files: { "a.txt": "1\n" } });
  const save = (name: string) => post("save", { path: name, text: "mine\n" });
  rmSync(fixture.root, { recursive: true });
  const gone = await send(`${api}/tree?path=`, { headers });
  expect([gone.status, JSON.parse(gone.body)]).toMatchObject([400, { code: "PATH_NOT_FOUND" }]);
  // A failure is not kept for later saves.
  expect((await save("b.txt")).status).toBe(400);
  mkdirSync(fixture.root);
  writeFileSync(join(fixture.root, "cloned.txt"), "new\n");
  expect(await get("tree?path=")).toMatchObject([{ path: "cloned.txt" }]);
  expect((await save("b.txt")).status).toBe(200);
  expect(readFileSync(join(fixture.root, "b.txt"), "utf8")).toBe("mine\n");
});
