// Feeds hostile input to a real runtime and reports how the process behaved. Run by hostile-input.test.ts.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mountMcpServer } from "@haft/mcp/client";
import { createNodeRuntime } from "@haft/runtime-node";
import { ApplyPatch, ReplaceInFile } from "@haft/tool-edit";
import { ReadFile, WriteFile } from "@haft/tool-fs";
import { Glob, Grep, Search } from "@haft/tool-search";
import { WebFetch } from "@haft/tool-web";
import { StallMeter } from "../../../../tooling/testing/stall-meter.js";
import { hostileAnswers, serveRaw } from "../../../runtime-node/test-support/hostile-answers.js";
import {
  type HostileFile,
  hostileImages,
  hostileNotebooks,
  hostilePdfs,
  hostileTexts,
} from "./hostile-files.js";
import { hostilePages } from "./hostile-pages.js";
import { hostilePatterns, hostileQueries, hostileTextFor, SLOW_PATTERNS } from "./hostile-searches.js";
import { hostileEditorConfigs, hostileGlobs, hostileIgnoreFiles, hostilePatches } from "./hostile-words.js";
import { Random } from "./random.js";

const [, , seedText = "1", mcpServer = "", only = ""] = process.argv;
const random = new Random(Number(seedText));
const workspace = mkdtempSync(join(tmpdir(), "haft-hostile-"));
const uncaught: string[] = [];
for (const event of ["uncaughtException", "unhandledRejection"] as const)
  process.on(event, (error: unknown) =>
    uncaught.push(`${running}: ${String((error as Error)?.stack ?? error)}`),
  );

const answers = [...hostileAnswers(120, Number(seedText)), ...hostilePages(80, random)];
const server = await serveRaw((path) => answers[Number(path.slice(1))]);
const runtime = await createNodeRuntime({
  workspace,
  stateDirectory: mkdtempSync(join(tmpdir(), "haft-hostile-state-")),
  role: "admin",
  tools: [ReadFile, WriteFile, Grep, Glob, Search, ApplyPatch, ReplaceInFile, WebFetch],
  approver: async () => ({ approved: true }),
  web: { origins: [server.origin] },
});

/** A line in each encoding that is decoded without the platform, in hexadecimal. */
const LONG_LINES = [
  ["windows-1252", "636166e92078636166e92078636166e92078636166e920780a"],
  ["koi8-u", "c1c2c3c1c2c3c1c2c3c1c2c3c1c2c3c1c2c3c1c2c3c1c2c30a"],
  ["shift_jis", "82a082a282a482a682a882a082a282a482a682a80a"],
  ["utf-8", "636166c3a92078636166c3a920780a"],
] as const;
const LONG_BYTES = 19_000_000;

interface Input {
  readonly name: string;
  run(): Promise<unknown>;
}

let running = "start";
const call = async (tool: string, args: object, signal?: AbortSignal) => {
  const result = await runtime.call(tool, args as never, signal && { signal });
  // A call that names its parameters wrongly proves nothing.
  if (
    !result.ok &&
    result.error.code === "INVALID_ARGUMENTS" &&
    /unknown parameter|is required|is missing/i.test(result.text)
  )
    throw new Error(`${tool}: ${result.text.slice(0, 300)}`);
  return result;
};
const put = (name: string, content: string | Buffer) => {
  mkdirSync(workspace, { recursive: true });
  writeFileSync(join(workspace, name), content);
};

function files(kind: string, list: readonly HostileFile[]): readonly Input[] {
  return list.map(({ name, bytes }) => ({
    name: `${kind} ${name}`,
    run: async () => {
      put(name, bytes);
      // Writing the file is not measured.
      meter.take();
      await call("read_file", { path: name });
      rmSync(join(workspace, name));
    },
  }));
}

function words(
  kind: string,
  list: readonly string[],
  run: (text: string) => Promise<unknown>,
): readonly Input[] {
  return list.map((text, index) => ({
    name: `${kind} ${index}: ${text.slice(0, 30)}`,
    run: () => run(text),
  }));
}

const inputs: readonly Input[] = [
  ...answers.map(({ name }, index) => ({
    name: `http ${name}`,
    run: () =>
      call("web_fetch", {
        url: `${server.origin}/${index}`,
        timeout: 2,
        format: FORMATS[index % FORMATS.length],
      }),
  })),
  ...files("notebook", hostileNotebooks(50, random)),
  ...files("pdf", hostilePdfs(24, random)),
  ...files("image", hostileImages(50, random)),
  ...files("text", hostileTexts(40, random)),
  ...LONG_LINES.map(([encoding, line]) => ({
    name: `long file ${encoding}`,
    run: async () => {
      const declaration = `<meta charset="${encoding}">\n`;
      put("long.html", Buffer.concat([Buffer.from(declaration), ...repeated(line, LONG_BYTES)]));
      meter.take();
      const found = { path: "long.html", find: "meta" };
      const replaced = await call("replace_in_file", { ...found, replace: "META" });
      const patch = `*** Begin Patch\n*** Update File: long.html\n@@\n-<META charset="${encoding}">\n+${declaration}*** End Patch`;
      const patched = await call("apply_patch", { patch });
      if (!replaced.ok || !patched.ok) throw new Error(`${replaced.text}\n${patched.text}`.slice(0, 300));
      rmSync(join(workspace, "long.html"));
    },
  })),
  ...words("pattern", hostilePatterns(60, random), async (pattern) => {
    await call("grep", { pattern });
    await call("grep", { pattern, multiline: true });
    for (const path of ["a.txt", "b.txt"])
      await call("replace_in_file", {
        path,
        find: pattern,
        replace: "x",
        is_regex: true,
        preview_only: true,
      });
    await call("search", { query: pattern.slice(0, 500) });
  }),
  ...words("slow pattern", SLOW_PATTERNS, async (pattern) => {
    const stop = AbortSignal.timeout(SLOW_MS);
    for (const path of ["line.txt", "lines.txt"]) {
      await call("grep", { pattern, path }, stop);
      await call("grep", { pattern, path, multiline: true }, stop);
      const replaced = { path, find: pattern, replace: "x", is_regex: true, preview_only: true };
      await call("replace_in_file", replaced, AbortSignal.timeout(SLOW_MS));
    }
  }),
  ...words("query", hostileQueries(40, random), async (query) => {
    await call("search", { query });
    await call("search", { query, in: "names", exclude_dirs: [query] });
  }),
  ...words("glob", hostileGlobs(50, random), async (pattern) => {
    await call("glob", { pattern });
    await call("grep", { pattern: "a", glob: pattern });
  }),
  ...words("ignore", hostileIgnoreFiles(50, random), async (text) => {
    put(".gitignore", text);
    await call("glob", { pattern: "**/*.txt" });
    await call("grep", { pattern: "a" });
    rmSync(join(workspace, ".gitignore"));
  }),
  ...words("editorconfig", hostileEditorConfigs(40, random), async (text) => {
    put(".editorconfig", text);
    await call("write_file", { path: "new.txt", content: "a\nb\n" });
    rmSync(join(workspace, ".editorconfig"));
    // Only a new file has no line endings of its own.
    rmSync(join(workspace, "new.txt"), { force: true });
  }),
  ...words("patch", hostilePatches(60, random), async (patch) => {
    put("a.txt", "a\nb\nc\n");
    await call("apply_patch", { patch });
  }),
  ...Array.from({ length: 30 }, (_, index) => ({ name: `mcp ${index}`, run: () => mounted(index) })),
];

function repeated(line: string, length: number): readonly Buffer[] {
  const bytes = Buffer.from(line, "hex");
  return [Buffer.alloc(length - (length % bytes.length), bytes)];
}

async function mounted(index: number): Promise<void> {
  const address = { command: process.execPath, args: [mcpServer, String(index)] };
  try {
    const one = await mountMcpServer(address, { name: `m${index}`, timeoutMs: 3_000, approval: "auto" });
    const detach = one.attach(runtime);
    await call(`m${index}_a`, { text: "x" });
    detach();
    await one.close();
  } catch {
    // A server that cannot be mounted is an acceptable answer.
  }
}

/** How long a call with a slow pattern may take before its caller cancels it. */
const SLOW_MS = 400;
const FORMATS = ["markdown", "text", "html", "raw"];

put("a.txt", "a\nb\nc\n");
put("line.txt", hostileTextFor(2_000_000, 4_000_000));
put("lines.txt", hostileTextFor(4_000_000, 300));
put("b.txt", `${"a".repeat(30)}\n`.repeat(2_000));
const meter = new StallMeter();
const stalls: { name: string; ms: number }[] = [];
const failures: string[] = [];
let count = 0;
for (const input of inputs) {
  if (only !== "" && !input.name.startsWith(only)) continue;
  running = input.name;
  meter.take();
  const failed = await input.run().then(
    () => undefined,
    (error: unknown) => String(error),
  );
  if (failed !== undefined) failures.push(`${input.name}: ${failed}`);
  await new Promise((resolve) => setTimeout(resolve, 1));
  const { ms } = meter.take();
  if (ms > 100) stalls.push({ name: input.name, ms });
  count += 1;
}
meter.stop();
await runtime.dispose();
await server.close();
await new Promise((resolve) => setTimeout(resolve, 200));
rmSync(workspace, { recursive: true, force: true });
process.stdout.write(`\n${JSON.stringify({ count, uncaught, failures, stalls })}\n`);
process.exit(0);
