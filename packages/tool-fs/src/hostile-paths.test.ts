import { readdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { measureProcessorTime } from "../../../tooling/testing/processor-time.js";
import { realRuntime } from "../fixtures/real-runtime.js";
import { makePipe } from "../fixtures/special-files.js";

const CALLS: Readonly<Record<string, (path: string) => object>> = {
  read_file: (path) => ({ path }),
  list_directory: (path) => ({ path, recursive: true }),
  write_file: (path) => ({ path, content: "x", dry_run: true }),
  create_file: (path) => ({ path, content: "x", dry_run: true }),
  update_file: (path) => ({ path, content: "x", dry_run: true }),
  append_file: (path) => ({ path, content: "x", dry_run: true }),
  delete_file: (path) => ({ path, recursive: true, dry_run: true }),
  move_file: (path) => ({ from: path, to: "moved", dry_run: true }),
};

const FILES = {
  "cut.pdf": "%PDF-1.7\n1 0 obj\n<<",
  "cut.ipynb": '{"cells":[{"cell_type":"code","source":["a',
  "odd.ipynb": '{"cells":{"a":1}}',
  "deep.ipynb": "[".repeat(100_000),
  "cut.png": Buffer.from("89504e470d0a1a0a0000", "hex"),
  "nul.txt": Buffer.from([65, 0, 66]),
  zero: "",
  "zero.pdf": "",
  "zero.ipynb": "",
  sparse: "hello\n",
  "long line": "y".repeat(4_000_000),
};
const PATHS = [
  ...Object.keys(FILES),
  "pipe",
  "dangling",
  "loop",
  "outside",
  "odd\nname",
  "bad\ufffd",
  "x".repeat(255),
  "x".repeat(256),
  "zero/below",
  "missing/deep/file",
  ".",
  "/",
  "a/../b",
  "\u0000",
];
// A defect of Haft, or a system failure without a message.
const UNWELCOME = ["INTERNAL", "EXECUTION_ERROR", "IO_ERROR"];

describe.each(Object.keys(CALLS))("%s on whatever a folder can hold", (tool) => {
  it("answers in time with one of its own codes, and leaves nothing behind", async () => {
    const { root, outside, at, call } = await realRuntime({ files: FILES });
    truncateSync(at("sparse"), 2 ** 30);
    makePipe(at("pipe"));
    symlinkSync("nowhere", at("dangling"));
    symlinkSync("loop", at("loop"));
    symlinkSync(outside, at("outside"));
    writeFileSync(at("odd\nname"), "a");
    writeFileSync(Buffer.concat([Buffer.from(`${root}/bad`), Buffer.from([0xff])]), "b");
    const before = readdirSync(root, { encoding: "buffer" }).length;
    for (const path of PATHS) {
      const usedMs = measureProcessorTime();
      const result = await call(tool, CALLS[tool]?.(path));
      const used = usedMs();
      expect(UNWELCOME, `${tool} ${JSON.stringify(path).slice(0, 40)}`).not.toContain(
        result.ok ? "" : result.error.code,
      );
      expect(used).toBeLessThan(3_000);
    }
    expect(readdirSync(root, { encoding: "buffer" })).toHaveLength(before);
  }, 30_000);
});
