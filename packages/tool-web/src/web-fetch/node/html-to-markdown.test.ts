import { WorkLimiter } from "@haft/core/capabilities";
import { describe, expect, it } from "vitest";
import { htmlToMarkdown } from "./html-to-markdown.js";

const never = new AbortController().signal;
const convert = (html: string, signal = never) =>
  htmlToMarkdown({ html, url: "https://a.example/dir/", signal, limiter: new WorkLimiter() });

describe("HTML as markdown", () => {
  it.each([
    ['<a href="x y(1)">t</a>', "[t](https://a.example/dir/x%20y(1%29)"],
    ['<a href="#part">t</a>', "t"],
    ['<a href="https://["> t </a>', "[t](https://[)"],
    ['<a href="x"></a>z', "z"],
    ['<img src="/p.png" alt="a\nb">', "![a b](https://a.example/p.png)"],
    ['<img alt="only">', "only"],
    ["<del>gone</del>", "~~gone~~"],
    ["<p>$& $1 `code`</p>", "$& $1 \\`code\\`"],
    ["plain", "plain"],
  ])("%s", async (html, markdown) => {
    expect(await convert(html)).toBe(markdown);
  });

  it("stops when it is cancelled, before and during its work", async () => {
    const reason = new Error("enough");
    await expect(convert("<p>x</p>", AbortSignal.abort(reason))).rejects.toBe(reason);
    const controller = new AbortController();
    const running = convert("<p>x</p>".repeat(100_000), controller.signal);
    controller.abort(reason);
    await expect(running).rejects.toBe(reason);
  });

  it("rejects a page that takes too long, too much memory or too deep a stack, within its time limit", async () => {
    const started = performance.now();
    await expect(convert("<b><i>".repeat(60_000))).rejects.toThrow(/markdown|nested/i);
    expect(performance.now() - started).toBeLessThan(15_000);
  });

  // 4 M nodes in one list: when that list grew beyond the thread's heap limit, V8 ended the whole process.
  it("FR8 a page of 20 MB that is one long list of nodes does not end the process", async () => {
    const page = "<!-->".repeat(4 * 1024 * 1024);
    const outcome = await convert(page).then(
      (markdown) => markdown,
      (error: Error) => error.message,
    );
    expect(outcome).toMatch(/^$|needs more than (5 s|the memory limit)/);
    expect(await convert("<p>next</p>")).toBe("next");
  });
});
