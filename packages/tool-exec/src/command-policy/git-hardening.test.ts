import { describe, expect, it } from "vitest";
import { gitHardening, hardenGit, isRiskyGitKey } from "./git-hardening.js";

describe("git hardening", () => {
  it.each([
    ...[
      "filter.x.clean",
      "filter.x.smudge",
      "filter.x.process",
      "diff.external",
      "diff.x.textconv",
      "diff.x.command",
    ],
    ...["merge.x.driver", "gpg.program", "gpg.ssh.program", "core.pager", "core.editor", "core.sshCommand"],
    ...[
      "core.attributesFile",
      "core.fsmonitor",
      "core.hooksPath",
      "alias.st",
      "include.path",
      "includeIf.x.path",
    ],
    ...["credential.helper", "pager.log", "trailer.x.command", "remote.origin.uploadpack", "CORE.PAGER"],
  ])("%s makes a command ask", (key) => {
    expect(isRiskyGitKey(key)).toBe(true);
  });

  it.each([
    ...[
      "user.name",
      "core.bare",
      "core.filemode",
      "remote.origin.url",
      "remote.origin.fetch",
      "branch.main.merge",
    ],
    ...["filter.lfs.required", "diff.algorithm", "gpg.format", "color.ui"],
  ])("%s does not", (key) => {
    expect(isRiskyGitKey(key)).toBe(false);
  });

  it("puts overrides before the subcommand and flags after it", () => {
    const args = hardenGit(["log", "-1"]);
    expect(args.slice(0, 3)).toEqual(["--no-pager", "-c", gitHardening.overrides[0]]);
    expect(args.slice(args.indexOf("log"))).toEqual(["log", "--no-ext-diff", "--no-textconv", "-1"]);
    expect(hardenGit(["--no-pager", "status"]).filter((arg) => arg === "--no-pager")).toHaveLength(1);
  });

  it("excludes sensitive files only if contents are printed", () => {
    const excludes = (...args: string[]) => hardenGit(args).some((arg) => arg.startsWith(":(top,exclude"));
    expect(excludes("diff")).toBe(true);
    expect(excludes("log", "-p")).toBe(true);
    expect(excludes("log", "--oneline")).toBe(false);
    expect(excludes("log", "-S", "key", "--oneline")).toBe(true);
    expect(excludes("log", "-Gkey")).toBe(true);
    expect(excludes("log", "--grep", "-p")).toBe(false);
    expect(excludes("log", "-p", "--grep", "--follow")).toBe(true);
    expect(excludes("reflog", "-p", "--", "-L")).toBe(true);
    expect(excludes("log", "--follow", "-p", "a.ts")).toBe(false);
    expect(excludes("status")).toBe(false);
    expect(excludes("add", "-A")).toBe(true);
    expect(excludes("add", "src")).toBe(true);
    expect(excludes("add")).toBe(false);
    expect(excludes("add", "-n")).toBe(false);
  });
});
