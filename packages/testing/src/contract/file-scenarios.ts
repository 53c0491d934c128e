import { expect } from "../runner/expect.js";
import { bytesOf, contentsOf, expectCode, latin1, type WorkspaceScenario } from "./workspace-scenario.js";

export const fileScenarios: readonly WorkspaceScenario[] = [
  {
    title: "creates a file",
    does: (ws) => ws.createText("a.txt", "one\n"),
    sees: async (reader) => {
      expect(await reader.readText("a.txt")).toBe("one\n");
      expect(await reader.stat("a.txt")).toMatchObject({ path: "a.txt", type: "file", size: 4 });
    },
  },
  {
    title: "creates the parent directories of a file",
    does: (ws) => ws.writeText("a/b/c/d.txt", "deep"),
    sees: async (reader) => {
      expect(await contentsOf(reader)).toEqual({ "a/": "", "a/b/": "", "a/b/c/": "", "a/b/c/d.txt": "deep" });
    },
  },
  {
    title: "replaces a file's text",
    given: { "a.txt": "one\n", "b.txt": "two\n" },
    does: (ws) => ws.writeText("a.txt", "1\r\n2\n"),
    sees: async (reader) => {
      expect(await contentsOf(reader)).toEqual({ "a.txt": "1\r\n2\n", "b.txt": "two\n" });
    },
  },
  {
    title: "keeps binary content byte for byte",
    given: { "a.bin": bytesOf(0, 1, 2, 255) },
    does: async (ws) => {
      await ws.writeBytes("a.bin", bytesOf(255, 0, 13, 10, 128));
      await ws.createBytes("b.bin", bytesOf(...Array.from({ length: 256 }, (_, value) => value)));
    },
    sees: async (reader) => {
      expect([...(await reader.readBytes("a.bin"))]).toEqual([255, 0, 13, 10, 128]);
      expect([...(await reader.readBytes("b.bin", { start: 100, end: 103 }))]).toEqual([100, 101, 102]);
      await expectCode(reader.readText("b.bin"), "BINARY_FILE");
    },
  },
  {
    title: "keeps a byte order mark and UTF-16",
    given: {
      "bom.txt": bytesOf(0xef, 0xbb, 0xbf, 0x61),
      "wide.txt": bytesOf(0xff, 0xfe, 0x61, 0, 0x62, 0, 0x0a, 0),
    },
    does: async (ws) => {
      await ws.writeText("bom.txt", "b");
      await ws.writeText("wide.txt", "ac\n");
    },
    sees: async (reader) => {
      expect(latin1(await reader.readBytes("bom.txt"))).toBe("\xef\xbb\xbfb");
      expect(latin1(await reader.readBytes("wide.txt"))).toBe("\xff\xfea\0c\0\n\0");
      expect((await reader.readTextFile("wide.txt")).format).toMatchObject({ bom: true });
    },
  },
  {
    title: "keeps a mode, and changes it on request",
    does: async (ws) => {
      await ws.createText("run.sh", "1", { mode: 0o755 });
      await ws.createText("key.txt", "1", { mode: 0o600 });
      await ws.createText("other.txt", "1", { mode: 0o600 });
      await ws.writeText("run.sh", "2");
      await ws.writeText("key.txt", "1", { mode: 0o640 });
    },
    sees: async (reader) => {
      expect((await reader.stat("run.sh")).mode).toBe(0o755);
      expect((await reader.stat("key.txt")).mode).toBe(0o640);
      expect((await reader.stat("other.txt")).mode).toBe(0o600);
    },
  },
  {
    title: "creates an empty file, and empties an existing one",
    given: { "full.txt": "full" },
    does: async (ws) => {
      await ws.createText("empty.txt", "");
      await ws.writeText("full.txt", "");
    },
    sees: async (reader) => {
      expect(await contentsOf(reader)).toEqual({ "empty.txt": "", "full.txt": "" });
      const chunks = [];
      for await (const chunk of reader.stream("full.txt")) chunks.push(...chunk);
      expect(chunks).toEqual([]);
    },
  },
  {
    title: "keeps names with spaces, dots and other scripts",
    does: async (ws) => {
      for (const name of ["a b.txt", "..c", "d..e", "名前.txt", "émoji 🙂", "$&"])
        await ws.createText(name, name);
    },
    sees: async (reader) => {
      for (const name of ["a b.txt", "..c", "d..e", "名前.txt", "émoji 🙂", "$&"])
        expect(await reader.readText(name)).toBe(name);
    },
  },
  {
    title: "a file recreated after deletion has the new content",
    given: { "a.txt": "old" },
    does: async (ws) => {
      await ws.remove("a.txt");
      await ws.createText("a.txt", "new");
    },
    sees: async (reader) => expect(await contentsOf(reader)).toEqual({ "a.txt": "new" }),
  },
  {
    title: "a file written twice has the last content, and other writes in between are kept",
    given: { "a.txt": "0", "b.txt": "0" },
    does: async (ws) => {
      await ws.writeText("a.txt", "1");
      await ws.writeText("b.txt", "1");
      await ws.writeText("a.txt", "2");
    },
    sees: async (reader) => expect(await contentsOf(reader)).toEqual({ "a.txt": "2", "b.txt": "1" }),
  },
];
