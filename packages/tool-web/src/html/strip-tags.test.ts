import { Pace } from "@haft/core/workspace";
import fc from "fast-check";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { measureProcessorTime } from "../../../../tooling/testing/processor-time.js";
import { stripPage, stripTags, withoutScripts } from "./strip-tags.js";

describe("the text of HTML", () => {
  it.each([
    ["<p>one</p><p>two</p>", "one\n\ntwo"],
    ["a<br>b<BR/>c", "a\nb\nc"],
    ["<ul><li>x</li><li>y</li></ul>", "- x\n\n- y"],
    ["<tr><td>1</td><td>2</td></tr>", "1 | 2 |"],
    ["a &lt;b&gt; &amp;amp; &#65;&#x42; &nbsp;&unknown; &#0;", "a <b> &amp; AB &unknown; \ufffd"],
    ["1 < 2 and 3 > 2", "1 < 2 and 3 > 2"],
    ["a<!-- <p>hidden</p> -->b", "ab"],
    ["a<!-- never closed", "a"],
    ["a<script>if (a<b) x('</p>')</script >b", "ab"],
    ["a<SCRIPT src=x></SCRIPT>b<style>p{}</style>c", "abc"],
    ["a<script>never closed", "a"],
    ["a<scripted>b</scripted>", "ab"],
    ["<pre>  two\n   spaces</pre>after", "  two\n   spaces\nafter"],
    ["<!doctype html><title>T</title>x", "x"],
    ["a <b", "a"],
    ["", ""],
  ])("%j", (html, text) => {
    expect(stripTags(html)).toBe(text);
  });

  it("source keeps its tags and loses its scripts", async () => {
    expect(await withoutScripts("<p a='1'>x</p><!-- c --><script>y</script><nav>n</nav>")).toBe(
      "<p a='1'>x</p><nav>n</nav>",
    );
  });

  it.each([
    ["<", 400_000],
    ["<a", 200_000],
    ["<!--", 100_000],
    ["<script", 100_000],
    ["</p", 200_000],
    [" ", 2_000_000],
    ["&", 1_000_000],
    ["<div>", 200_000],
    ["\n", 1_000_000],
  ])("%j repeated takes time proportional to its length", (unit, count) => {
    const usedMs = measureProcessorTime();
    stripTags(unit.repeat(count));
    expect(usedMs()).toBeLessThan(3_000);
  });

  it.each(["<", "<p>x", "a\n", "<a>", "&amp;", "a \n"])(
    "FR8 millions of %j let other work run in between, and give the same text",
    async (unit) => {
      const html = unit.repeat(4_000_000 / unit.length);
      const breathe = vi.spyOn(Pace.prototype, "breathe");
      onTestFinished(() => breathe.mockRestore());
      const page = await stripPage(html);
      expect(breathe.mock.calls.length).toBeGreaterThan(html.length / 500_000);
      expect(page === stripTags(html)).toBe(true);
    },
  );

  it("never throws, and leaves no script behind", () => {
    const piece = fc.constantFrom(
      "<",
      ">",
      "<script>",
      "evil",
      "</script>",
      "<p>",
      "&#x41;",
      "-->",
      "<!--",
      "a",
      '"',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const html = `${pieces.filter((one) => one !== "evil").join("")}--></script><script>evil</script>`;
        expect(stripTags(html)).not.toContain("evil");
      }),
    );
  });
});
