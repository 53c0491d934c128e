import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hostToolchains } from "./host-toolchains.js";
import { isPersonalFolder } from "./personal-folder.js";

let place: string;
let home: string;

beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), "haft-toolchains-")));
  home = join(place, "people/alice");
  mkdirSync(home, { recursive: true });
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

const make = (...paths: string[]) => {
  for (const path of paths) mkdirSync(path, { recursive: true });
};

describe("FE5 toolchains in the box", () => {
  it("excludes the folders in which gem and uv store credentials", () => {
    const seen = [".gem/ruby", ".local/share/uv/python", ".local/share/uv/tools"].map((name) =>
      join(home, name),
    );
    make(...seen, join(home, ".local/share/uv/credentials"));
    expect(hostToolchains({ HOME: home, PATH: "" }, join(place, "ws")).readOnly).toEqual(seen);
  });

  it("mounts the installation of a program, but no folder above the home directory", () => {
    make(join(place, "people/bin"), join(place, "tool/bin"), join(place, "tool/lib"));
    const PATH = [join(place, "people/bin"), join(place, "tool/bin")].join(":");
    const env = { HOME: home, PATH, JAVA_HOME: join(place, "people") };
    expect(hostToolchains(env, join(place, "ws")).readOnly).toEqual([
      join(place, "people/bin"),
      join(place, "tool"),
    ]);
  });

  it("omits Go's build cache, which Go cannot use read-only", () => {
    const cache = join(home, ".cache/go-build");
    make(cache, join(home, "go/pkg"));
    const seen = hostToolchains({ HOME: home, PATH: "", GOCACHE: cache }, join(place, "ws"));
    expect(seen.readOnly).toEqual([join(home, "go/pkg")]);
    expect(seen.env).not.toHaveProperty("GOCACHE");
  });

  it("shows only the programs of a project that holds secrets", () => {
    const programs = ["app/bin", "deploy/bin"].map((name) => join(place, name));
    make(...programs);
    writeFileSync(join(place, "deploy/server.pem"), "");
    writeFileSync(join(place, "app/.env"), "KEY=1\n");
    const env = { HOME: home, PATH: programs.join(":") };
    expect(hostToolchains(env, join(place, "ws")).readOnly).toEqual(programs);
  });

  it.each(["/home", "/home/bob", "/home/bob/.local", "/home/bob/.config", "/root", "/root/.cargo", "/"])(
    "treats %s as personal, whoever the user is",
    (path) => {
      expect(isPersonalFolder(path, "/home/alice")).toBe(true);
      if (path !== "/") expect(isPersonalFolder(path, undefined)).toBe(true);
    },
  );

  it.each(["/home/bob/.nvm", "/home/linuxbrew/.linuxbrew", "/opt/node", "/home/alice/.cargo/bin"])(
    "treats %s as a toolchain",
    (path) => expect(isPersonalFolder(path, "/home/alice")).toBe(false),
  );
});
