import { createDeflate, deflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { makePdf } from "../../fixtures/make-pdf.js";
import { realRuntime } from "../../fixtures/real-runtime.js";

const pages = (count: number) => Array.from({ length: count }, (_, index) => `Text of page ${index + 1}`);

describe("read_file on PDFs", () => {
  it("S2.READ.7 extracts the text, page by page", async () => {
    const { succeed } = await realRuntime({ files: { "a.pdf": makePdf(["Hello (PDF)", "Second"]) } });
    const { value, text } = await succeed("read_file", { path: "a.pdf" });
    expect(value).toMatchObject({ kind: "pdf", totalPages: 2, part: "1-2", mimeType: "application/pdf" });
    expect(text).toBe("[page 1]\nHello (PDF)\n\n[page 2]\nSecond");
  });

  it("S2.READ.7 reads the requested pages, at most twenty, and says how to continue", async () => {
    const { succeed, fail } = await realRuntime({ files: { "a.pdf": makePdf(pages(25)) } });
    expect((await succeed("read_file", { path: "a.pdf", pages: "3-4" })).text).toBe(
      '[page 3]\nText of page 3\n\n[page 4]\nText of page 4\n(Showing pages 3-4 of 25. Use pages="5-" to continue.)',
    );
    const all = await succeed("read_file", { path: "a.pdf" });
    expect(all.value).toMatchObject({ part: "1-20" });
    expect(all.text).toContain('(Showing pages 1-20 of 25. Use pages="21-" to continue.)');
    expect(await fail("read_file", { path: "a.pdf", pages: "26" })).toMatchObject({
      code: "INVALID_RANGE",
      hint: "Valid: 1-25.",
    });
    expect((await fail("read_file", { path: "a.pdf", pages: "x" })).code).toBe("INVALID_RANGE");
  });

  it("answers for a PDF without pages, and for a truncated one", async () => {
    const whole = makePdf(pages(3));
    const { call, fail, succeed } = await realRuntime({
      files: {
        "empty.pdf": makePdf([]),
        "cut.pdf": whole.subarray(0, 300),
        "head.pdf": Buffer.from("%PDF-1.7\n\0\0\0garbage"),
        "not.pdf": "just text\n",
      },
    });
    expect((await succeed("read_file", { path: "empty.pdf" })).text).toBe("(a PDF without pages)");
    expect((await call("read_file", { path: "cut.pdf" })).text).not.toBe("");
    expect(await fail("read_file", { path: "head.pdf" })).toMatchObject({ code: "DAMAGED_FILE" });
    expect((await succeed("read_file", { path: "not.pdf" })).text).toBe("1: just text");
  });

  // Compressing half a gigabyte twice takes most of the time.
  it("stops a PDF that unpacks to half a gigabyte in time, and reads the next one", {
    timeout: 120_000,
  }, async () => {
    const bomb = makePdf([], {
      streams: [{ dictionary: "/Filter [/FlateDecode /FlateDecode]", data: deflateSync(await blanks(512)) }],
    });
    const { call, succeed } = await realRuntime({ files: { "bomb.pdf": bomb, "a.pdf": makePdf(["fine"]) } });
    const baseline = process.memoryUsage.rss();
    let peak = 0;
    const watch = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage.rss() - baseline);
    }, 10);
    const started = performance.now();
    const result = await call("read_file", { path: "bomb.pdf" });
    clearInterval(watch);
    expect(performance.now() - started).toBeLessThan(6_500);
    expect(peak).toBeLessThan(600 * 1024 * 1024);
    if (!result.ok) expect(result.error.code).toBe("LIMIT_EXCEEDED");
    expect((await succeed("read_file", { path: "a.pdf" })).text).toContain("fine");
  });

  it("stops when it is cancelled", async () => {
    const { call } = await realRuntime({ files: { "a.pdf": makePdf(pages(20)) } });
    const result = await call("read_file", { path: "a.pdf" }, { signal: AbortSignal.timeout(5) });
    expect(result).toMatchObject({ ok: false, error: { code: "CANCELLED" } });
  });
});

async function blanks(megabytes: number): Promise<Buffer> {
  const deflate = createDeflate();
  const chunks: Buffer[] = [];
  deflate.on("data", (chunk) => chunks.push(chunk));
  const blank = Buffer.alloc(1024 * 1024, " ");
  for (let index = 0; index < megabytes; index += 1)
    if (!deflate.write(blank)) await new Promise((resolve) => deflate.once("drain", resolve));
  deflate.end();
  await new Promise((resolve) => deflate.once("end", resolve));
  return Buffer.concat(chunks);
}
