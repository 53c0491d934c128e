// Feeds hostile input to a real runtime and reports how the process behaved. Run by hostile-input.test.ts.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineTool } from "@haft/core";
import { createNodeRuntime } from "@haft/runtime-node";
import { ApplyPatch, ReplaceInFile } from "@haft/tool-edit";
import { ReadFile, WriteFile } from "@haft/tool-fs";
import { Glob, Grep, Search } from "@haft/tool-search";
import { WebFetch } from "@haft/tool-web";
import { StallMeter } from "../../../../tooling/testing/stall-meter.js";
import { hostileAnswers, serveRaw } from "../../../runtime-node/test-support/hostile-answers.js";
import { hostileFaults } from "./hostile-faults.js";
import { hostileInputs } from "./hostile-inputs.js";
import { hostilePages } from "./hostile-pages.js";
import { hostileTextFor } from "./hostile-searches.js";
import { Random } from "./random.js";

const [, , seedText = "1", mcpServer = "", only = ""] = process.argv;
const random = new Random(Number(seedText));
const workspace = mkdtempSync(join(tmpdir(), "haft-hostile-"));
const uncaught: string[] = [];
let running = "start";
for (const event of ["uncaughtException", "unhandledRejection"] as const)
  process.on(event, (error: unknown) =>
    uncaught.push(`${running}: ${String((error as Error)?.stack ?? error)}`),
  );

const answers = hostileAnswers(120, Number(seedText));
const pages = hostilePages(80, random);
const server = await serveRaw((path) => [...answers, ...pages][Number(path.slice(1))]);
const Broken = defineTool({
  name: "broken",
  summary: "Fail in a way that no tool expects.",
  category: "read",
  permissions: [],
  input: { type: "object" },
  output: { type: "object" },
  run: async () => {
    throw new TypeError("thrown in a tool");
  },
});
const runtime = await createNodeRuntime({
  workspace,
  stateDirectory: mkdtempSync(join(tmpdir(), "haft-hostile-state-")),
  role: "admin",
  tools: [ReadFile, WriteFile, Grep, Glob, Search, ApplyPatch, ReplaceInFile, WebFetch, Broken],
  approver: async () => ({ approved: true }),
  web: { origins: [server.origin] },
});

/** What the runtime reports for an exception that a tool did not expect. */
const DEFECTS = ["EXECUTION_ERROR", "INTERNAL"];
const succeeded = new Set<string>();
const call = async (tool: string, args: object, signal?: AbortSignal) => {
  const result = await runtime.call(tool, args as never, signal && { signal });
  if (result.ok) succeeded.add(running);
  // A call that names its parameters wrongly proves nothing.
  const isMisnamed = /unknown parameter|is required|is missing/i;
  const { code } = result.ok ? { code: "" } : result.error;
  if (DEFECTS.includes(code) || (code === "INVALID_ARGUMENTS" && isMisnamed.test(result.text)))
    throw new Error(`${tool}: ${result.text.slice(0, 300)}`);
  return result;
};
const put = (name: string, content: string | Buffer) => {
  mkdirSync(workspace, { recursive: true });
  writeFileSync(join(workspace, name), content);
};

put("a.txt", "a\nb\nc\n");
put("line.txt", hostileTextFor(2_000_000, 4_000_000));
put("lines.txt", hostileTextFor(4_000_000, 300));
put("b.txt", `${"a".repeat(30)}\n`.repeat(2_000));
const meter = new StallMeter();
const generated = hostileInputs({
  random,
  answers,
  pages,
  origin: server.origin,
  mcpServer,
  runtime,
  call,
  put,
  remove: (name) => rmSync(join(workspace, name), { force: true }),
  startMeasuring: () => meter.take(),
});
const inputs =
  only === "fault"
    ? hostileFaults(call)
    : generated.filter(({ kind, name }) => `${kind} ${name}`.startsWith(only));
const stalls: { name: string; ms: number }[] = [];
const failures: string[] = [];
for (const { kind, name, run } of inputs) {
  running = `${kind} ${name}`;
  meter.take();
  const failed = await run().then(
    () => undefined,
    (error: unknown) => String(error),
  );
  if (failed !== undefined) failures.push(`${running}: ${failed}`);
  await new Promise((resolve) => setTimeout(resolve, 1));
  const { ms } = meter.take();
  if (ms > 100) stalls.push({ name: running, ms });
}
meter.stop();
await runtime.dispose();
await server.close();
await new Promise((resolve) => setTimeout(resolve, 200));
rmSync(workspace, { recursive: true, force: true });
const successes: Record<string, number> = {};
for (const { kind, name } of inputs)
  successes[kind] = (successes[kind] ?? 0) + (succeeded.has(`${kind} ${name}`) ? 1 : 0);
process.stdout.write(
  `\n${JSON.stringify({ count: inputs.length, uncaught, failures, stalls, successes })}\n`,
);
process.exit(0);
