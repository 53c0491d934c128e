import { encodeText } from "@haft/text";
import { describe, expect, it } from "vitest";
import { realRuntime } from "../../fixtures/real-runtime.js";

const utf16 = (text: string) => Buffer.from(encodeText(text, { encoding: "utf-16le", bom: true }));

describe("a small file", () => {
  it.each<[string, string, string | Buffer, string]>([
    ["an image whose bytes could all be text", "a.txt", "GIF89a and more", "image"],
    ["a notebook", "a.ipynb", '{"cells":[],"nbformat":4,"nbformat_minor":5,"metadata":{}}', "notebook"],
    ["a notebook that is none", "a.ipynb", "not a notebook\n", "text"],
    ["text that speaks of a signature", "a.txt", "see GIF89a\n", "text"],
    ["a signature in characters, not in bytes", "a.txt", utf16("GIF89a and more"), "text"],
    ["nothing", "a.txt", "", "text"],
  ])("is what its first bytes and its name say: %s", async (_what, path, content, kind) => {
    const { succeed } = await realRuntime({ files: { [path]: content } });
    expect((await succeed("read_file", { path })).value).toMatchObject({ kind });
  });

  it("that starts like a PDF is read as a PDF", async () => {
    const { fail } = await realRuntime({ files: { "a.txt": "%PDF-1.7 and no more\n" } });
    expect((await fail("read_file", { path: "a.txt" })).code).toBe("DAMAGED_FILE");
  });

  it("that is not text is described", async () => {
    const { fail } = await realRuntime({ files: { "a.txt": Buffer.from("PK\x03\x04\0\0\0") } });
    expect(await fail("read_file", { path: "a.txt" })).toMatchObject({ code: "BINARY_FILE" });
  });
});
