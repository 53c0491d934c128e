import { describe, expect, it } from "vitest";
import {
  HARMLESS_ENV_FILES,
  isSensitiveName,
  SENSITIVE_FOLDERS,
  SENSITIVE_GLOBS,
} from "./sensitive-names.js";

describe("sensitive names", () => {
  it("R19 S4.005.c every glob that commands skip names files that the guard rejects", () => {
    for (const glob of SENSITIVE_GLOBS) expect(isSensitiveName([glob.replaceAll("*", "x")]), glob).toBe(true);
    for (const folder of SENSITIVE_FOLDERS) expect(isSensitiveName([folder, "x"]), folder).toBe(true);
    for (const name of HARMLESS_ENV_FILES) expect(isSensitiveName([name]), name).toBe(false);
  });

  it("R19 S4.005.c committed objects, and a repository's settings, which may hold a password", () => {
    for (const path of [
      ".git/config",
      "sub/.git/config",
      ".git/modules/lib/config",
      ".git/objects/pack/x.pack",
      ".git/objects/ab/cdef",
      ".git/modules/lib/objects/ab/cdef",
      ".git/lfs/objects/ab/cdef",
      ".git/worktrees/w/config.worktree",
    ])
      expect(isSensitiveName(path.split("/")), path).toBe(true);
    for (const path of [
      ".git",
      ".git/objects",
      ".git/HEAD",
      ".git/info/exclude",
      "src/config",
      "objects/x",
      ".github/config",
    ])
      expect(isSensitiveName(path.split("/")), path).toBe(false);
  });

  it("FE18 documents about secrets can be read, files that hold them cannot", () => {
    for (const path of ["docs/secrets.md", "secrets.mdx", "credentials.rst", "docs/credentials.adoc"])
      expect(isSensitiveName(path.split("/")), path).toBe(false);
    for (const path of [
      "secrets.yml",
      "secrets.txt",
      "credentials.json",
      "docs/secrets.toml",
      ".env.md",
      "credentials.html",
    ])
      expect(isSensitiveName(path.split("/")), path).toBe(true);
  });

  it("match whole segments, never parts of a name", () => {
    for (const path of [
      "process.env.ts",
      "src/environment",
      "monkey",
      "credentials.ts",
      ".envoy/x",
      "id_rsa.pub",
    ])
      expect(isSensitiveName(path.split("/")), path).toBe(false);
    for (const path of [
      ".env",
      "a/.env.local",
      "deep/id_ed25519",
      ".ssh/config",
      "home/.kube/config",
      "credentials.yml",
    ])
      expect(isSensitiveName(path.split("/")), path).toBe(true);
  });
});
