import { describe, expect, it } from "vitest";
import { shippedSources } from "./source-files.js";
import { sourceProblems } from "./source-rules.js";

const file = (text: string, path = "packages/tool-x/src/x.ts") => ({
  path,
  packageName: path.split("/")[1] ?? "",
  text,
});

describe("house rules of this repository", () => {
  it("hold in every file that ships", { timeout: 120_000 }, () => {
    expect(shippedSources().flatMap(sourceProblems)).toEqual([]);
  });

  it("detect a replacement that would expand $&", () => {
    expect(sourceProblems(file("export const x = a.replace(b, c);"))).toHaveLength(1);
    expect(sourceProblems(file('export const x = a.replaceAll("b", "$&");'))).toHaveLength(1);
    expect(sourceProblems(file('export const x = a.replace(/b/, "c").replace(/d/, () => e);'))).toEqual([]);
    expect(
      sourceProblems(file('export const x = a.replace(/(b)/, "$1").replace(/d/, e); function e() {}')),
    ).toEqual([]);
  });

  it("detect module-level state, long files, process and the catalog", () => {
    expect(sourceProblems(file("let x = 1; export const y = () => x++;"))).toHaveLength(1);
    expect(sourceProblems(file("// x\n".repeat(301)))).toHaveLength(1);
    expect(sourceProblems(file("export const x = process.cwd();"))).toHaveLength(1);
    expect(sourceProblems(file("export const x = { process: 1 }.process;"))).toEqual([]);
    expect(sourceProblems(file("export const x = process.cwd();", "packages/cli/src/x.ts"))).toEqual([]);
    expect(sourceProblems(file('import { catalog } from "@haft/core"; export { catalog };'))).toHaveLength(1);
  });
});
