import { MemoryWorkspace } from "@haft/testing";
import { describe, expect, it } from "vitest";
import { OverlayWorkspace } from "../workspace.js";

const line = "a line of an ordinary file\n";
const former = line.repeat(20_000);

/** Records the lengths of the parts that the store hashes. */
class HashingStore extends MemoryWorkspace {
  readonly hashed: number[][] = [];

  hashParts(parts: readonly Uint8Array[]): string {
    this.hashed.push(parts.map(({ length }) => length));
    return this.hash(new Uint8Array(parts.flatMap((part) => [...part])));
  }
}

async function rewritten(text: string, before = former) {
  const store = new HashingStore({ "long.txt": before });
  const overlay = new OverlayWorkspace(store);
  await overlay.writeText("long.txt", text);
  return { store, hashed: store.hashed, change: overlay.changes[0] };
}

const bytesOf = (text: string) => new TextEncoder().encode(text);

describe("a long file that is rewritten", () => {
  it("is hashed from the first difference, with the hash of the whole", async () => {
    const text = `${former.slice(0, 400_000)}another end\n`;
    const { store, hashed, change } = await rewritten(text);
    expect(hashed).toEqual([[400_000, text.length - 400_000]]);
    expect(change).toMatchObject({ kind: "modify", after: { hash: store.hash(bytesOf(text)) } });
  });

  it("is hashed completely if it differs early or was short", async () => {
    expect((await rewritten(`x${former}`)).hashed).toEqual([]);
    expect((await rewritten(former, line)).hashed).toEqual([]);
  });

  it("keeps its encoding when non-ASCII text is added", async () => {
    const { change } = await rewritten(`${former}é\n`);
    const after = change?.kind === "modify" && change.after.type === "file" ? change.after.bytes : undefined;
    expect(after && new TextDecoder("utf-8", { fatal: true }).decode(after)).toBe(`${former}é\n`);
  });
});
