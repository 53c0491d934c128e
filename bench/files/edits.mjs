// Compares a small edit in a file of 100,000 lines through a whole runtime with reading and writing the file. Also
// measures the differ's hardest inputs: two files of 10,000 lines with nothing in common, and 100,000 changed lines.
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createToolRuntime } from "@haft/core/kernel";
import { describeChange } from "@haft/core/workspace";
import { openNodeWorkspace } from "@haft/runtime-node";
import { ApplyPatch, Edit, EditLines, ReplaceInFile } from "@haft/tool-edit";
import { AppendFile, ReadFile, UpdateFile, WriteFile } from "@haft/tool-fs";

const RUNS = 20;
const WARM_UPS = 8;
const LINES = 100_000;

export async function measureEdits() {
  const folder = mkdtempSync(join(tmpdir(), "haft-bench-edits-"));
  const file = join(folder, "long.ts");
  const workspace = await openNodeWorkspace(folder, { stateDirectory: `${folder}-state` });
  const runtime = createToolRuntime({
    role: { name: "editor", permissions: ["ReadFiles", "WriteFiles", "CreateFiles", "DeleteFiles"] },
    tools: [ReadFile, WriteFile, UpdateFile, AppendFile, Edit, EditLines, ReplaceInFile, ApplyPatch],
    workspace,
    policy: () => ({ effect: "allow", because: "a benchmark" }),
  });
  const call = async (tool, args) => {
    const result = await runtime.call(tool, args);
    if (!result.ok) throw new Error(result.text);
    return result;
  };
  try {
    const edits = [];
    for (const { tool, args, text = longText(), isGoal = false } of editsOf()) {
      writeFileSync(file, text);
      const name = `${tool}${text.length === Buffer.byteLength(text) ? "" : ", not ASCII"}`;
      edits.push({
        isGoal,
        name,
        ...(await compareEdit({ tool, args, call, file, trash: `${folder}-state/trash` })),
      });
    }
    return { edits, worst: await worstCases(call, folder) };
  } finally {
    await runtime.dispose();
    await workspace.close();
    for (const place of [folder, `${folder}-state`]) rmSync(place, { recursive: true, force: true });
  }
}

/** Each edit changes one line and changes it back. The goal covers the first three. */
function editsOf() {
  const edit = (there) => ({
    path: "long.ts",
    old_string: there ? "line 50000 is" : "line 50000 was",
    new_string: there ? "line 50000 was" : "line 50000 is",
  });
  const lines = (there) => ({
    path: "long.ts",
    operation: "replace",
    start_line: 60_001,
    content: there ? "another line" : "one more line",
  });
  const replace = (there) => ({
    path: "long.ts",
    find: there ? "line 70000 is" : "line 70000 was",
    replace: there ? "line 70000 was" : "line 70000 is",
  });
  const [is, was] = [longLine(80_000), longLine(80_000).replace("is a", "was a")];
  const patch = (there) => ({
    patch: `*** Begin Patch\n*** Update File: long.ts\n@@\n-${there ? is : was}\n+${there ? was : is}\n*** End Patch`,
  });
  const texts = [longText(), longText().replace("line 50000 is", "line 50000 was")];
  const whole = (there) => ({ path: "long.ts", content: texts[there ? 1 : 0] });
  const append = () => ({ path: "long.ts", content: "one more line\n" });
  const text = longText(" é😀");
  return [
    { tool: "edit", args: edit, isGoal: true },
    { tool: "edit_lines", args: lines, isGoal: true },
    { tool: "replace_in_file", args: replace, isGoal: true },
    { tool: "apply_patch", args: patch },
    { tool: "append_file", args: append },
    { tool: "write_file", args: whole },
    { tool: "update_file", args: whole },
    { tool: "edit", args: edit, text },
    { tool: "edit_lines", args: lines, text },
    { tool: "replace_in_file", args: replace, text },
    { tool: "apply_patch", args: patch, text },
    { tool: "append_file", args: append, text },
  ];
}

function longLine(index) {
  return `line ${index} is a line of code, with a few words ${(index * 7919) % 1000}`;
}

/** Appends text to every fiftieth line. */
function longText(ending = "") {
  const lines = Array.from({ length: LINES }, (_, i) => longLine(i) + (i % 50 === 1 ? ending : ""));
  return `${lines.join("\n")}\n`;
}

/** Alternates between the two, so that other load affects both. The read that precedes an edit is not counted. */
async function compareEdit({ tool, args, call, file, trash }) {
  const times = { ours: [], raw: [], unsynced: [] };
  for (let run = -WARM_UPS; run < RUNS; run += 1) {
    // Content kept from earlier rounds would occupy fresh memory, which is slow to allocate.
    for (const kept of existsSync(trash) ? readdirSync(trash) : []) rmSync(join(trash, kept));
    // Waits, because an agent's calls are seconds apart, and the workspace rereads a file that was written just now.
    await sleep(80);
    await call("read_file", { path: "long.ts", offset: 49_990, limit: 20 });
    const ours = await timed(() => call(tool, args(run % 2 === 0)));
    const raw = await timed(() => readAndWrite(file, true));
    const unsynced = await timed(() => readAndWrite(file, false));
    if (run < 0) continue;
    times.ours.push(ours);
    times.raw.push(raw);
    times.unsynced.push(unsynced);
  }
  return times;
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

/** Creates a change as a rehearsal would record it, to measure its diff alone. */
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

/** Measures wall time and processor time; on a busy machine only the latter is reliable. */
async function timed(work) {
  const cpu = process.cpuUsage();
  const started = performance.now();
  await work();
  const wallMs = performance.now() - started;
  const { user, system } = process.cpuUsage(cpu);
  return { wallMs, cpuMs: (user + system) / 1000 };
}
