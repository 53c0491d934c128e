import { describe, expect, it } from "vitest";
import { IgnoreFile } from "./ignore-file.js";
import { IgnoreScope } from "./ignore-scope.js";

function verdict(rules: string, path: string, isFolder = false) {
  return new IgnoreFile(rules).match(path, path.slice(path.lastIndexOf("/") + 1), isFolder);
}

describe("IgnoreFile", () => {
  it.each([
    ["*.log", "a/b.log", "ignore"],
    ["*.log\n!keep.log", "keep.log", "keep"],
    ["!keep.log\n*.log", "keep.log", "ignore"],
    ["/a.txt", "a.txt", "ignore"],
    ["/a.txt", "b/a.txt", undefined],
    ["a/b.txt", "a/b.txt", "ignore"],
    ["a/b.txt", "x/a/b.txt", undefined],
    ["a/b.txt\n!a/b.txt", "a/b.txt", "keep"],
    ["!a/b.txt\n*.txt", "a/b.txt", "ignore"],
    ["*.txt\n!a/b.txt", "a/b.txt", "keep"],
    ["a//b.txt", "a/b.txt", undefined],
    ["a/é.txt", "a/é.txt", "ignore"],
    ["**/b.txt", "x/a/b.txt", "ignore"],
    ["a/**/z", "a/z", "ignore"],
    ["# no", "# no", undefined],
    ["\\#yes", "#yes", "ignore"],
    ["\\!yes", "!yes", "ignore"],
    ["trailing   ", "trailing", "ignore"],
    ["*.d.ts", "x.d.ts", "ignore"],
    ["*.ts\r\n*.js\r\n", "x.js", "ignore"],
    ["*.ts\r\n*.js\r", "x.js", "ignore"],
    ["./a.txt", "a.txt", undefined],
    ["\ufeff*.tmp\n*.js", "x.tmp", "ignore"],
    ["[ab].txt", "b.txt", "ignore"],
    ["foo?", "foo1", "ignore"],
    ["", "x", undefined],
  ])("%j on %s", (rules, path, expected) => {
    expect(verdict(rules, path)).toBe(expected);
  });

  it("applies rules for folders only to folders", () => {
    expect(verdict("build/", "build")).toBeUndefined();
    expect(verdict("build/", "build", true)).toBe("ignore");
    expect(verdict("/a/build/", "a/build")).toBeUndefined();
    expect(verdict("/a/build/", "a/build", true)).toBe("ignore");
    expect(verdict("*.x/", "a.x")).toBeUndefined();
    expect(verdict("*.x/", "a.x", true)).toBe("ignore");
  });
});

describe("IgnoreScope", () => {
  it("the nearest file decides, .ignore before git's, and git's rules end at a repository", () => {
    const root = IgnoreScope.empty.enter("", { gitignore: "*.log\n*.tmp", ignore: "*.bak" });
    const inner = root.enter("a/", { gitignore: "!x.log" });
    expect(inner.match("a/x.log", "x.log", false)).toBe("keep");
    expect(inner.match("a/y.log", "y.log", false)).toBe("ignore");
    const repository = root.enter("a/", { isRepository: true, exclude: "*.o" });
    expect(repository.match("a/y.log", "y.log", false)).toBeUndefined();
    expect(repository.match("a/y.o", "y.o", false)).toBe("ignore");
    expect(repository.match("a/y.bak", "y.bak", false)).toBe("ignore");
    const outranked = root.enter("b/", { ignore: "!*.log" });
    expect(outranked.match("b/y.log", "y.log", false)).toBe("keep");
  });
});
