import { mountMcpServer } from "@haft/mcp/client";
import type { NodeRuntime } from "@haft/runtime-node";
import type { HostileAnswer } from "../../../runtime-node/test-support/hostile-answers.js";
import {
  type HostileFile,
  hostileImages,
  hostileNotebooks,
  hostilePdfs,
  hostileTexts,
} from "./hostile-files.js";
import { hostilePatterns, hostileQueries, SLOW_PATTERNS } from "./hostile-searches.js";
import { hostileEditorConfigs, hostileGlobs, hostileIgnoreFiles, hostilePatches } from "./hostile-words.js";
import type { Random } from "./random.js";

export interface HostileInput {
  /** What is parsed, such as "patch". */
  readonly kind: string;
  readonly name: string;
  run(): Promise<unknown>;
}

/** What the inputs work on. */
interface HostileHost {
  readonly random: Random;
  readonly answers: readonly HostileAnswer[];
  readonly pages: readonly HostileAnswer[];
  /** Serves the answers, then the pages, by number. */
  readonly origin: string;
  readonly mcpServer: string;
  readonly runtime: NodeRuntime;
  /** Throws for a result that shows a defect. */
  call(
    tool: string,
    args: object,
    signal?: AbortSignal,
  ): Promise<{ readonly ok: boolean; readonly text: string }>;
  put(name: string, content: string | Buffer): void;
  remove(name: string): void;
  startMeasuring(): unknown;
}

export function hostileInputs(host: HostileHost): readonly HostileInput[] {
  const { random, answers, pages } = host;
  return [
    ...answers.map(({ name }, index) => fetched(host, { kind: "http", name, index })),
    ...pages.map(({ name }, at) => fetched(host, { kind: "page", name, index: answers.length + at })),
    ...files(host, "notebook", hostileNotebooks(50, random)),
    ...files(host, "pdf", hostilePdfs(24, random)),
    ...files(host, "image", hostileImages(50, random)),
    ...files(host, "text", hostileTexts(40, random)),
    ...LONG_LINES.map(([encoding, line]) => longFile(host, encoding, line)),
    ...searches(host),
    ...words("ignore", hostileIgnoreFiles(50, random), async (text) => {
      host.put(".gitignore", text);
      await host.call("glob", { pattern: "**/*.txt" });
      await host.call("grep", { pattern: "a" });
      host.remove(".gitignore");
    }),
    ...words("editorconfig", hostileEditorConfigs(40, random), async (text) => {
      host.put(".editorconfig", text);
      await host.call("write_file", { path: "new.txt", content: "a\nb\n" });
      host.remove(".editorconfig");
      // Only a new file has no line endings of its own.
      host.remove("new.txt");
    }),
    ...words("patch", hostilePatches(60, random), async (patch) => {
      host.put("a.txt", "a\nb\nc\n");
      await host.call("apply_patch", { patch });
    }),
    ...Array.from({ length: 30 }, (_, index) => ({
      kind: "mcp",
      name: String(index),
      run: () => mounted(host, index),
    })),
  ];
}

function fetched(
  { call, origin }: HostileHost,
  { kind, name, index }: { kind: string; name: string; index: number },
): HostileInput {
  const args = { url: `${origin}/${index}`, timeout: 2, format: FORMATS[index % FORMATS.length] };
  return { kind, name, run: () => call("web_fetch", args) };
}

const FORMATS = ["markdown", "text", "html", "raw"];

function files(
  { put, startMeasuring, call, remove }: HostileHost,
  kind: string,
  list: readonly HostileFile[],
): readonly HostileInput[] {
  return list.map(({ name, bytes }) => ({
    kind,
    name,
    run: async () => {
      put(name, bytes);
      startMeasuring();
      await call("read_file", { path: name });
      remove(name);
    },
  }));
}

/** A line in each encoding that is decoded without the platform, in hexadecimal. */
const LONG_LINES = [
  ["windows-1252", "636166e92078636166e92078636166e92078636166e920780a"],
  ["koi8-u", "c1c2c3c1c2c3c1c2c3c1c2c3c1c2c3c1c2c3c1c2c3c1c2c30a"],
  ["shift_jis", "82a082a282a482a682a882a082a282a482a682a80a"],
  ["utf-8", "636166c3a92078636166c3a920780a"],
] as const;
const LONG_BYTES = 19_000_000;

function longFile(
  { put, startMeasuring, call, remove }: HostileHost,
  encoding: string,
  line: string,
): HostileInput {
  const declaration = `<meta charset="${encoding}">\n`;
  const bytes = Buffer.from(line, "hex");
  return {
    kind: "long file",
    name: encoding,
    run: async () => {
      const body = Buffer.alloc(LONG_BYTES - (LONG_BYTES % bytes.length), bytes);
      put("long.html", Buffer.concat([Buffer.from(declaration), body]));
      startMeasuring();
      const replaced = await call("replace_in_file", { path: "long.html", find: "meta", replace: "META" });
      const patch = `*** Begin Patch\n*** Update File: long.html\n@@\n-<META charset="${encoding}">\n+${declaration}*** End Patch`;
      const patched = await call("apply_patch", { patch });
      if (!replaced.ok || !patched.ok) throw new Error(`${replaced.text}\n${patched.text}`.slice(0, 300));
      remove("long.html");
    },
  };
}

function searches({ call, random }: HostileHost): readonly HostileInput[] {
  return [
    ...words("pattern", hostilePatterns(60, random), async (find) => {
      await call("grep", { pattern: find });
      await call("grep", { pattern: find, multiline: true });
      for (const path of ["a.txt", "b.txt"])
        await call("replace_in_file", { path, find, replace: "x", is_regex: true, preview_only: true });
      await call("search", { query: find.slice(0, 500) });
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
  ];
}

/** How long a call with a slow pattern may take before its caller cancels it. */
const SLOW_MS = 400;

function words(
  kind: string,
  list: readonly string[],
  run: (text: string) => Promise<unknown>,
): readonly HostileInput[] {
  return list.map((text, index) => ({ kind, name: `${index}: ${text.slice(0, 30)}`, run: () => run(text) }));
}

async function mounted({ mcpServer, runtime, call }: HostileHost, index: number): Promise<void> {
  const address = { command: process.execPath, args: [mcpServer, String(index)] };
  const options = { name: `m${index}`, timeoutMs: 3_000, approval: "auto" } as const;
  // A server that cannot be mounted is an acceptable answer.
  const one = await mountMcpServer(address, options).catch((error: unknown) => {
    if (PROGRAM_ERRORS.some((type) => error instanceof type)) throw error;
    return undefined;
  });
  if (one === undefined) return;
  const detach = one.attach(runtime);
  await call(`m${index}_a`, { text: "x" });
  detach();
  await one.close();
}

const PROGRAM_ERRORS = [TypeError, RangeError, ReferenceError];
