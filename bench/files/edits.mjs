// A small edit in a file of 100,000 lines through a whole runtime, against reading and writing the file; and what
// is hardest for the differ: two files of 10,000 lines with nothing in common, and 100,000 changed lines.
import {
  closeSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createToolRuntime, describeChange } from "@haft/core";
import { openNodeWorkspace } from "@haft/runtime-node";
import { Edit, EditLines, ReplaceInFile } from "@haft/tool-edit";
import { ReadFileTool, WriteFileTool } from "@haft/tool-fs";

const RUNS = 20;
const WARM_UPS = 8;
const LINES = 100_000;

export async function measureEdits() {
  const folder = mkdtempSync(join(tmpdir(), "haft-bench-edits-"));
  const file = join(folder, "long.ts");
  const workspace = await openNodeWorkspace(folder, { stateDirectory: `${folder}-state` });
  const runtime = createToolRuntime({
    role: { name: "editor", permissions: ["ReadFiles", "WriteFiles", "CreateFiles"] },
    tools: [ReadFileTool, WriteFileTool, Edit, EditLines, ReplaceInFile],
    workspace,
    policy: () => ({ effect: "allow", because: "a benchmark" }),
  });
  const call = async (tool, args) => {
    const result = await runtime.call(tool, args);
    if (!result.ok) throw new Error(result.text);
    return result;
  };
  try {
    writeFileSync(file, longText());
    const edits = [];
    for (const [name, args] of Object.entries(EDITS))
      edits.push(await compareEdit({ name, args, call, file }));
    return { edits, worst: await worstCases(call, folder) };
  } finally {
    await runtime.dispose();
    await workspace.close();
    for (const place of [folder, `${folder}-state`]) rmSync(place, { recursive: true, force: true });
  }
}

/** Each changes one line in the middle, there and back. */
const EDITS = {
  edit: (there) => ({
    path: "long.ts",
    old_string: there ? "line 50000 is" : "line 50000 was",
    new_string: there ? "line 50000 was" : "line 50000 is",
  }),
  edit_lines: (there) => ({
    path: "long.ts",
    operation: "replace",
    start_line: 60_001,
    content: there ? "another line" : "one more line",
  }),
  replace_in_file: (there) => ({
    path: "long.ts",
    find: there ? "line 70000 is" : "line 70000 was",
    replace: there ? "line 70000 was" : "line 70000 is",
  }),
};

function longText() {
  const lines = Array.from(
    { length: LINES },
    (_, i) => `line ${i} is a line of code, with a few words ${(i * 7919) % 1000}`,
  );
  return `${lines.join("\n")}\n`;
}

/** Taken in turns, so that a busy moment of the machine hits both. An agent has read what it edits; that is not counted. */
async function compareEdit({ name, args, call, file }) {
  const times = { ours: [], raw: [], unsynced: [] };
  for (let run = -WARM_UPS; run < RUNS; run += 1) {
    // Calls of an agent are seconds apart, and a file written this very moment is read anew each time.
    await sleep(80);
    await call("read_file", { path: "long.ts", offset: 49_990, limit: 20 });
    const ours = await timed(() => call(name, args(run % 2 === 0)));
    const raw = await timed(() => readAndWrite(file, true));
    const unsynced = await timed(() => readAndWrite(file, false));
    if (run < 0) continue;
    times.ours.push(ours);
    times.raw.push(raw);
    times.unsynced.push(unsynced);
  }
  return { name: `${name}, one line of ${LINES}`, ...times };
}

function readAndWrite(file, isSynced) {
  const bytes = readFileSync(file);
  const copy = `${file}.raw`;
  const descriptor = openSync(copy, "w");
  for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written);
  if (isSynced) fsyncSync(descriptor);
  closeSync(descriptor);
}

async function worstCases(call, folder) {
  const unlike = (side, count) =>
    Array.from({ length: count }, (_, i) => `${side} ${i} ${(i * 7919) % count}\n`).join("");
  const shuffled = Array.from({ length: 10_000 }, (_, i) => `line ${i}\n`);
  const cases = {
    "10,000 lines against 10,000 others": [unlike("before", 10_000), unlike("after", 10_000)],
    "10,000 lines in reverse": [shuffled.join(""), [...shuffled].reverse().join("")],
    "10,000 lines, every second one changed": [
      shuffled.join(""),
      shuffled.map((line, i) => (i % 2 === 0 ? line : `new ${line}`)).join(""),
    ],
    "100,000 lines against 100,000 others": [unlike("before", 100_000), unlike("after", 100_000)],
  };
  const rows = [];
  for (const [name, [before, after]] of Object.entries(cases)) {
    const diffMs = await timed(() => describeChange(modification(before, after)));
    writeFileSync(join(folder, "worst.txt"), before);
    await call("read_file", { path: "worst.txt" });
    const callMs = await timed(() => call("write_file", { path: "worst.txt", content: after }));
    rows.push({ name, diffMs: diffMs.wallMs, callMs: callMs.wallMs });
  }
  return rows;
}

/** A change as a rehearsal records it, so that its diff can be asked for alone. */
function modification(before, after) {
  const state = (text, hash) => ({
    type: "file",
    hash,
    bytes: Buffer.from(text),
    size: text.length,
    mode: 0o644,
  });
  return { kind: "modify", path: "f", before: state(before, "before"), after: state(after, "after") };
}

/** In wall time and in processor time: on a busy machine only the second says much. */
async function timed(work) {
  const cpu = process.cpuUsage();
  const started = performance.now();
  await work();
  const wallMs = performance.now() - started;
  const { user, system } = process.cpuUsage(cpu);
  return { wallMs, cpuMs: (user + system) / 1000 };
}
