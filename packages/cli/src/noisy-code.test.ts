import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runHaft } from "./fixtures/run-haft.js";
import { linkPackages, temporaryWorkspace } from "./fixtures/temporary-workspace.js";

const MANIFEST = { name: "noisy", type: "module", exports: "./index.js", haft: { pack: true } };
const PACK = `
import { defineTool, s } from "@haft/core";
console.log("noise of the pack");
process.stdout.write("raw noise of the pack\\n");
export const Noisy = defineTool({
  name: "noisy", summary: "Prints.", category: "read", permissions: ["ReadFiles"],
  input: s.object({}), output: s.object({ said: s.string("What") }),
  run: async () => { console.log("noise of the call"); return { said: "it" }; },
});
`;

// Standard output is data: output of a configuration or a pack there would break its consumers.
describe("third-party code that prints", () => {
  let workspace: ReturnType<typeof temporaryWorkspace>;
  beforeAll(() => {
    workspace = temporaryWorkspace({
      "haft.config.js": 'console.log("noise of the configuration");\nexport default { role: "coder" };\n',
      "noisy/package.json": JSON.stringify(MANIFEST),
      "noisy/index.js": PACK,
    });
    linkPackages(workspace.folder, ["@haft/core"]);
  });
  afterAll(() => workspace.remove());

  it.each([["call", "noisy", "{}", "--json"], ["tools", "--json"], ["schema"]])(
    "does not spoil the result of %s",
    async (...args) => {
      const { code, stdout, stderr, json } = await runHaft(
        [...args, "--packs", "./noisy", "--config", "haft.config.js"],
        {
          cwd: workspace.folder,
        },
      );
      expect(code).toBe(0);
      expect(() => json()).not.toThrow();
      expect(stdout).not.toContain("noise");
      expect(stderr).toContain("noise of the configuration");
      expect(stderr).toContain("raw noise of the pack");
    },
  );

  it("a long result is complete", async () => {
    workspace.write("long.txt", `${"x".repeat(60)}\n`.repeat(700));
    const { json } = await runHaft(["call", "read_file", '{"path":"long.txt"}', "--json"], {
      cwd: workspace.folder,
    });
    expect(json()).toMatchObject({ ok: true, value: { totalLines: 700 } });
  });
});
