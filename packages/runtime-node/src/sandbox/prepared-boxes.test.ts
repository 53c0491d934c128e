import { describe, expect, it, vi } from "vitest";
import type { CommandBox } from "./command-box.js";
import { PreparedBoxes } from "./prepared-boxes.js";

const READS = { kind: "reads", mounts: "" };
const WRITES = { kind: "writes", mounts: "" };

describe("PreparedBoxes", () => {
  it("FE21 prepares no more boxes than may run, and gives one up for a running one", async () => {
    let free = 2;
    const open = new Set<CommandBox>();
    const boxes = new PreparedBoxes(() => free);
    const make = async () => {
      const box: CommandBox = {
        isWaiting: true,
        rest: () => {},
        close: async () => void open.delete(box),
      } as unknown as CommandBox;
      open.add(box);
      return box;
    };
    boxes.prepare(READS, make);
    await vi.waitFor(() => expect(open.size).toBe(2));
    free = 1;
    expect(boxes.take(WRITES)).toBeUndefined();
    expect(open.size).toBe(1);
    free = 0;
    expect(boxes.take(READS)).toBeDefined();
    boxes.prepare(READS, make);
    await boxes.dispose();
    expect(open.size).toBe(1);
  });
});
