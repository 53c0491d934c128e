import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BUILT_IN_ROLES } from "@haft/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ConfigError } from "../config/config-error.js";
import { resolveRole } from "./resolve-role.js";
import { roleFileSchema } from "./role-schema.js";

let folder: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "haft-role-")));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("resolveRole", () => {
  it("S1.C4 the built-in roles have the permissions that their names suggest", async () => {
    const held = async (name: string) => [...(await resolveRole(name)).permissions].sort();
    expect(await held("reader")).toEqual(["ReadFiles"]);
    expect(await held("editor")).toEqual(["CreateFiles", "DeleteFiles", "ReadFiles", "WriteFiles"]);
    expect(await held("coder")).toEqual([
      "CreateFiles",
      "DeleteFiles",
      "ExecuteCommands",
      "ReadFiles",
      "RunCode",
      "WriteFiles",
    ]);
    expect(await held("researcher")).toEqual(["NetworkAccess", "ReadFiles"]);
    expect(await held("admin")).toHaveLength(7);
    expect(Object.entries(BUILT_IN_ROLES).every(([name, role]) => role.name === name)).toBe(true);
  });

  it("accepts a role object unchanged, and a copy of it", async () => {
    const permissions = ["ReadFiles", "x-own"] as const;
    const role = {
      name: "own",
      permissions,
      tools: ["grep"],
      rules: [{ effect: "deny", tool: "glob" }],
    } as const;
    const resolved = await resolveRole(role);
    expect(resolved).toEqual(role);
    expect(resolved.permissions).not.toBe(permissions);
  });

  it("reads a role file, relative to a folder or absolute", async () => {
    const role = { name: "from-file", permissions: ["ReadFiles"] };
    writeFileSync(join(folder, "r.json"), JSON.stringify({ $schema: "x", ...role }));
    expect(await resolveRole("r.json", folder)).toEqual(role);
    expect(await resolveRole("./r.json", folder)).toEqual(role);
    expect(await resolveRole(join(folder, "r.json"))).toEqual(role);
  });

  it.each(["a\n", "a\u001b[31m", "a\u2028b"])(
    "S1.C4 refuses the name %j, which is not one line",
    async (name) => {
      writeFileSync(join(folder, "r.json"), JSON.stringify({ name, permissions: ["ReadFiles"] }));
      await expect(resolveRole("r.json", folder)).rejects.toMatchObject({
        code: "CONFIG_INVALID",
        message: expect.stringContaining("name"),
      });
    },
  );

  it("FE6 does not quote a file that is not JSON: an untrusted configuration may name any file", async () => {
    for (const text of [
      "hunter2-hunter2",
      '{"a": hunter2-hunter2}',
      '{"a": "x"\nhunter2-hunter2',
      "[1, hunter2",
    ]) {
      writeFileSync(join(folder, "r.json"), text);
      const error = await resolveRole("r.json", folder).catch((thrown) => thrown);
      expect(error).toMatchObject({ code: "CONFIG_MALFORMED" });
      expect(`${error.message} ${error.hint} ${error.cause}`).not.toContain("unter2");
    }
  });

  it.each([
    ["a misspelt name", "codr", /coder/],
    ["a name of Object", "constructor", /Unknown role/],
    ["__proto__", "__proto__", /Unknown role/],
    ["a file that is not there", "./none.json", /not found/],
  ])("rejects %s", async (_name, role, told) => {
    const error = await resolveRole(role, folder).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(ConfigError);
    expect(`${error.message} ${error.hint}`).toMatch(told);
  });

  it.each([
    [
      "an unknown key",
      { name: "a", permissions: [], permisions: [] },
      /"permisions" is not a known key; did you mean "permissions"/,
    ],
    [
      "an unknown permission",
      { name: "a", permissions: ["Everything"] },
      /permissions\.0: "Everything" is not a permission; the permissions are ReadFiles, WriteFiles/,
    ],
    [
      "a misspelt permission",
      { name: "a", permissions: ["ReadFile"] },
      /permissions\.0: "ReadFile" is not a permission; did you mean "ReadFiles"\?/,
    ],
    ["no permissions", { name: "a" }, /"permissions" is missing/],
    [
      "a rule with an unknown key",
      { name: "a", permissions: [], rules: [{ efect: "deny" }] },
      /did you mean "effect"/,
    ],
    ["a number", 7, /must be object/],
  ])("rejects a role object with %s", async (_name, role, told) => {
    await expect(resolveRole(role as never)).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringMatching(told),
    });
  });
});

describe("the schema of role files", () => {
  it("is published as a file for editors, identical to the schema that validates", () => {
    const file = JSON.parse(readFileSync(new URL("./haft.role.schema.json", import.meta.url), "utf8"));
    expect(file).toEqual(JSON.parse(JSON.stringify(roleFileSchema)));
  });
});
