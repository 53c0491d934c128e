import { expect, it, vi } from "vitest";
import { makePdf } from "../../fixtures/make-pdf.js";
import { realRuntime } from "../../fixtures/real-runtime.js";

// The package is installed here, so the resolver simulates a project without it.
vi.mock("node:module", async (load) => ({
  ...(await load<typeof import("node:module")>()),
  createRequire: () => ({
    resolve: (name: string) => {
      throw new Error(`Cannot find module '${name}'`);
    },
  }),
}));

it("without unpdf a PDF is an error that names the package to install, and text is read as usual", async () => {
  const { fail, succeed } = await realRuntime({ files: { "a.pdf": makePdf(["x"]), "a.txt": "text\n" } });
  expect(await fail("read_file", { path: "a.pdf" })).toMatchObject({
    code: "PDF_SUPPORT_MISSING",
    hint: "Ask the user to run: npm install unpdf@1",
  });
  expect((await succeed("read_file", { path: "a.txt" })).text).toBe("1: text");
});
