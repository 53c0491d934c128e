import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

interface Place {
  readonly file: string;
  readonly name: string;
}
interface DeclarationReader {
  exportsOf(file: string): Map<string, Place>;
  declarationOf(place: Place): { readonly text: string; readonly places: readonly Place[] };
}

let folder: string;
let declarations: DeclarationReader;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "haft-api-"));
  const module: string = "../api/declarations.mjs";
  declarations = new (await import(module)).Declarations();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

// The reports themselves are compared by `pnpm check:api`, which needs a build.
describe("FP10 the public API report", () => {
  it("follows renamed exports to their declaration, with its signature and without comments", () => {
    write("b.d.ts", "/** Says hello. */\nexport declare function hello(name: string): Promise<void>;\n");
    write("a.d.ts", 'export { hello as greet } from "./b.js";\n');
    const entry = write("index.d.ts", 'export { greet as hi } from "./a.js";\n');
    const [[name, place] = ["", { file: "", name: "" }]] = declarations.exportsOf(entry);
    expect(name).toBe("hi");
    expect(declarations.declarationOf(place).text).toBe(
      "export declare function hello(name: string): Promise<void>;",
    );
  });

  it("finds the types that an exported one refers to, also unexported ones", () => {
    write("inner.d.ts", "export interface Inner { readonly size: number }\n");
    const entry = write(
      "index.d.ts",
      'import type { Inner } from "./inner.js";\ninterface Hidden { readonly inner: Inner }\nexport type Shown = Hidden;\n',
    );
    const hidden = declarations.declarationOf({ file: entry, name: "Shown" }).places;
    expect(hidden).toContainEqual({ file: entry, name: "Hidden" });
    expect(declarations.declarationOf({ file: entry, name: "Hidden" }).places).toContainEqual({
      file: join(folder, "inner.d.ts"),
      name: "Inner",
    });
  });

  it("keeps every overload", () => {
    const entry = write(
      "index.d.ts",
      "export declare function f(a: string): string;\nexport declare function f(a: number): number;\n",
    );
    expect(declarations.declarationOf({ file: entry, name: "f" }).text.split("\n")).toHaveLength(2);
  });
});
