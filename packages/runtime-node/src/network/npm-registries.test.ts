import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { boxedSettings, npmRegistries, registryFor } from "./npm-registries.js";

const KEY = "key-of-the-user-2209";
let home: string;
let root: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "haft-home-"));
  root = mkdtempSync(join(tmpdir(), "haft-root-"));
});
afterEach(() => {
  for (const folder of [home, root]) rmSync(folder, { recursive: true, force: true });
});

const registries = () => npmRegistries({ HOME: home, OPENAI_API_KEY: KEY, NPM_TOKEN: "token" }, root);

describe("FE5 variables in npm settings", () => {
  it.each([
    "@x:registry=https://registry.npmjs.org/${OPENAI_API_KEY}/",
    "registry=https://packages.example.com/${OPENAI_API_KEY}/",
    'registry="https://${OPENAI_API_KEY}.example.com/"',
  ])("the workspace's %j reveals no variable of the host to the box", (line) => {
    writeFileSync(join(root, ".npmrc"), `${line}\n`);
    expect(boxedSettings(registries(), "http://127.0.0.1:3128")).not.toContain(KEY);
    expect(JSON.stringify(registries())).not.toContain(KEY);
  });

  it("the workspace's credentials may name a variable", () => {
    writeFileSync(join(root, ".npmrc"), "//registry.npmjs.org/:_authToken=${NPM_TOKEN}\n");
    expect(registries()[0]).toMatchObject({ authorization: "Bearer token" });
  });

  it("the user's own settings may name one anywhere", () => {
    writeFileSync(join(home, ".npmrc"), "registry=https://${NPM_TOKEN}.example.com/\n");
    expect(registries()[0]).toMatchObject({ url: "https://token.example.com/" });
  });
});

describe("registries and credentials", () => {
  const user = (...lines: readonly string[]) => writeFileSync(join(home, ".npmrc"), lines.join("\n"));
  const basic = `Basic ${Buffer.from("ann:secret").toString("base64")}`;

  it.each([
    ["a token", ["//npm.example/team/:_authToken=abc"], "Bearer abc"],
    ["a token of a folder above", ["//npm.example/:_authToken=abc"], "Bearer abc"],
    ["a name and password in one", ["//npm.example/team/:_auth=YTpi"], "Basic YTpi"],
    [
      "a name and a password",
      ["//npm.example/:username=ann", `//npm.example/:_password=${Buffer.from("secret").toString("base64")}`],
      basic,
    ],
    ["a name alone", ["//npm.example/:username=ann"], undefined],
    ["a token of another host", ["//evil.example/:_authToken=abc"], undefined],
    ["a token of a folder below", ["//npm.example/team/more/:_authToken=abc"], undefined],
  ])("sends %s as npm would", (_title, lines, authorization) => {
    user("registry=https://npm.example/team", ...lines);
    expect(registries()).toEqual([
      {
        url: "https://npm.example/team/",
        isTrusted: true,
        ...(authorization !== undefined && { authorization }),
      },
    ]);
  });

  it("never sends the user's credentials where only the workspace points", () => {
    user("//registry.npmjs.org/:_authToken=mine");
    writeFileSync(
      join(root, ".npmrc"),
      "@evil:registry=https://evil.example/\n//evil.example/:_authToken=${NPM_TOKEN}\n",
    );
    expect(registries()).toEqual([
      { url: "https://registry.npmjs.org/", isTrusted: true, authorization: "Bearer mine" },
      { scope: "@evil", url: "https://evil.example/", isTrusted: false },
    ]);
  });

  it("FE5 never sends the user's credentials in plain text because the workspace configures http", () => {
    user("registry=https://npm.example/", "//npm.example/:_authToken=mine");
    writeFileSync(join(root, ".npmrc"), "@own:registry=http://npm.example/\n");
    expect(registries()).toEqual([
      { url: "https://npm.example/", isTrusted: true, authorization: "Bearer mine" },
      { scope: "@own", url: "http://npm.example/", isTrusted: false },
    ]);
  });

  it("prefers the environment, and reads any settings file that it names", () => {
    const other = join(home, "other-npmrc");
    writeFileSync(other, '; a comment\n# another\nnot a setting\n@own:registry = "https://own.example"\n');
    const env = { npm_config_userconfig: other, NPM_CONFIG_REGISTRY: "https://env.example" };
    expect(npmRegistries(env, root)).toEqual([
      { url: "https://env.example/", isTrusted: true },
      { scope: "@own", url: "https://own.example/", isTrusted: true },
    ]);
  });

  it.each(["", "not an address", "file:///etc", "https://", "javascript:alert(1)"])(
    "ignores a registry that is no web address: %j",
    (registry) => {
      user(`registry=${registry}`);
      expect(registries()).toMatchObject([{ url: "https://registry.npmjs.org/" }]);
      expect(npmRegistries({ npm_config_registry: registry }, root)).toMatchObject([
        { url: "https://registry.npmjs.org/" },
      ]);
    },
  );

  it("finds the registry that a request is meant for", () => {
    user("@own:registry=https://own.example/npm/", "@other:registry=https://other.example/npm/");
    const at = (path: string) => registryFor(registries(), path)?.url;
    expect(at("/npm/@own/thing")).toBe("https://own.example/npm/");
    expect(at("/npm/@other%2fthing")).toBe("https://other.example/npm/");
    expect(at("/thing")).toBe("https://registry.npmjs.org/");
    expect(registryFor([], "/thing")).toBeUndefined();
  });
});
