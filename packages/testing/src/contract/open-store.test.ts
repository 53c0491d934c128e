import { describe, expect, it } from "vitest";
import { withStore } from "./open-store.js";

describe("FP7 a store under test", () => {
  it.each([undefined, null, {}, new Map(), { store: undefined }])(
    "must be returned as { store }, not %j",
    async (opened) => {
      await expect(
        withStore(
          async () => opened as never,
          async () => {},
        ),
      ).rejects.toThrow("open returned no store. Return { store }, and dispose if something must be closed.");
    },
  );

  it("needs no dispose, and is closed either way, also after a failed check", async () => {
    const closed: string[] = [];
    await withStore(
      async () => ({ store: {} }),
      async () => {},
    );
    const dispose = () => void closed.push("dispose");
    await withStore(
      async () => ({ store: {}, dispose }),
      async () => {},
    );
    const opened = { store: {}, [Symbol.asyncDispose]: async () => void closed.push("asyncDispose") };
    const failing = withStore(
      async () => opened,
      () => Promise.reject(new Error("wrong")),
    );
    await expect(failing).rejects.toThrow("wrong");
    expect(closed).toEqual(["dispose", "asyncDispose"]);
  });
});
