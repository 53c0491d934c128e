import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { packageJson, packageNames, ROOT } from "./source-files.js";

const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const published = packageNames().filter(
  (name) => (packageJson(name) as { private?: boolean }).private !== true,
);

describe("FP10 the repository is ready to publish", () => {
  it.each(published)("%s has a licence, links to the repository, provenance and a size budget", (name) => {
    expect(packageJson(name)).toMatchObject({
      license: "MIT",
      homepage: expect.stringMatching(/^https:/),
      bugs: expect.stringMatching(/^https:/),
      repository: { directory: `packages/${name}` },
      publishConfig: { access: "public", provenance: true },
    });
    expect(read(`packages/${name}/LICENSE`)).toBe(read("LICENSE"));
    expect(JSON.parse(read("tooling/size-budgets.json"))).toHaveProperty(name);
  });

  it("all packages name one repository, which the docs site links to", () => {
    const urls = published.map(
      (name) => (packageJson(name) as { repository?: { url: string } }).repository?.url,
    );
    const [, site] = /REPOSITORY = "(.*)"/.exec(read("docs/.vitepress/repository-links.mjs")) ?? [];
    expect(new Set(urls)).toEqual(new Set([`git+${site}.git`]));
  });

  it("one changeset releases every package under one version, with the changelog as its text", () => {
    const [fixed = []] = JSON.parse(read(".changeset/config.json")).fixed as string[][];
    expect(fixed).toContain("@haft/*");
    const changeset = read(".changeset/release-0-2.md");
    const listed = [...changeset.matchAll(/^"@haft\/([\w-]+)": minor$/gm)].map(([, name]) => name);
    expect(listed).toEqual([...published].sort());
    expect(changeset).toContain("CHANGELOG.md");
  });

  it("the workflow runs .ci/run on Node 20, 22 and 24", () => {
    const workflow = read(".github/workflows/ci.yml");
    expect(workflow).toContain("node: [20, 22, 24]");
    expect(workflow).toContain("- run: .ci/run");
  });

  it.each(["CHANGELOG.md", "CODE_OF_CONDUCT.md", "CONTRIBUTING.md", "SECURITY.md", "LICENSE"])(
    "has %s",
    (file) => {
      expect(existsSync(join(ROOT, file))).toBe(true);
    },
  );

  it("decisions 2 and 3 name only packages that some manifest has, or state that they are not used", () => {
    const manifests = [...packageNames().map((name) => `packages/${name}`), "docs", "tooling", "."].map(
      (folder) => read(`${folder}/package.json`),
    );
    const rows = [...read("docs/decisions/0002-dependencies.md").matchAll(/^\| ([^|]+?) +\|/gm)].slice(2);
    for (const [, row = ""] of rows) {
      if (/not taken|not installed/.test(row)) continue;
      const [first = ""] = row.replace(/\(.*\)/, "").split(/[ ,;*]/);
      expect(
        manifests.some((text) => text.includes(`"${first}`)),
        row,
      ).toBe(true);
    }
  });
});
