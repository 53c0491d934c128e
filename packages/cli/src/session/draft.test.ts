import pico from "picocolors";
import { describe, expect, it } from "vitest";
import { Draft } from "./draft.js";
import { KeyReader } from "./key-reader.js";

const colours = { ...pico.createColors(false), inverse: (text?: string | number | null) => `[${text}]` };

/** Creates a draft and types into it. */
function typing(columns = 40) {
  const draft = new Draft();
  const pressed: string[] = [];
  const keys = new KeyReader((key) => {
    if (key.type === "key" && key.name === "enter") draft.take();
    else if (!draft.edit(key) && key.type === "key") pressed.push(key.name);
  });
  return {
    draft,
    pressed,
    type: (text: string) => keys.push(Buffer.from(text)),
    rows: () => draft.rows(columns, colours),
  };
}

const UP = "\u001b[A";
const DOWN = "\u001b[B";
const LEFT = "\u001b[D";
const ALT_ENTER = "\u001b\r";

describe("FU5 the message being typed", () => {
  it("returns after browsing earlier messages", () => {
    const { draft, type } = typing();
    type("first\r");
    type("second\r");
    type("half a thought");
    type(UP + UP);
    expect(draft.text).toBe("first");
    type(DOWN + DOWN);
    expect(draft.text).toBe("half a thought");
  });

  it("moves between its lines with the arrows before it browses earlier messages", () => {
    const { draft, type } = typing();
    type("earlier\r");
    type(`one${ALT_ENTER}two`);
    type(`${UP}X`);
    expect(draft.text).toBe("oneX\ntwo");
    type(`${DOWN}Y`);
    expect(draft.text).toBe("oneX\ntwoY");
    type(UP + UP);
    expect(draft.text).toBe("earlier");
  });

  it("deletes and skips whole characters", () => {
    const { draft, type, rows } = typing();
    const family = "👨‍👩‍👧";
    type(`a👍🏽${family}e\u0301`);
    type("\u007f\u007f");
    expect(draft.text).toBe("a👍🏽");
    type(LEFT);
    expect(rows()).toEqual(["› a[👍🏽]"]);
    type("b");
    expect(draft.text).toBe("ab👍🏽");
  });

  it("supports moving by words", () => {
    const { draft, type, pressed } = typing();
    type("one two three");
    type("\u001b[1;5D\u001b[1;5DX");
    expect(draft.text).toBe("one Xtwo three");
    type("\u001bfY");
    expect(draft.text).toBe("one XtwoY three");
    type("\u001bbZ");
    expect(draft.text).toBe("one ZXtwoY three");
    type("\u001b\u007f");
    expect(draft.text).toBe("one XtwoY three");
    expect(pressed).toEqual([]);
  });

  it("shows the rows around the cursor if it is long, and marks hidden rows above", () => {
    const { type, rows } = typing();
    const lines = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`);
    type(`\u001b[200~${lines.join("\n")}\u001b[201~`);
    expect(rows()).toEqual(["⋮ line 25", "  line 26", "  line 27", "  line 28", "  line 29", "  line 30"]);
    for (let line = 0; line < 29; line += 1) type(UP);
    expect(rows()[0]).toMatch(/^› line 1/);
    expect(rows().join("\n")).toContain("[");
  });

  it("wraps by columns, not by characters", () => {
    const { type, rows } = typing(13);
    type("漢字漢字漢字漢字");
    expect(rows()).toEqual(["› 漢字漢字漢", "  字漢字"]);
    type(LEFT);
    expect(rows().join("\n")).toContain("[字]");
  });
});
