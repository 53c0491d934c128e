import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { resolveRole } from "../roles/resolve-role.js";
import { loadConfig } from "./load-config.js";

let workspace: string;
beforeEach(() => {
  workspace = realpathSync(mkdtempSync(join(tmpdir(), "haft-duplicate-key-")));
});
afterEach(() => rmSync(workspace, { recursive: true, force: true }));

const put = (name: string, text: string) => writeFileSync(join(workspace, name), text);

describe("a configuration that names a key twice", () => {
  it.each([
    ["at the top", '{\n  "role": "reader",\n  "packs": [],\n  "role": "admin"\n}', 4, 2],
    ["inside an object", '{"web":\n{"hosts":["a.example"],\n"ports":[80],"hosts":["b.example"]}}', 3, 2],
    ["spelt with an escape", '{"role":"reader",\n"r\\u006fle":"admin"}', 2, 1],
    ["that Object.prototype has", '{"packConfig":{"x":{"__proto__":1,\n"__proto__":2}}}', 2, 1],
  ])("is refused with the lines: a key %s", async (_where, text, line, first) => {
    put("haft.config.json", text);
    const found = loadConfig({ trustFound: true, workspace });
    await expect(found).rejects.toMatchObject({
      code: "CONFIG_MALFORMED",
      message: expect.stringContaining(`line ${line} repeats a key of line ${first}`),
    });
  });

  it("may use a key in several objects, and quotes, braces and colons in values", async () => {
    put(
      "haft.config.json",
      '{"role":"reader","packConfig":{"a":{"k":"\\"k\\": {","l":["k","k",":"]},"b":{"k":{"k":1}}}}',
    );
    await expect(loadConfig({ trustFound: true, workspace })).resolves.toBeDefined();
  });

  it("is refused as a role file too, without a word of the file", async () => {
    put("role.json", '{"name":"secret-name",\n"permissions":[],\n"permissions":["ReadFiles"]}');
    const error = await resolveRole(join(workspace, "role.json")).catch((thrown) => thrown);
    expect(error.message).toMatch(/role\.json: line 3 repeats a key of line 2/);
    expect(error.message).not.toMatch(/secret-name|permissions/);
  });
});
