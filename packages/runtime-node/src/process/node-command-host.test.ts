import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CommandHost } from "@haft/core/capabilities";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type TemporaryWorkspace, temporaryWorkspace } from "../../test-support/temporary-workspace.js";
import { nodeCommandHost } from "./node-command-host.js";

let place: TemporaryWorkspace;
let host: CommandHost;

beforeEach(async () => {
  place = await temporaryWorkspace({
    "a.txt": "",
    "sub/b.txt": "",
    ".env": "",
    up: { link: ".." },
    inner: { link: "sub" },
    one: { link: "two" },
    two: { link: "one" },
    absolute: { link: "/etc/passwd" },
  });
  host = nodeCommandHost({
    local: place.workspace.local,
    env: { PATH: process.env.PATH, HOME: place.base },
  });
});
afterEach(() => place.dispose());

describe("nodeCommandHost", () => {
  it.each([
    ["a.txt", "inside"],
    [".", "inside"],
    ["", "inside"],
    ["inner/b.txt", "inside"],
    ["inner/../a.txt", "inside"],
    ["nothing/here", "inside"],
    ["up", "outside"],
    ["up/ws/a.txt", "inside"],
    ["..", "outside"],
    ["../ws-evil/secret.txt", "outside"],
    ["absolute", "outside"],
    ["one", "outside"],
    ["a\0b", "outside"],
    ["/", "outside"],
    [".ssh", "sensitive"],
    [".env", "sensitive"],
    ["sub/../.env", "sensitive"],
    ["up/ws/.env", "sensitive"],
  ])("S4.005.a judges a path by where it leads: %j is %s", (path, expected) => {
    expect(host.judgePath(path, ".")).toBe(expected);
  });

  it("S4.005.c treats a hard link to a secret as one, and a link with a secret's name too", () => {
    linkSync(join(place.root, ".env"), join(place.root, "harmless.txt"));
    linkSync(join(place.root, "a.txt"), join(place.root, "twin.txt"));
    symlinkSync("a.txt", join(place.root, "id_rsa"));
    expect(host.judgePath("harmless.txt", ".")).toBe("sensitive");
    expect(host.judgePath("twin.txt", ".")).toBe("inside");
    expect(host.judgePath("id_rsa", ".")).toBe("sensitive");
    expect(host.judgePath(join(place.root, "a.txt"), "sub")).toBe("inside");
    expect(host.judgePath("b.txt", "sub")).toBe("inside");
    expect(host.judgePath("../../outside/secret.txt", "sub")).toBe("outside");
  });

  it("returns the scripts of package.json, and none for an invalid file", () => {
    expect(host.scripts()).toEqual({});
    const write = (text: string) => writeFileSync(join(place.root, "package.json"), text);
    write('{"scripts":{"test":"x","build":"y"}}');
    expect(Object.keys(host.scripts())).toEqual(["test", "build"]);
    for (const text of ["{", "{}", '{"scripts":null}', " ".repeat(1024 * 1024 + 1)]) {
      write(text);
      expect(host.scripts()).toEqual({});
    }
  });

  it("distinguishes kinds of objects and names in a history, and does not guess if git refuses", async () => {
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], {
        cwd: join(place.root, "sub"),
      });
    expect(await host.gitKinds(["HEAD", "x"], "sub")).toEqual(["missing", "missing"]);
    expect(await host.gitKinds(["HEAD"], "not-there")).toEqual(["missing"]);
    git("init", "-q");
    git("add", "b.txt");
    git("commit", "-q", "-m", "one");
    git("tag", "-a", "-m", "t", "t", "HEAD:b.txt");
    const names = ["HEAD", "HEAD^{tree}", "HEAD:b.txt", "t", "t^{}", "nothing", "HEAD@{1 day ago}"];
    expect((await host.gitKinds(names, "sub")).slice(0, 6)).toEqual([
      "commit",
      "tree",
      "blob",
      "tag",
      "blob",
      "missing",
    ]);
    expect(await host.gitKinds(["HEAD\nHEAD"], "sub")).toEqual(["unknown"]);
    expect(await host.gitLogNames(["--all"], "sub")).toEqual(["b.txt"]);
    expect(await host.gitLogNames(["nothing", "--"], "sub")).toBeUndefined();
    writeFileSync(join(place.root, "sub/.git/config"), "[broken\n");
    expect(await host.gitKinds(["HEAD"], "sub")).toEqual(["unknown"]);
    expect(await host.gitKeys("sub")).toBeUndefined();
    expect(await host.gitLogNames(["--all"], "sub")).toBeUndefined();
  });

  it("lists git's keys where they apply, and the committer", async () => {
    expect(await host.gitKeys(".")).toEqual([]);
    execFileSync("git", ["init", "-q"], { cwd: join(place.root, "sub") });
    execFileSync("git", ["config", "filter.x.clean", "evil"], { cwd: join(place.root, "sub") });
    expect(await host.gitKeys("sub")).toContain("filter.x.clean");
    expect(await host.gitKeys(".")).toEqual([]);
    expect(await host.gitIdentity()).toEqual({});
    writeFileSync(join(place.base, ".gitconfig"), "[user]\nname = A B\nemail = a@b.c\n");
    expect(await host.gitIdentity()).toEqual({});
    const later = nodeCommandHost({
      local: place.workspace.local,
      env: { PATH: process.env.PATH, HOME: place.base },
    });
    expect(await later.gitIdentity()).toMatchObject({ GIT_AUTHOR_NAME: "A B", GIT_COMMITTER_EMAIL: "a@b.c" });
  });

  it("FR8 timers run while git is asked: the answer may depend on one", async () => {
    const go = join(place.base, "go");
    const programs = join(place.base, "programs");
    mkdirSync(programs);
    const slow = `#!/bin/sh\nwhile [ ! -e ${go} ]; do sleep 0.02; done\necho user.name\n`;
    writeFileSync(join(programs, "git"), slow, { mode: 0o755 });
    const PATH = `${programs}:${process.env.PATH}`;
    const slowly = nodeCommandHost({ local: place.workspace.local, env: { PATH, HOME: place.base } });
    setTimeout(() => writeFileSync(go, ""), 1);
    expect(await slowly.gitKeys(".")).toEqual(["user.name"]);
  });
});
